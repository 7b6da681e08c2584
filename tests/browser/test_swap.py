"""What a morph leaves alone, one guard at a time, without a room around it."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Site

pytestmark = pytest.mark.browser

OLD = """<div id="region"><p id="words">old</p><textarea id="note">saved</textarea><input id="tick" type="checkbox">
<select id="pick"><option value="a" selected>a</option><option value="b">b</option></select>
<details id="more"><summary>more</summary>text</details>
<span id="mine" data-slot><b>Sustained</b></span><span id="mark" data-state="saved"></span>
<i id="kept" data-local-keep></i><i id="dropped"></i>
<local-time id="at"><time datetime="2026-03-12T09:00:00Z">10:00</time></local-time></div>"""
NEW = """<div id="region"><p id="words">new</p><textarea id="note">from elsewhere</textarea>
<input id="tick" type="checkbox">
<select id="pick"><option value="a" selected>a</option><option value="b">b</option></select>
<details id="more"><summary>more</summary>text</details>
<span id="mine" data-slot></span><span id="mark" data-state="sent"></span>
<local-time id="at"><time datetime="2026-03-12T09:00:00Z">09:00 UTC</time></local-time></div>"""


def swapped(page: Page, site: Site, before: str, read: str, *, html: str = NEW) -> object:
    """Open the old region, do `before`, swap, and return what `read` gives."""
    page.goto(site.put("/swap", f"<!doctype html><title>swap</title>{OLD}"))
    return page.evaluate(
        f"""async (html) => {{
          const {{ swap }} = await import("/static/js/platform/swap.js");
          const by = (id) => document.getElementById(id);
          {before};
          swap(html);
          return {read};
        }}""",
        html,
    )


def test_swap_brings_what_is_new(page: Page, site: Site) -> None:
    assert swapped(page, site, "", "[by('words').textContent, by('note').value, by('mark').dataset.state]") == [
        "new",
        "from elsewhere",
        "sent",
    ]


@pytest.mark.parametrize(
    ("before", "read", "kept"),
    [
        ("by('note').value = 'typed'", "by('note').value", "typed"),
        ("by('note').value = 'x'; by('note').focus()", "[by('note').value, document.activeElement.id]", ["x", "note"]),
        ("by('tick').checked = true", "by('tick').checked", True),
        ("by('pick').value = 'b'", "by('pick').value", "b"),
        ("by('more').open = true", "by('more').open", True),
        ("by('mark').dataset.localShown = ''", "by('mark').dataset.localShown", ""),
        ("", "by('mine').textContent", "Sustained"),
        ("", "[Boolean(by('kept')), Boolean(by('dropped'))]", [True, False]),
        ("", "by('at').textContent", "10:00"),
    ],
    ids=["typed", "focused", "ticked", "picked", "opened", "local", "slot", "kept", "moment"],
)
def test_swap_leaves_alone(page: Page, site: Site, before: str, read: str, kept: object) -> None:
    assert swapped(page, site, before, read) == kept


def test_swap_fills_a_slot_that_is_not_empty(page: Page, site: Site) -> None:
    html = NEW.replace("data-slot></span>", "data-slot><b>Partial</b></span>")

    assert swapped(page, site, "", "by('mine').textContent", html=html) == "Partial"


def test_swap_leaves_out_a_region_that_the_page_lacks(page: Page, site: Site) -> None:
    html = '<p id="elsewhere">x</p>' + NEW

    assert swapped(page, site, "", "[by('elsewhere'), by('words').textContent]", html=html) == [None, "new"]
