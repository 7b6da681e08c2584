"""What a lead without a line may ask: everything while alone, else as long as nobody can have taken the lead."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Site
from tests.browser.room_peer import Peer, open_room
from tests.support.room_page import SEATS

pytestmark = pytest.mark.browser


def lose_line(page: Page, site: Site, *, here: set[str]) -> Peer:
    """A lead's room in which these were when the line went, and does not come back by itself."""
    page.clock.install()
    peer = open_room(page, site)
    seats = [{"seat": seat, "role": role, "here": role in here} for role, seat in SEATS.items()]
    peer.send({"type": "presence", "at": "2026-03-12T09:24:18Z", "seats": seats})
    page.locator(f"#seat-{SEATS['lead']}[data-local-here]").wait_for()
    peer.welcomes = False
    peer.cut()
    page.locator("#line:not([data-state=live])").wait_for()
    return peer


def test_lead_alone_walks_on_for_as_long_as_there_is_no_line(page: Page, site: Site) -> None:
    peer = lose_line(page, site, here={"lead", "shadow", "candidate"})
    page.clock.fast_forward("10:00")

    page.keyboard.press("y")
    page.keyboard.press("y")
    page.keyboard.press("d")

    expect(page.locator("#ask-unheard")).to_be_hidden()
    expect(page.locator("#asked-list [data-asked]")).to_have_count(4)
    expect(page.locator("#line-wait")).to_contain_text("3")
    peer.welcomes = True
    page.clock.fast_forward("00:20")
    sent = peer.wait_for_commands(3)
    assert [one["name"] for one in sent] == ["probe.ask", "probe.ask", "mark.set"]
    assert sent[2]["data"]["asked"] == sent[1]["id"]
    assert all(20_000 <= one["age"] < 60_000 for one in sent)


def test_lead_with_another_interviewer_asks_no_more_once_the_lead_can_be_taken(page: Page, site: Site) -> None:
    peer = lose_line(page, site, here={"lead", "interviewer"})
    said = page.locator("#ask-unheard")
    page.clock.fast_forward("00:20")
    expect(said).to_contain_text("do not see yet what you ask")
    page.keyboard.press("y")
    expect(page.locator("#asked-list [data-asked]")).to_have_count(3)

    page.clock.fast_forward("00:30")

    expect(said).to_contain_text("another interviewer may lead by now")
    expect(page.locator("#next-list .next__press").first).to_be_disabled()
    page.keyboard.press("y")
    page.keyboard.press("a")
    expect(page.locator("#asked-list [data-asked]")).to_have_count(3)
    expect(page.locator("[data-save=outcome]")).to_have_attribute("data-state", "unsent")
    peer.welcomes = True
    page.clock.fast_forward("00:20")
    expect(said).to_be_hidden()
    expect(page.locator("#next-list .next__press").first).to_be_enabled()
