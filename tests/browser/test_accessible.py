"""axe finds nothing on the pages drawn here, in both themes and languages; nothing scrolls sideways."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import Site
from tests.browser.looks import SCHEMES, axe_faults, show_in
from tests.browser.room_peer import Peer
from tests.support import room_page
from tests.support.room_page import draw

pytestmark = pytest.mark.browser

PAGES: dict[str, tuple[str, dict[str, Any]]] = {
    "lead": ("interviews/room.html", room_page.context("lead")),
    "interviewer": ("interviews/room.html", room_page.context("interviewer")),
    "observer": ("interviews/room.html", room_page.context("observer")),
    "candidate": ("interviews/candidate_room.html", room_page.candidate_context()),
    "notice": ("interviews/candidate_notice.html", room_page.notice_context(problem="not_accepted")),
    "gone": ("interviews/candidate_gone.html", {"why": "expired"}),
    "closed": ("account/signup_closed.html", {}),
}


@pytest.mark.parametrize("name", PAGES)
def test_page_has_no_fault_that_axe_can_see(page: Page, site: Site, name: str) -> None:
    template, context = PAGES[name]
    Peer(page)
    page.goto(site.put("/page", draw(template, context)))
    page.wait_for_load_state("networkidle")

    for scheme in SCHEMES:
        show_in(page, scheme)
        assert axe_faults(page) == [], scheme


def test_room_with_everything_open_has_no_fault_that_axe_can_see(page: Page, site: Site) -> None:
    peer = Peer(page)
    page.goto(site.put("/page", draw("interviews/room.html", room_page.context("lead"))))
    page.locator("#line[data-state=live]").wait_for()
    current = {"asked": room_page.ASKED[1], "outcome": "partial", "ratings": {}, "version": 4}
    peer.answers = lambda peer, command: peer.send(
        {"type": "refused", "id": command["id"], "code": "stale", "message": "Changed.", "current": current}
    )
    page.keyboard.press("/")
    page.locator("#chat-text").blur()
    page.keyboard.press("a")
    page.locator(".conflict").wait_for()
    page.keyboard.press("b")
    show_in(page, "light")  # a button that was just pressed has a colour on its way

    assert axe_faults(page) == []


@pytest.mark.parametrize("language", ["en", "zh-hans"])
@pytest.mark.parametrize("name", ["lead", "candidate", "notice"])
def test_page_does_not_scroll_sideways(browser: Browser, site: Site, name: str, language: str) -> None:
    template, context = PAGES[name]
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    Peer(page)
    page.goto(site.put("/page", draw(template, context, language=language)))
    too_wide: dict[int, int] = {}
    for width in (1280, 900, 760, 420):
        page.set_viewport_size({"width": width, "height": 720})
        too_wide[width] = page.evaluate("() => Math.max(0, document.documentElement.scrollWidth - innerWidth)")
    page.close()

    assert too_wide == {1280: 0, 900: 0, 760: 0, 420: 0}


def test_room_fits_a_laptop_without_scrolling(browser: Browser, site: Site) -> None:
    page = browser.new_page(viewport={"width": 1280, "height": 720})
    Peer(page)
    page.goto(site.put("/page", draw("interviews/room.html", room_page.context("lead"))))
    page.locator("#line[data-state=live]").wait_for()

    assert page.evaluate("() => document.documentElement.scrollHeight") == 720
    page.close()
