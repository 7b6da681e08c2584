"""The keys of the live room are a person's own, stand on the buttons they press, and never press two things."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from django.test import Client

from interviews.keys import GROUPS, all_keys, clashes
from people.keys import letter, override
from tests.cast import Cast
from tests.support.room_page import context, draw

ROOT = Path(__file__).resolve().parents[2]
KEYS = "/interviews/keys/"
DEFAULTS = {key: key.rpartition(" ")[2] for _group, key in all_keys()}
NAMES = {key: f"key-{at}" for at, key in enumerate(DEFAULTS)}


def sent(**letters: str) -> dict[str, str]:
    """The form with some letters changed, named by default letter: sent(A="q")."""
    return {NAMES[key]: letters.get(key.replace(" ", "_"), cap) for key, cap in DEFAULTS.items()}


@pytest.mark.unit
def test_the_first_keys_press_one_thing_each() -> None:
    assert clashes(DEFAULTS) == {}
    assert clashes({**DEFAULTS, "A": "s"}) == {"S": "A"}
    # N ends a tree after B and opens the notes elsewhere: they are never heard together.
    assert clashes({**DEFAULTS, "B N": "A"}) == {}
    assert clashes({**DEFAULTS, "B N": "W"}) == {"B W": "B N"}


@pytest.mark.unit
def test_every_key_that_a_template_draws_can_be_moved() -> None:
    drawn: set[str] = set()
    for file in (ROOT / "templates" / "interviews").rglob("*.html"):
        text = file.read_text(encoding="utf-8")
        drawn |= set(re.findall(r"{% key '([^']+)' %}", text)) | set(re.findall(r' key="([^"]+)"', text))
        assert re.findall(r'aria-keyshortcuts="[^"{ ]"', text) == [], file.name
    assert drawn - {"1"} <= set(DEFAULTS)  # home's buttons count themselves
    assert set(DEFAULTS) - drawn == {"0", "1", "2", "3", "4"}  # drawn in a loop


@pytest.mark.unit
def test_no_key_of_the_room_presses_two_things() -> None:
    """Outside of dialogs and of the row that B opens, where other letters are heard alone."""
    page = BeautifulSoup(draw("interviews/room.html", {**context("lead"), "may_edit": True}), "html.parser")
    presses: dict[str, set[str]] = {}
    for button in page.select("[aria-keyshortcuts]"):
        if button.find_parent(["dialog", "template"]) or button.find_parent(attrs={"data-sequence": True}):
            continue
        does = str(button.get("data-command") or button.get("data-opens"))
        if does == "mark.set":
            does = f"{button['data-field']} {button['data-value']}"
        for key in str(button["aria-keyshortcuts"]).split():
            presses.setdefault(key, set()).add(does)

    twice = {key: does for key, does in presses.items() if len(does) > 1}
    # Of these only one is there at a time: by what is shared, whose hand is up, who leads. Enter and Escape press what
    # is open.
    assert {key: does for key, does in twice.items() if key not in {"Enter", "Escape"}} == {
        "L": {"prompt.share", "prompt.unshare"},
        ",": {"hand.raise", "hand.lower"},
    }


@pytest.mark.unit
def test_an_own_letter_stands_on_the_button_it_presses() -> None:
    own = {"letters": {"A": "5", "3": "W", "B N": "7"}}
    with override(own):
        page = BeautifulSoup(draw("interviews/room.html", context("lead")), "html.parser")
    assert letter("A") == "A"

    for place, cap in (
        ("[data-value=sustained][data-field=outcome]", "5"),
        ("[data-field=ratings][data-value='3']", "W"),
        ("[data-command='boundary.set'][data-value=no_answer]", "7"),
        ("[data-value=partial][data-field=outcome]", "S"),
    ):
        (button,) = page.select(place)
        assert (button["aria-keyshortcuts"], button.select_one("kbd").get_text()) == (cap, cap)  # type: ignore[union-attr]


@pytest.mark.db
def test_chosen_keys_are_kept_and_drawn_again(client: Client, cast: Cast) -> None:
    client.force_login(cast.bo)

    assert client.post(KEYS, {**sent(A="q", Q="5", B_N="a"), "off": "on"}).status_code == 302

    cast.bo.refresh_from_db()
    assert cast.bo.keys == {"off": True, "letters": {"A": "Q", "Q": "5", "B N": "A"}}
    page = BeautifulSoup(client.get(KEYS).content, "html.parser")
    assert {key: page.select_one(f"[name={name}]")["value"] for key, name in NAMES.items()} == {  # type: ignore[index]
        **DEFAULTS,
        "A": "Q",
        "Q": "5",
        "B N": "A",
    }
    assert page.select_one("body")["data-keys"] == "off"  # type: ignore[index]


@pytest.mark.unit
def test_a_clash_is_told_at_the_key_that_was_moved() -> None:
    assert clashes({**DEFAULTS, "A": "s"}, DEFAULTS) == {"A": "S"}
    assert clashes({**DEFAULTS, "S": "a"}, DEFAULTS) == {"S": "A"}
    # Both moved, or none: at the later one.
    assert clashes({**DEFAULTS, "A": "5", "S": "5"}, DEFAULTS) == {"S": "A"}
    assert clashes({**DEFAULTS, "A": "S"}, {**DEFAULTS, "A": "S"}) == {"S": "A"}
    # Three on one letter: each that was moved is told who has it.
    assert clashes({**DEFAULTS, "A": "s", "D": "s"}, DEFAULTS) == {"A": "S", "D": "S"}


@pytest.mark.db
def test_the_error_stands_beside_the_key_that_was_moved(client: Client, cast: Cast) -> None:
    client.force_login(cast.bo)

    page = BeautifulSoup(client.post(KEYS, sent(A="s")).content, "html.parser")

    (bad,) = page.select(".own-keys__one.field--bad")
    assert bad.select_one("input")["name"] == NAMES["A"]  # type: ignore[index]


@pytest.mark.db
def test_the_first_keys_come_back(client: Client, cast: Cast) -> None:
    cast.bo.keys = {"off": True, "letters": {"A": "5"}}
    cast.bo.save()
    client.force_login(cast.bo)

    client.post(KEYS, {"defaults": ""})

    cast.bo.refresh_from_db()
    assert cast.bo.keys == {}


@pytest.mark.db
@pytest.mark.parametrize(
    ("letters", "words"),
    [
        ({"A": "s"}, "Partial has this key. Choose another one."),
        ({"A": "é"}, "A letter of the Latin alphabet, a figure, or a sign like [ or ?."),
        ({"A": " "}, "This field is required."),
        ({"A": "ab"}, "Ensure this value has at most 1 character (it has 2)."),
    ],
)
def test_what_would_press_two_things_or_nothing_changes_nothing(
    client: Client, cast: Cast, letters: dict[str, str], words: str
) -> None:
    client.force_login(cast.bo)

    answer = client.post(KEYS, sent(**letters))

    assert (answer.status_code, words in answer.content.decode()) == (422, True)
    cast.bo.refresh_from_db()
    assert cast.bo.keys == {}


@pytest.mark.unit
def test_groups_hold_every_key_once() -> None:
    keys = [key for group in GROUPS for key in group.keys]
    assert len(keys) == len(set(keys))
    assert all(key.startswith(f"{group.after} ") for group in GROUPS if group.after for key in group.keys)
