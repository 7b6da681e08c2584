"""The way of a mark from a key to saved, refused or in conflict, against a scripted server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.room_peer import Peer, acknowledge, open_room, refuse, say_nothing
from tests.support import room_page
from tests.support.room_page import ASKED

pytestmark = pytest.mark.browser

CURRENT = ASKED[1]


def expect_state(page: Page, part: str, state: str) -> None:
    expect(page.locator(f"[data-save={part}]")).to_have_attribute("data-state", state)


def test_mark_is_sent_by_its_key_and_saved_on_ack(page: Page, site: Site) -> None:
    peer = open_room(page, site)

    page.keyboard.press("a")

    (command,) = peer.wait_for_commands(1)
    assert command["name"] == "mark.set"
    assert command["data"] == {"asked": CURRENT, "outcome": "sustained", "version": 0}
    expect_state(page, "outcome", "saved")
    expect(page.get_by_role("button", name="Sustained", exact=True)).to_have_attribute("aria-pressed", "true")


def test_mark_is_sent_but_not_saved_while_no_ack_came(page: Page, site: Site) -> None:
    peer = open_room(page, site, answers=say_nothing)

    page.keyboard.press("s")

    peer.wait_for_commands(1)
    expect_state(page, "outcome", "sent")
    assert peer.named("mark.set")[0]["age"] < 5_000


def test_mark_counts_own_queued_writes_in_its_version(page: Page, site: Site) -> None:
    peer = open_room(page, site)

    for key in "ax3":
        page.keyboard.press(key)

    sent = peer.wait_for_commands(3)
    assert [one["data"] for one in sent] == [
        {"asked": CURRENT, "outcome": "sustained", "version": 0},
        {"asked": CURRENT, "aid": "clarified", "version": 1},
        {"asked": CURRENT, "ratings": {"depth": 3}, "version": 2},
    ]
    expect_state(page, "ratings", "saved")


def test_two_writes_of_one_item_are_never_on_the_way_together(page: Page, site: Site) -> None:
    peer = open_room(page, site, answers=say_nothing)

    page.keyboard.press("a")
    page.keyboard.press("x")

    peer.wait_for_commands(1)
    expect_state(page, "aid", "unsent")
    assert len(peer.commands) == 1
    peer.answers = acknowledge
    acknowledge(peer, peer.commands[0])
    peer.wait_for_commands(2)
    expect_state(page, "aid", "saved")


def test_reconnect_resends_in_order_with_the_same_ids(page: Page, site: Site) -> None:
    peer = open_room(page, site, answers=say_nothing)
    page.keyboard.press("a")
    peer.wait_for_commands(1)
    first = peer.commands[0]
    peer.away = True
    peer.cut()
    expect_state(page, "outcome", "unsent")
    page.keyboard.press("x")
    page.keyboard.press("y")
    peer.answers = acknowledge
    peer.commands.clear()

    peer.away = False
    peer.wait_for_commands(3)

    assert [one["name"] for one in peer.commands] == ["mark.set", "mark.set", "probe.ask"]
    assert peer.commands[0]["id"] == first["id"]
    assert peer.commands[0]["data"] == first["data"]
    assert peer.commands[0]["age"] >= first["age"]
    assert len(peer.connections) == 2


def test_marks_outlive_a_reload_and_are_sent_then(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    peer.away = True
    peer.cut()
    page.keyboard.press("f")
    expect_state(page, "outcome", "unsent")
    page.on("dialog", lambda dialog: dialog.accept())

    page.reload()
    expect_state(page, "outcome", "unsent")
    peer.away = False

    (command,) = peer.wait_for_commands(1)
    assert command["data"] == {"asked": CURRENT, "outcome": "not_sustained", "version": 0}
    expect_state(page, "outcome", "saved")


def test_refused_mark_goes_to_the_tray_with_its_words(page: Page, site: Site) -> None:
    open_room(page, site, answers=refuse("submitted", "Your card is in."))

    page.keyboard.press("a")

    opener = page.locator("#tray-open")
    expect(opener).to_contain_text("1")
    expect_state(page, "outcome", "refused")
    opener.click()
    expect(page.locator("#tray")).to_contain_text("Sustained")
    expect(page.locator("#tray")).to_contain_text("Your card is in.")
    expect(page.locator("#live-assertive")).to_contain_text("Your card is in.")


def test_refused_mark_attaches_to_another_asking(page: Page, site: Site) -> None:
    peer = open_room(page, site, answers=refuse("not_asked", "Taken back meanwhile."))
    page.keyboard.press("d")
    page.locator("#tray-open").click()
    peer.answers = acknowledge

    page.locator("#tray select").select_option(ASKED[0])
    page.locator("#tray").get_by_role("button", name="Attach").click()

    again = peer.wait_for_commands(2)[1]
    assert again["data"] == {"asked": ASKED[0], "outcome": "recited", "version": 2}
    assert again["id"] != peer.commands[0]["id"]
    expect(page.locator("#tray-open")).to_be_hidden()


def test_what_was_refused_of_one_item_is_one_entry_of_the_tray_and_one_command(page: Page, site: Site) -> None:
    peer = open_room(page, site, answers=say_nothing)
    for key in "ax3":
        page.keyboard.press(key)
    peer.wait_for_commands(1)
    refuse("not_asked", "Taken back meanwhile.")(peer, peer.commands[0])

    page.locator("#tray-open").click()
    peer.answers = acknowledge
    expect(page.locator("#tray")).to_contain_text("Sustained, Clarified, Depth 3")
    page.locator("#tray select").select_option(ASKED[0])
    page.locator("#tray").get_by_role("button", name="Attach").click()

    again = peer.wait_for_commands(2)[1]
    said = {"outcome": "sustained", "aid": "clarified", "ratings": {"depth": 3}}
    assert again["data"] == {"asked": ASKED[0], **said, "version": 2}
    expect(page.locator("#tray-open")).to_be_hidden()


def test_what_depended_on_a_refused_ask_falls_and_the_rest_flows_on(page: Page, site: Site) -> None:
    def answers(peer: Peer, command: dict[str, Any]) -> None:
        if command["name"] == "probe.ask":
            refuse("not_lead", "Bo leads now.")(peer, command)
        elif command["data"].get("asked") == CURRENT:
            acknowledge(peer, command)
        else:
            refuse("not_asked", "This was never asked.")(peer, command)

    peer = open_room(page, site, answers=answers)
    peer.away = True  # until all three were pressed: else a refusal could come in between
    peer.cut()
    page.keyboard.press("a")
    page.keyboard.press("y")
    page.keyboard.press("s")
    peer.away = False

    expect(page.locator("#tray-open")).to_contain_text("1")
    expect_state(page, "outcome", "saved")
    expect(page.locator("#asked-list [data-asked]")).to_have_count(2)
    expect(page.locator("#asked-list [aria-current=step]")).to_have_attribute("data-asked", CURRENT)


def test_server_error_is_tried_again_five_times_then_kept_in_the_tray(page: Page, site: Site) -> None:
    peer = open_room(page, site, answers=refuse("server_error", "Our fault.", after=0.01))

    page.keyboard.press("g")

    expect(page.locator("#tray-open")).to_contain_text("1")
    assert [one["id"] for one in peer.commands] == [peer.commands[0]["id"]] * 5


def test_retry_later_waits_and_keeps_the_order(page: Page, site: Site) -> None:
    turns = iter([refuse("retry_later", "Slower.", after=0.2)])

    def answers(peer: Peer, command: dict[str, Any]) -> None:
        next(turns, acknowledge)(peer, command)

    peer = open_room(page, site, answers=answers)

    page.keyboard.press("a")
    page.keyboard.press("x")

    peer.wait_for_commands(3)
    assert [one["data"].get("outcome") for one in peer.commands] == ["sustained", "sustained", None]
    expect_state(page, "aid", "saved")


def test_stale_mark_shows_both_values_and_keeps_mine_on_m(page: Page, site: Site) -> None:
    current = {"asked": CURRENT, "outcome": "partial", "aid": "hinted", "ratings": {}, "confidence": None, "version": 4}
    written = {"made_at": "2026-03-12T09:20:00Z", "devices": [{"device": "phone", "browser": "Firefox, Android"}]}
    peer = open_room(page, site, answers=refuse("stale", "Changed elsewhere.", current=current | written))

    page.keyboard.press("a")

    conflict = page.locator(".conflict")
    expect(conflict).to_contain_text("Firefox, Android")
    expect(conflict.locator("[data-fill=when_saved]")).to_have_text("09:20")
    expect(conflict.locator("[data-fill=here]")).to_have_text("Sustained")
    expect(conflict.locator("[data-fill=saved]")).to_have_text("Partial, Hinted")
    expect_state(page, "outcome", "stale")
    peer.answers = acknowledge
    page.keyboard.press("m")
    again = peer.wait_for_commands(2)[1]
    assert again["data"] == {"asked": CURRENT, "outcome": "sustained", "version": 4}
    assert again["id"] != peer.commands[0]["id"]
    expect(conflict).to_have_count(0)
    expect(page.get_by_role("button", name="Hinted", exact=True)).to_have_attribute("aria-pressed", "true")


def test_stale_mark_takes_the_saved_one_on_t(page: Page, site: Site) -> None:
    current = {"asked": CURRENT, "outcome": "partial", "aid": None, "ratings": {}, "confidence": None, "version": 4}
    peer = open_room(page, site, answers=refuse("stale", "Changed elsewhere.", current=current))
    page.keyboard.press("a")
    expect(page.locator(".conflict")).to_have_count(1)

    page.keyboard.press("t")

    expect(page.get_by_role("button", name="Partial", exact=True)).to_have_attribute("aria-pressed", "true")
    expect_state(page, "outcome", "saved")
    assert len(peer.commands) == 1


def test_gap_in_a_stream_reconnects_from_the_last_applied_seq(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    peer.event("panel", "chat.post", seq=4)
    peer.event("panel", "chat.post", seq=4)

    peer.event("panel", "chat.post", seq=6)

    peer.until(lambda: len(peer.connections) == 2)
    assert [one["panel"] for one in peer.connections] == ["3", "4"]
    assert peer.connections[1]["v"] == "1"
    # Or a page that was left open would speak for whoever signed in since.
    assert peer.connections[1]["seat"] == room_page.context()["seat"]["id"]


def test_heads_that_run_ahead_reconnect(page: Page, site: Site) -> None:
    peer = open_room(page, site)

    peer.send({"type": "ping", "heads": {"all": 1, "panel": 9, "mine": 2}})
    peer.send({"type": "ping", "heads": {"all": 1, "panel": 9, "mine": 2}})

    peer.until(lambda: len(peer.connections) == 2)


def test_ping_is_answered_with_heads_outbox_and_device(page: Page, site: Site) -> None:
    peer = open_room(page, site, answers=say_nothing)
    page.keyboard.press("a")
    peer.wait_for_commands(1)

    peer.send({"type": "ping", "heads": peer.heads})

    peer.until(lambda: bool(peer.pongs))
    pong = peer.pongs[0]
    assert (pong["heads"], pong["outbox"]) == ({"all": 1, "panel": 3, "mine": 2}, 1)
    assert len(pong["device"]) == 36


def test_a_lost_right_stops_the_line_and_says_so(page: Page, site: Site) -> None:
    peer = open_room(page, site)

    peer.cut(4403)

    expect(page.locator("#room-alert")).to_contain_text("no longer have a seat")
    expect(page.locator("#line")).to_have_attribute("data-state", "closed")
    page.wait_for_timeout(1500)  # nothing may follow; what would, comes within this
    assert len(peer.connections) == 1


def test_closing_says_nothing_lost_when_counts_agree(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    counts = {"marks": 1, "evidence": 0, "reasons": 0, "notes": 0, "boundaries": 0}

    peer.send({"type": "closing", "mine": 2, "counts": counts})

    expect(page.locator("#room-alert")).to_contain_text("nothing lost")


def test_closing_says_what_differs(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    counts = {"marks": 3, "evidence": 0, "reasons": 0, "notes": 0, "boundaries": 0}

    peer.send({"type": "closing", "mine": 2, "counts": counts})

    expect(page.locator("#room-alert")).to_contain_text("marks 1 / 3")


def test_closing_waits_for_what_another_device_wrote_last(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    counts = {"marks": 2, "evidence": 0, "reasons": 0, "notes": 0, "boundaries": 0}

    peer.send({"type": "closing", "mine": 3, "counts": counts})
    expect(page.locator("#room-alert")).to_be_hidden()
    peer.event("mine", "mark.set", data={"asked": CURRENT, "outcome": "partial", "version": 1})

    expect(page.locator("#room-alert")).to_contain_text("nothing lost")


def test_closing_says_what_differs_when_the_rest_never_comes(page: Page, site: Site) -> None:
    peer = open_room(page, site)
    counts = {"marks": 2, "evidence": 0, "reasons": 0, "notes": 0, "boundaries": 0}

    peer.send({"type": "closing", "mine": 3, "counts": counts})
    peer.send({"type": "ping", "heads": peer.heads})

    expect(page.locator("#room-alert")).to_contain_text("marks 1 / 2, last entry 2 / 3")


@pytest.mark.parametrize("text", ["x" * 20_001, "\U0001f600" * 17_000, "\x01" * 11_000])
def test_text_that_the_server_would_not_take_is_not_queued_and_stays(page: Page, site: Site, text: str) -> None:
    peer = open_room(page, site)

    page.keyboard.press("n")
    page.keyboard.insert_text(text)
    page.keyboard.press("Escape")

    expect(page.locator("#live-assertive")).to_contain_text("20,000 characters")
    expect_state(page, "note", "")
    assert peer.commands == []
    field = page.locator(f"#my-note-{CURRENT} textarea")
    field.fill("shorter")
    field.blur()
    peer.wait_for_commands(1)
    expect_state(page, "note", "saved")


@pytest.mark.parametrize("text", ["字" * 20_000, "\U0001f600" * 16_000])
def test_longest_texts_fit_a_frame_of_the_wire(page: Page, site: Site, text: str) -> None:
    peer = open_room(page, site)

    page.keyboard.press("n")
    page.keyboard.insert_text(text)
    page.keyboard.press("Escape")

    (command,) = peer.wait_for_commands(1)
    assert command["data"]["text"] == text
    assert len(json.dumps(command, ensure_ascii=False).encode()) < 65_536


def test_leaving_with_unsent_marks_asks_first(page: Page, site: Site) -> None:
    peer = open_room(page, site, answers=say_nothing)
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.dismiss()))
    page.keyboard.press("a")
    peer.wait_for_commands(1)

    page.close(run_before_unload=True)

    peer.until(lambda: asked == ["beforeunload"])


def test_leaving_with_everything_saved_asks_nothing(page: Page, site: Site) -> None:
    open_room(page, site)
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    page.keyboard.press("a")
    expect_state(page, "outcome", "saved")

    page.goto(site.put("/elsewhere", "<!doctype html><title>elsewhere</title>"))

    assert asked == []
