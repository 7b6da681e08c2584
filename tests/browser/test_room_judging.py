"""Boundary, evidence, reasons and notes, as the keyboard makes them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.held import stop_clock
from tests.browser.room_peer import open_room, say_nothing
from tests.support import room_page
from tests.support.room_page import ASKED

pytestmark = pytest.mark.browser

CURRENT = ASKED[1]


def test_boundary_is_two_keys_and_marks_first_where_nothing_is_marked(page: Page, site: Site) -> None:
    peer = open_room(page, site)

    page.keyboard.press("b")
    page.keyboard.press("w")

    sent = peer.wait_for_commands(2)
    assert [(one["name"], one["data"]) for one in sent] == [
        ("mark.set", {"asked": CURRENT, "outcome": "not_sustained", "version": 0}),
        ("boundary.set", {"tree": "zero", "ended": "wrong", "probe": "zero/cost", "version": 0}),
    ]
    expect(page.locator("#derived")).to_contain_text("Floor 1, ceiling 2")
    expect(page.locator("[data-save=boundary]")).to_have_attribute("data-state", "saved")


def test_own_ending_stands_there_before_the_server_answered(page: Page, site: Site) -> None:
    peer = open_room(page, site, answers=say_nothing)

    page.keyboard.press("b")
    page.keyboard.press("t")

    peer.wait_for_commands(1)
    expect(page.locator("#bound")).to_contain_text("Time ran out")
    page.keyboard.press("q")
    expect(page.locator("#bound")).not_to_contain_text("Time ran out")


def test_letters_of_the_reasons_mean_nothing_else_while_the_row_is_open(page: Page, site: Site) -> None:
    peer = open_room(page, site)

    page.keyboard.press("b")
    page.keyboard.press("d")

    assert peer.wait_for_commands(2)[1]["data"]["ended"] == "declined"
    expect(page.locator("#why-ended")).to_be_hidden()


def test_boundary_sequence_is_left_by_escape(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    page.keyboard.press("b")

    page.keyboard.press("Escape")
    page.keyboard.press("d")

    assert peer.wait_for_commands(1)[0]["data"] == {"asked": CURRENT, "outcome": "recited", "version": 0}


def test_contrary_outcome_is_a_conflict_shown_and_nothing_is_sent(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    page.keyboard.press("a")
    peer.wait_for_commands(1)

    page.keyboard.press("b")
    page.keyboard.press("w")

    expect(page.locator("#live-polite")).to_contain_text("change the outcome first")
    assert len(peer.commands) == 1


def test_not_expected_cannot_be_said_of_a_tree_that_is_not_optional(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    page.keyboard.press("b")

    page.keyboard.press("x")

    expect(page.locator("#live-polite")).to_contain_text("Not now")
    assert peer.commands == []


def test_not_expected_can_be_said_where_only_a_trial_was_judged(page: Page, site: Site) -> None:
    given = room_page.context()
    trial = {**given["trees"][0]["asked"][0], "scored": False, "current": True}
    trees = [{**given["trees"][0], "optional": True, "asked": [trial]}]
    peer = open_room(page, site, trees=trees, current={**given["current"], "asked": trial["id"]})
    page.keyboard.press("b")

    page.keyboard.press("x")

    assert peer.wait_for_commands(1)[0]["data"]["ended"] == "not_expected"


def test_ending_is_reopened_by_a_new_ask_and_confirmed_with_one_key(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    page.keyboard.press("b")
    page.keyboard.press("t")
    peer.wait_for_commands(1)
    page.keyboard.press("y")
    expect(page.locator("#derived")).to_contain_text("reopened")

    page.keyboard.press("r")

    assert peer.wait_for_commands(3)[2]["data"] == {"tree": "zero", "ended": "time", "version": 1}
    expect(page.locator("#derived")).not_to_contain_text("reopened")


def test_own_reading_is_sent_with_its_reason_and_needs_order(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    page.get_by_role("button", name="My own reading").click()
    page.get_by_label("Floor").fill("3")
    page.get_by_label("Ceiling").fill("2")
    page.locator("#own-reason").fill("Pad showed more.")
    page.locator("#own-form button[type=submit]").click()
    expect(page.locator("#own-error")).to_be_visible()
    page.get_by_label("Ceiling").fill("4")

    page.locator("#own-form button[type=submit]").click()

    override = {"floor": 3, "ceiling": 4, "reason": "Pad showed more."}
    assert peer.wait_for_commands(1)[0]["data"] == {"tree": "zero", "override": override, "version": 0}


def test_evidence_is_kept_with_type_detail_and_how_it_came_up(page: Page, site: Site) -> None:
    peer = open_room(page, site, answers=say_nothing)

    page.keyboard.press("e")
    page.get_by_text("Measured", exact=True).click()
    page.get_by_label("What was said").fill("38% of a step on 64 GPUs")
    page.get_by_text("Volunteered", exact=True).click()
    page.keyboard.press("Control+Enter")

    (command,) = peer.wait_for_commands(1)
    assert command["name"] == "evidence.add"
    assert command["data"] == {
        "asked": CURRENT, "type": "measured", "aid": "unaided", "detail": "38% of a step on 64 GPUs"
    }  # fmt: skip
    row = page.locator(f"#statement-{command['id']}")
    expect(row).to_contain_text("38% of a step on 64 GPUs")
    expect(page.locator("[data-save=statements]")).to_have_attribute("data-state", "sent")


def test_reason_can_be_removed_before_any_ack(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    page.keyboard.press("e")
    page.get_by_text("Regret", exact=True).click()
    page.get_by_label("What was said").fill("Would not shard again")
    page.get_by_text("Asked for", exact=True).click()
    page.keyboard.press("Control+Enter")
    added = peer.wait_for_commands(1)[0]

    page.locator(f"#statement-{added['id']}").get_by_role("button", name="Remove").click()

    removed = peer.wait_for_commands(2)[1]
    assert (removed["name"], removed["data"]) == ("reason.remove", {"reason": added["id"], "version": 1})
    expect(page.locator(f"#statement-{added['id']}")).to_be_hidden()


def test_note_is_kept_when_typing_pauses_and_saved_on_ack(page: Page, site: Site) -> None:
    stop_clock(page)
    peer = open_room(page, site)

    page.keyboard.press("n")
    page.keyboard.type("Drew both gathers")
    page.clock.run_for(700)

    (command,) = peer.wait_for_commands(1)
    assert command["data"] == {"asked": CURRENT, "text": "Drew both gathers", "version": 0}
    expect(page.locator("[data-save=note]")).to_have_attribute("data-state", "saved")


def test_note_typed_without_a_line_stays_one_command(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    peer.welcomes = False
    peer.cut()
    page.keyboard.press("n")
    page.keyboard.type("one")
    expect(page.locator("[data-save=note]")).to_have_attribute("data-state", "unsent")
    page.keyboard.type(" two")
    page.keyboard.press("Escape")

    peer.welcomes = True
    peer.cut()

    peer.wait_for_commands(1)
    page.wait_for_timeout(300)  # nothing may follow; what would, comes within this
    assert [one["data"]["text"] for one in peer.commands] == ["one two"]


def test_observer_has_no_dock_and_sends_nothing(page: Page, site: Site) -> None:
    peer = open_room(page, site, role="observer")

    for key in "ab0yq":
        page.keyboard.press(key)

    expect(page.locator("#dock")).to_have_count(0)
    page.wait_for_timeout(200)  # nothing may follow; what would, comes within this
    assert peer.commands == []


def test_two_tabs_of_one_person_send_each_mark_once(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    second = page.context.new_page()
    other = open_room(second, site)

    second.keyboard.press("a")

    peer.wait_for_commands(1)
    expect(second.locator("[data-save=outcome]")).not_to_have_attribute("data-state", "unsent")
    assert other.commands == []
    second.close()
