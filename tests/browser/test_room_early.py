"""Moments in between: pressed before the room is read, before it is on the disk, between an answer and its event."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.held import held_back, stop_clock
from tests.browser.room_peer import Peer, open_room, say_nothing
from tests.support import room_page
from tests.support.room_page import HAND, SEATS, draw

pytestmark = pytest.mark.browser


def test_key_before_the_room_was_read_is_answered_with_not_now(page: Page, site: Site) -> None:
    peer = Peer(page)
    with held_back(page, "**/js/room.js"):
        page.goto(site.put("/room", draw("interviews/room.html", room_page.context())), wait_until="commit")
        page.wait_for_function("() => customElements.get('local-time')")  # what every page has, is there
        page.keyboard.press("a")
        expect(page.locator("#live-polite")).to_have_text("Not now")

    page.locator("#line[data-state=live]").wait_for()
    page.keyboard.press("s")
    assert [one["data"]["outcome"] for one in peer.wait_for_commands(1)] == ["partial"]


def test_what_was_pressed_just_now_is_not_called_saved(page: Page, site: Site) -> None:
    open_room(page, site)
    page.keyboard.press("a")
    expect(page.locator("[data-save=outcome]")).to_have_attribute("data-state", "saved")

    state = page.evaluate(
        """async () => {
          document.querySelector("[data-field=outcome][data-value=partial]").click();
          await new Promise((drawn) => queueMicrotask(drawn));
          return document.querySelector("[data-save=outcome]").dataset.state;
        }"""
    )

    assert state == ""
    expect(page.locator("[data-save=outcome]")).to_have_attribute("data-state", "saved")


def test_pause_in_a_composition_keeps_nothing_of_it(page: Page, site: Site) -> None:
    stop_clock(page)
    peer = open_room(page, site, answers=say_nothing)
    page.keyboard.press("n")
    method = page.context.new_cdp_session(page)

    method.send("Input.imeSetComposition", {"text": "ni", "selectionStart": 2, "selectionEnd": 2})
    page.clock.run_for(2_000)
    method.send("Input.insertText", {"text": "你"})
    page.clock.run_for(700)

    assert [one["data"]["text"] for one in peer.wait_for_commands(1)] == ["你"]


def test_hand_stays_up_between_its_answer_and_its_event(page: Page, site: Site) -> None:
    def answers(peer: Peer, command: dict[str, Any]) -> None:
        peer.send({"type": "ack", "id": command["id"], "stream": "panel", "seq": peer.heads["panel"] + 1})

    def seats(hand: dict[str, str] | None) -> str:
        listed = [{**one, "hand": hand if one["seat"] == SEATS["interviewer"] else None} for one in given]
        return draw("interviews/frames/presence.html", {"seats": listed})

    given = room_page.context()["seats"]
    down = [{**one, "hand": None} for one in given]
    peer = open_room(page, site, role="interviewer", answers=answers, seats=down)
    up = page.locator("#room[data-local-hand]")

    page.keyboard.press(",")
    peer.wait_for_commands(1)
    peer.settle()
    expect(up).to_have_count(1)
    peer.event("panel", "hand.raise", html=seats(HAND))
    peer.settle()
    expect(up).to_have_count(1)
    peer.event("panel", "hand.lower", html=seats(None))
    expect(up).to_have_count(0)
