"""How long a page waits before it comes again: never at once, never all together, ever longer, to a limit."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Site
from tests.browser.room_peer import open_room, say_nothing

pytestmark = pytest.mark.browser

CUT, RESTART = 1006, 1012


def delays(page: Page, attempt: int, code: int, chances: list[float]) -> list[int]:
    found: list[int] = page.evaluate(
        "async ([attempt, code, chances]) => { const { delay } = await import('/static/js/core/backoff.js');"
        " return chances.map((chance) => delay(attempt, code, () => chance)); }",
        [attempt, code, chances],
    )
    return found


def test_waits_are_spread_and_widest_after_a_restart(page: Page, site: Site) -> None:
    page.goto(site.put("/", "<!doctype html><title>waits</title>"))

    assert delays(page, 0, CUT, [0, 0.5, 1]) == [500, 750, 1_000]
    assert delays(page, 0, RESTART, [0, 0.5, 1]) == [500, 1_750, 3_000]
    assert delays(page, 3, RESTART, [0, 1]) == [500, 8_000]
    assert delays(page, 9, CUT, [0, 1]) == [500, 10_000]


def test_line_that_breaks_at_once_is_tried_ever_more_slowly(page: Page, site: Site) -> None:
    page.clock.install()
    peer = open_room(page, site)
    peer.answers = say_nothing
    for _ in range(3):
        count = len(peer.connections)
        peer.event("panel", "chat.post", seq=99)
        peer.until(lambda count=count: len(peer.connections) > count)  # type: ignore[misc]
        page.locator("#line[data-state=live]").wait_for()
    count = len(peer.connections)

    page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
    peer.event("panel", "chat.post", seq=99)
    peer.pass_by()
    page.clock.run_for(400)
    page.wait_for_timeout(100)  # nothing may follow; what would, comes within this

    assert len(peer.connections) == count
    page.clock.run_for(8_000)
    peer.until(lambda: len(peer.connections) > count)
