"""How long a page waits before it comes again: never at once, never all together, ever longer, to a limit."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Site

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
