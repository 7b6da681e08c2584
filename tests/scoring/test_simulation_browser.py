"""Reading pages and forms as a simulation's browser does."""

from __future__ import annotations

import pytest

from scoring.simulation.browser import NoSuchForm, Page, is_loopback

pytestmark = pytest.mark.unit

HTML = """
<input id="candidate-link" readonly value="http://x/c/t&amp;1/">
<form id="f" method="post" action="/go/" enctype="multipart/form-data">
<input type="hidden" name="csrf" value="1&lt;2">
<div class="field"><ul class="field__errors" id="e"><li><span>Too   short</span></li></ul>
<input name="title" value="old"></div>
<select name="plan"><option value="">---</option><option value="7">Training systems</option>
<option value="8">Training</option></select>
<select name="zone"><option value="a">A</option><option value="b" selected>B</option></select>
<textarea name="words">
first
second</textarea>
<div><label for="i0"><input type="checkbox" name="who" value="c1" id="i0"> Ana</label></div>
<div><label for="i1"><input type="checkbox" name="who" value="c2" id="i1" checked> Bo</label></div>
<label><input type="radio" name="seal" value="x" checked><br/> one</label>
<label><input type="radio" name="seal" value="y"> two</label>
<input type="file" name="papers"><button name="do" value="save">Save</button>
</form>
<form action="/interviews/1/link/"><button>Make</button></form>
"""


def page(html: str = HTML) -> Page:
    return Page(200, "http://x/p/", "text/html", html)


def test_an_untouched_form_is_sent_as_it_was_drawn() -> None:
    form = page().form("title")

    assert form.filled({}) == [
        ("csrf", "1<2"),
        ("title", "old"),
        ("plan", ""),
        ("zone", "b"),
        ("words", "first\nsecond"),
        ("who", "c2"),
        ("seal", "x"),
    ]
    assert (form.action, form.method, form.multipart) == ("/go/", "post", True)


def test_a_form_is_sent_with_what_was_filled_in() -> None:
    sent = page().form("title").filled({"title": "new", "who": ["c1"], "seal": "y", "words": ""})

    assert sent[2:] == [("zone", "b"), ("title", "new"), ("who", "c1"), ("seal", "y"), ("words", "")]


def test_choices_are_found_by_their_words() -> None:
    form = page().form("plan")

    found = [
        form.option("plan", "Training"),
        form.option("plan", "7"),
        form.option("who", "Ana"),
        form.option("plan", "T"),
    ]

    assert found == ["8", "7", "c1", None]


def test_two_people_of_one_name_are_no_choice() -> None:
    form = page(HTML.replace("Bo<", "Ana<")).form("who")

    assert form.option("who", "Ana") is None


def test_complaints_values_and_forms_by_address_are_found() -> None:
    found = page()

    assert found.complaints() == "Too short"
    assert found.value_of("candidate-link") == "http://x/c/t&1/"
    assert found.form_to("/1/link/").filled({}) == []
    with pytest.raises(NoSuchForm, match=r"/p/ \(HTTP 200\) shows no form with password"):
        found.form("password")


@pytest.mark.parametrize(
    ("site", "near"),
    [
        ("http://127.0.0.1:8000", True),
        ("http://localhost", True),
        ("http://[::1]:80", True),
        ("https://sounding.example", False),
        ("http://10.0.0.1", False),
    ],
)
def test_loopback_is_told_from_elsewhere(site: str, near: bool) -> None:
    assert is_loopback(site) is near
