"""Questions of the lead's own, and trees changed for one interview, as the page shows and sends them."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.looks import Look, each_look, faults
from tests.browser.room_peer import Peer, acknowledge, open_room, say_nothing
from tests.support.room_page import ASKED

pytestmark = pytest.mark.browser

OWN = "bbbbbbbb-0000-4000-8000-000000000001"
CURRENT = ASKED[1]


def ask_own(page: Page, words: str = "And over a slow network?") -> None:
    """The dialog by keyboard alone: its words, a second aim, and away."""
    page.keyboard.press("+")
    expect(page.locator("#question-text")).to_be_focused()
    page.keyboard.type(words)
    for _ in range(4):  # what it follows, its kind, the first aim, the second
        page.keyboard.press("Tab")
    page.keyboard.press(" ")
    page.keyboard.press("Control+Enter")


def templates(page: Page, parent: str) -> list[str]:
    names: list[str] = page.evaluate(
        """(parent) => [...document.querySelectorAll("template[data-parent]")]
          .filter((one) => one.dataset.parent === parent).map((one) => one.dataset.probe)""",
        parent,
    )
    return names


def test_own_question_is_asked_by_keyboard_and_shown_and_marked_before_any_answer(page: Page, site: Site) -> None:
    peer = open_room(page, site, answers=say_nothing)

    ask_own(page)
    page.keyboard.press("f")
    page.keyboard.press("2")

    asked = peer.wait_for_commands(2)[0]
    assert (asked["name"], asked["data"]) == (
        "probe.adhoc",
        {
            "parent": "zero/cost",
            "kind": "probe",
            "aims": ["depth", "why"],
            "text": "And over a slow network?",
            "language": "en",
        },
    )
    assert peer.commands[1]["data"] == {"asked": asked["id"], "outcome": "not_sustained", "version": 0}
    row = page.locator("#asked-list [aria-current=step]")
    expect(row).to_have_attribute("data-probe", f"zero/{asked['id']}")
    expect(row).to_have_attribute("data-level", "3")
    expect(page.locator("#looked-probe")).to_contain_text("And over a slow network?")
    expect(page.locator("#looked-probe .now__crumb")).to_contain_text("Level 3")
    expect(page.locator("#looked-probe .now__crumb")).to_contain_text("DepthWhy")
    expect(page.locator(".rate__aim[data-value=depth] [data-fill=rating]")).to_have_text("2")
    expect(page.locator("[data-field=ratings][data-value='2'] .rate__anchor")).to_have_text("Anchor 2 of why")
    expect(page.locator("#derived")).to_contain_text("Floor 1, ceiling 3")


def test_refused_own_question_goes_and_its_words_and_mark_are_kept(page: Page, site: Site) -> None:
    def answers(peer: Peer, command: dict[str, Any]) -> None:
        code = "not_lead" if command["name"] == "probe.adhoc" else "not_asked"
        peer.send({"type": "refused", "id": command["id"], "code": code, "message": "Only the lead can."})

    peer = open_room(page, site, answers=say_nothing)
    ask_own(page)
    page.keyboard.press("f")
    peer.wait_for_commands(2)
    peer.answers = answers

    peer.cut()

    expect(page.locator("#asked-list [data-asked]")).to_have_count(2)
    expect(page.locator("#asked-list [aria-current=step]")).to_have_attribute("data-asked", CURRENT)
    assert len(templates(page, "zero/cost")) == 2
    for _ in range(2):
        expect(page.locator("#tray-open")).to_contain_text("2")
        words = page.locator("#tray li").filter(has_text="And over a slow network?")
        expect(words).to_contain_text("Only the lead can.")
        expect(words.locator("[data-attaches]:not([hidden])")).to_have_count(0)
        page.reload()
    page.locator("#tray-open").click()
    words.get_by_role("button", name="Discard").click()
    expect(page.locator("#tray-open")).to_contain_text("1")


def test_refused_wording_is_kept_and_a_refused_move_is_not(page: Page, site: Site) -> None:
    def refuse(peer: Peer, command: dict[str, Any]) -> None:
        peer.send({"type": "refused", "id": command["id"], "code": "bad_field", "message": "The plan is locked."})

    peer = open_room(page, site, answers=refuse)
    page.get_by_role("button", name="Other tree").press("Enter")
    page.locator("[data-command='tree.earlier']").press("Enter")
    peer.wait_for_commands(1)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Correct the wording").press("Enter")
    page.keyboard.press("Control+a")
    page.keyboard.type("What does it cost?")
    page.keyboard.press("Control+Enter")

    peer.wait_for_commands(2)
    expect(page.locator("#tray-open")).to_contain_text("1")
    expect(page.locator("#tray li")).to_contain_text("What does it cost?")
    expect(page.locator("#live-assertive")).to_contain_text("The plan is locked.")


def test_question_without_an_aim_is_not_sent_and_says_why(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    page.keyboard.press("+")
    page.keyboard.type("And then?")
    page.locator("#question-form [value=depth]").uncheck(force=True)

    page.keyboard.press("Control+Enter")

    expect(page.locator("#question-error")).to_be_visible()
    expect(page.locator("#dialog-question")).to_be_visible()
    assert peer.commands == []


def test_follow_up_is_kept_and_asked_by_its_key_before_any_answer(page: Page, site: Site) -> None:
    peer = open_room(page, site, answers=say_nothing)
    page.keyboard.press("+")
    page.keyboard.type("What did it cost?")
    page.get_by_role("button", name="Keep as a follow-up").press("Enter")

    added = peer.wait_for_commands(1)[0]
    assert (added["name"], added["data"]["op"], added["data"]["tree"]) == ("tree.edit", "add", "zero")
    assert templates(page, "zero/cost") == ["zero/share", "zero/carry", f"zero/{added['id']}"]
    expect(page.locator("#dialog-question")).to_be_hidden()
    page.keyboard.press("i")
    assert peer.wait_for_commands(2)[1]["data"] == {"probe": f"zero/{added['id']}"}
    expect(page.locator("#looked-probe")).to_contain_text("What did it cost?")


def test_wording_is_corrected_in_the_language_that_is_shown(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    page.get_by_role("button", name="Correct the wording").press("Enter")
    prompt = page.locator("#current-probe .now__prompt:visible").inner_text()
    expect(page.locator("#wording-text")).to_have_value(prompt)

    page.keyboard.press("Control+a")
    page.keyboard.type("What does it cost?")
    page.keyboard.press("Control+Enter")

    sent = peer.wait_for_commands(1)[0]
    assert (sent["name"], sent["data"]) == (
        "tree.edit",
        {"tree": "zero", "op": "text", "probe": "zero/cost", "text": "What does it cost?", "language": "en"},
    )


def test_order_is_changed_from_the_list_of_all_questions(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    page.get_by_role("button", name="Other tree").press("Enter")

    page.locator("[data-command='tree.earlier']").press("Enter")

    sent = peer.wait_for_commands(1)[0]
    assert sent["data"] == {"tree": "zero", "op": "move", "probe": "zero/carry", "after": None}


def test_everybodys_page_follows_what_the_lead_changed(page: Page, site: Site) -> None:
    peer = open_room(page, site, role="interviewer")
    said = {"parent": "zero/cost", "kind": "rescue", "aims": ["why"], "level": 2, "language": "en"}
    probe = f"zero/{OWN}"

    peer.event("panel", "probe.adhoc", data={**said, "asked": OWN, "probe": probe, "text": "In other words?"})
    peer.event(
        "panel", "tree.edit", data={"tree": "zero", "op": "move", "probe": probe, "parent": "zero/cost", "after": None}
    )
    words = {"tree": "zero", "op": "text", "probe": "zero/split", "language": "en", "text": "Which stage splits what?"}
    peer.event("panel", "tree.edit", data=words)

    peer.until(lambda: templates(page, "zero/cost") == [probe, "zero/share", "zero/carry"])
    page.locator(f"#asked-{ASKED[0]}").click()
    expect(page.locator("#looked-probe .now__prompt:visible")).to_have_text("Which stage splits what?")
    made = page.evaluate("(id) => document.getElementById(id).content.textContent", f"probe-{probe}")
    assert "In other words?" in made
    assert "Rescue" in made


def test_discontinue_rule_is_said_once_when_ones_own_mark_meets_it(page: Page, site: Site) -> None:
    peer = open_room(page, site, answers=acknowledge)
    said = page.locator("#live-polite")

    page.keyboard.press("f")
    ask_own(page)
    page.keyboard.press("f")

    expect(said).to_contain_text("this tree may end")
    peer.wait_for_commands(3)
    page.keyboard.press("d")
    peer.wait_for_commands(4)
    page.keyboard.press("q")
    expect(said).not_to_contain_text("this tree may end")


def test_own_reading_stands_beside_the_derived_one_before_the_server_answered(page: Page, site: Site) -> None:
    peer = open_room(page, site, answers=say_nothing)
    page.get_by_role("button", name="My own reading").press("Enter")
    for field, value in (("floor", "1"), ("ceiling", "3"), ("reason", "Heard more than was asked")):
        page.locator(f"#own-{field}").fill(value)

    page.keyboard.press("Control+Enter")

    peer.wait_for_commands(1)
    expect(page.locator("#bound .bound__own")).to_have_text(
        "Your own reading: floor 1, ceiling 3. Heard more than was asked"
    )
    expect(page.locator("#derived")).to_contain_text("Floor 1, no ceiling yet")
    expect(page.locator("#derived")).to_contain_text("go up to level 2")


def test_ending_is_reopened_by_a_later_question_until_one_key_confirms_it(page: Page, site: Site) -> None:
    peer = open_room(page, site, answers=acknowledge)
    page.keyboard.press("b")
    page.keyboard.press("m")
    peer.wait_for_commands(1)

    ask_own(page)
    expect(page.locator("#derived")).to_contain_text("reopened")
    page.keyboard.press("r")

    expect(page.locator("#derived")).not_to_contain_text("reopened")
    assert peer.wait_for_commands(3)[2]["data"] == {"tree": "zero", "ended": "moved_on", "version": 1}


@each_look
def test_dialogs_of_the_lead_are_sound_to_look_at(page: Page, site: Site, look: Look) -> None:
    open_room(page, site)

    page.keyboard.press("+")
    found = faults(page, look)

    assert found == []
