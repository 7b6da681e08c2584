"""Fair time, the closing checklist, the no-repeat guard, consent and the lobby, as people meet them on the page."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.held import stop_clock
from tests.browser.room_peer import Peer, open_room
from tests.support import room_page
from tests.support.room_page import ASKED, SEATS, draw

pytestmark = pytest.mark.browser


def seats(*, consented: bool) -> list[dict[str, Any]]:
    return [{**seat, "consented": consented} for seat in room_page.context()["seats"]]


# --- fair time --------------------------------------------------------------------------------------------------------


def test_fair_time_counts_extra_time_in_and_is_said_only_when_asked_for(page: Page, site: Site) -> None:
    stop_clock(page)  # half a minute more would be another minute
    open_room(page, site)
    tree = page.locator("#tree-zero")

    expect(tree.locator(".plan__min")).to_have_text("14:18 / 12 min+3")
    expect(tree.locator(".plan__offered")).to_have_text("Questions: 2 of 5")
    expect(tree.locator(".plan__over")).to_be_hidden()
    expect(page.locator("#fair [data-say=used]")).to_have_text("In trees: 14 of 49 min")
    expect(page.locator("#fair [data-say=ahead]")).to_have_text("Still planned: 34 min")
    expect(page.locator("#live-polite")).to_have_text("")

    page.keyboard.press(".")
    page.clock.run_for(500)  # what is said within that is said together

    expect(page.locator("#live-polite")).to_contain_text("ZeRO’s three stages. 14:18")
    expect(page.locator("#live-polite")).to_contain_text("In trees: 14 of 49 min. Still planned: 34 min")
    expect(page.locator("#live-polite")).to_contain_text("Extra time granted: 25%")


def test_a_tree_over_its_minutes_says_so_in_words(page: Page, site: Site) -> None:
    stop_clock(page)
    open_room(page, site, role="observer")

    expect(page.locator("#tree-zero .plan__over")).to_be_visible()
    expect(page.locator("#fair [data-say=over]")).to_have_text("Over: 2 min")
    expect(page.locator("#tree-rag .plan__over")).to_be_hidden()
    assert "25%" not in page.content()


# --- what is left -----------------------------------------------------------------------------------------------------


def test_checklist_names_what_is_open_and_leads_there(page: Page, site: Site) -> None:
    open_room(page, site, role="interviewer")

    page.keyboard.press("w")

    box = page.locator("#closing")
    expect(box.locator("[data-part=unmarked] li")).to_have_text(["What stage 3 costs "])
    expect(box.locator("[data-part=boundaries] li")).to_have_text(
        ["ZeRO’s three stages why it ended is not said, ask level 2"]
    )
    expect(box.locator("[data-part=thin] li")).to_have_text(
        ["Depth ratings: 1 of 2", "Why ratings: 0 of 2", "Hands-on ratings: 0 of 2"]
    )
    expect(box.locator("[data-part=thin] li").nth(2).get_by_role("button")).to_be_disabled()
    expect(page.get_by_role("button", name="End the interview")).to_be_hidden()

    page.keyboard.press("Escape")
    page.locator(f"#asked-{ASKED[0]}").click()
    page.keyboard.press("w")
    box.get_by_role("button", name="What stage 3 costs").click()

    expect(page.locator("#dialog-closing")).to_be_hidden()
    expect(page.locator("#dock")).to_have_attribute("data-asked", ASKED[1])


def test_checklist_follows_ones_marks_without_a_line_and_leaves_out_what_one_missed(page: Page, site: Site) -> None:
    given = room_page.context("interviewer")
    trees = given["trees"]
    trees[0]["asked"][0]["mark"] = None
    mine = {**given["mine"], "marks": []}
    peer = open_room(page, site, role="interviewer", trees=trees, mine=mine, connected=[])
    peer.welcomes = False
    peer.cut()

    page.keyboard.press("f")
    page.keyboard.press("w")

    box = page.locator("#closing")
    expect(box.locator("[data-part=unmarked]")).to_be_hidden()
    expect(box.locator("[data-part=absent]")).to_have_text(
        "Asked while you were not connected, and so not yours to mark: 1"
    )


def test_end_of_the_lead_opens_the_checklist_and_waits_for_nobody(page: Page, site: Site) -> None:
    peer = open_room(page, site)

    page.get_by_role("button", name="End", exact=True).click()
    expect(page.locator("#closing")).to_contain_text("Not marked yet")
    assert peer.commands == []
    page.keyboard.press("Control+Enter")

    assert [one["name"] for one in peer.wait_for_commands(1)] == ["interview.end"]
    expect(page.locator("#dialog-closing")).to_be_hidden()


# --- no repeats -------------------------------------------------------------------------------------------------------


def test_a_tree_opened_earlier_is_asked_at_the_second_press(page: Page, site: Site) -> None:
    trees = [{**tree, "asked": [], "current": False} for tree in room_page.context()["trees"]]
    root = [room_page.PROBES[0]["follow"]]
    fresh = {"trees": trees, "current": None, "follow_ups": root, "next_for": "", "opened": ["zero"]}
    peer = open_room(page, site, **fresh)
    expect(page.locator("#tree-zero .plan__opened")).to_be_visible()
    expect(page.locator("#tree-rag .plan__opened")).to_be_hidden()

    page.keyboard.press("y")
    expect(page.locator("#repeat")).to_be_visible()
    expect(page.locator("#live-polite")).to_contain_text("Press again")
    page.keyboard.press("Escape")
    expect(page.locator("#repeat")).to_be_hidden()
    assert peer.commands == []

    page.keyboard.press("y")
    page.keyboard.press("Enter")

    assert [one["data"] for one in peer.wait_for_commands(1)] == [{"probe": "zero/split"}]
    expect(page.locator("#repeat")).to_be_hidden()


def test_a_tree_that_runs_here_asks_no_question(page: Page, site: Site) -> None:
    peer = open_room(page, site, opened=["zero"])

    page.keyboard.press("y")

    assert [one["name"] for one in peer.wait_for_commands(1)] == ["probe.ask"]


# --- the beginning ----------------------------------------------------------------------------------------------------


def test_start_without_consent_is_one_more_press_and_says_what_to_read_out(page: Page, site: Site) -> None:
    peer = open_room(page, site, status=room_page.context(status="scheduled")["status"], seats=seats(consented=False))

    page.get_by_role("button", name="Start", exact=True).click()
    expect(page.get_by_text("No sound, no picture.")).to_be_visible()
    assert peer.commands == []
    page.get_by_role("button", name="They accepted: start").click()

    assert [(one["name"], one["data"]) for one in peer.wait_for_commands(1)] == [
        ("interview.start", {"consent": "heard"})
    ]


def test_start_after_the_candidate_accepted_is_one_press(page: Page, site: Site) -> None:
    peer = open_room(page, site, status=room_page.context(status="scheduled")["status"], seats=seats(consented=False))
    accepted = draw("interviews/frames/presence.html", {"seats": seats(consented=True)})

    peer.event("panel", "candidate.wait", html=accepted)
    peer.send({"type": "presence", "seats": [{"seat": SEATS["candidate"], "role": "candidate", "here": True}]})
    expect(page.get_by_text("in the lobby, connection fine")).to_be_visible()
    page.get_by_role("button", name="Start", exact=True).click()

    assert [(one["name"], one["data"]) for one in peer.wait_for_commands(1)] == [("interview.start", {})]


def test_room_before_the_start_shows_claims_and_ones_own_preparation(page: Page, site: Site) -> None:
    open_room(page, site, status=room_page.context(status="scheduled")["status"])

    before = page.locator(".before")
    expect(before).to_contain_text("Trained a 70B model")
    expect(before).to_contain_text("Ask about the switch")
    expect(before.get_by_role("link", name="Prepare")).to_be_visible()

    page.reload()
    open_room(page, site)
    expect(page.locator(".before")).to_be_hidden()
    page.get_by_role("button", name="My preparation").click()
    expect(page.locator("#dialog-prepared")).to_contain_text("Ask about the switch")


def test_lobby_checks_the_connection_in_words(page: Page, site: Site) -> None:
    stop_clock(page)
    peer = Peer(page)
    peer.welcomes = False
    given = room_page.candidate_context(admitted=False, status="scheduled")
    page.goto(site.put("/c", draw("interviews/candidate_room.html", given)))
    peer.until(lambda: bool(peer.connections))
    check = page.locator("#check")
    expect(check.get_by_text("Being checked")).to_be_visible()
    page.clock.run_for(9000)
    expect(check.get_by_text("No connection to the interview")).to_be_visible()

    peer.welcome()
    peer.send({"type": "ping", "heads": {}})

    expect(check.get_by_text("Your connection works.")).to_be_visible()
    expect(check.get_by_text("No connection")).to_be_hidden()
    expect(page.locator(".lobby")).to_contain_text("Candidate 7")
    expect(page.locator("[data-clock=now]")).to_have_text(re.compile(r"^\d\d:\d\d$"))
