"""What a test keeps waiting, and lets go when it has done what must come before: a request, a page's timers."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from playwright.sync_api import Page, Route

PATIENCE = 20.0  # seconds, as `expect` waits


@contextmanager
def held_back(page: Page, url: str, *, answered: bool = False) -> Iterator[None]:
    """Keep the first request to `url` back for as long as the block runs; later ones pass.

    `answered`: the server has the request, and its answer is kept from the page. The block's end waits until there is
    something to let go: Playwright tells of a request before it hands over its route.
    """
    held: list[Callable[[], None]] = []

    def hold(route: Route) -> None:
        if answered:
            answer = route.fetch()
            held.append(lambda: route.fulfill(response=answer))
        else:
            held.append(route.continue_)

    page.route(url, hold, times=1)
    yield
    until(page, lambda: bool(held), lambda: f"a request to {url}")
    held[0]()


def until(page: Page, reached: Callable[[], bool], tell: Callable[[], str]) -> None:
    """Let the page's events in until something holds on this side; `tell` says what there was instead."""
    deadline = time.monotonic() + PATIENCE
    while not reached():
        assert time.monotonic() < deadline, f"waited {PATIENCE:g} s: {tell()}"
        page.wait_for_timeout(20)  # between looks, and the only way to let its events in


def stop_clock(page: Page) -> None:
    """Let timers of the page run only when told (`page.clock.run_for`), so that what waits for one can be caught
    waiting, and no stall of the machine lets one run in the middle of what a person does in one go."""
    page.clock.install(time=0)
    page.clock.pause_at(1000)
