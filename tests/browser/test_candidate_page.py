"""What the candidate sees: the lobby, what is shared, the clock; and nothing of the panel."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.held import stop_clock
from tests.browser.room_peer import Peer
from tests.support import room_page
from tests.support.room_page import draw

pytestmark = pytest.mark.browser


def open_page(page: Page, site: Site, **context: Any) -> Peer:
    peer = Peer(page)
    page.goto(site.put("/c", draw("interviews/candidate_room.html", room_page.candidate_context(**context))))
    page.locator("#line[data-state=live]").wait_for()
    return peer


def test_candidate_waits_in_the_lobby_until_let_in(page: Page, site: Site) -> None:
    peer = open_page(page, site, admitted=False, status="scheduled")
    expect(page.get_by_role("heading", name="You are in the lobby")).to_be_visible()

    peer.heads["all"] = 0
    peer.event("all", "candidate.admit")

    expect(page.get_by_role("heading", name="You are in", exact=True)).to_be_visible()


def test_candidate_sees_what_is_shared_and_the_clock(page: Page, site: Site) -> None:
    stop_clock(page)
    peer = open_page(page, site)
    expect(page.get_by_text("Nothing is shared")).to_be_visible()
    shared = {"asked": "", "text": "What does each stage split?", "lang": "en"}

    peer.event("all", "prompt.share", html=draw("interviews/frames/shared_prompt.html", {"shared": shared}))

    expect(page.get_by_text("What does each stage split?")).to_be_visible()
    expect(page.locator("[data-clock=elapsed]")).to_have_text("24:18")


def test_candidate_hears_the_stream_of_all_only(page: Page, site: Site) -> None:
    peer = open_page(page, site)

    assert peer.connections == [{"as": "candidate", "v": "1", "epoch": "1", "all": "1"}]


def test_candidate_answers_pings_and_sends_nothing_else(page: Page, site: Site) -> None:
    peer = open_page(page, site)

    peer.send({"type": "ping", "heads": {"all": 1}})
    page.keyboard.press("a")

    peer.until(lambda: bool(peer.pongs))
    assert (peer.pongs[0]["heads"], peer.pongs[0]["outbox"], peer.commands) == ({"all": 1}, 0, [])


def test_candidate_whose_link_was_taken_over_is_told(page: Page, site: Site) -> None:
    peer = open_page(page, site)

    peer.cut(4403)

    expect(page.get_by_role("heading", name="This page is closed")).to_be_visible()


def test_notice_cannot_be_sent_without_consent(page: Page, site: Site) -> None:
    page.goto(site.put("/notice", draw("interviews/candidate_notice.html", room_page.notice_context())))

    page.get_by_role("button", name="Join").click()

    assert page.url.endswith("/notice")
    assert page.evaluate("() => document.querySelector('#accept').validity.valueMissing")
    expect(page.get_by_text("no sound and no picture")).to_be_visible()
    expect(page.locator("local-time")).to_contain_text("09:00 UTC")  # the time in the browser's zone, with its name
