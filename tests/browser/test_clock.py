"""The page's clocks: what counts as sleep when the server says its time, and what is only a slow line."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Site

pytestmark = pytest.mark.browser

# Each word of the server, as how far (ms) it is from the first one carried on; a number beside it sets the date on.
HEAR = """async (words) => {
  const { ageOf, hearTime, serverNow, stamp } = await import("/static/js/platform/clock.js");
  const start = Date.now() - performance.now();
  const now = Date.now;
  let jumped = 0;
  Date.now = () => now() + jumped;
  const made = stamp();
  for (const [off, jump = 0] of words) {
    jumped += jump;
    hearTime(start + performance.now() + off);
  }
  const off = serverNow() - start - performance.now();
  return [ageOf(made), off].map((one) => Math.round(one / 1000));
}"""


@pytest.mark.parametrize(
    ("words", "age", "off"),
    [
        ([[0], [-30_000], [0]], 0, 0),  # one frame was late
        ([[0], [3_600_000, 3_600_000]], 3600, 3600),  # slept
        ([[0], [-30_000, 60_000], [60_000]], 60, 60),  # slept, and the first frame behind it was late
        ([[0], [-30_000, -60_000], [0]], 0, 0),  # the date was set, and a frame was late
        ([[0], [-30_000, -60_000]], 0, -30),  # the date was set back, and the server's with it
    ],
    ids=["late", "slept", "late after sleep", "late after date was set", "set back"],
)
def test_age_grows_by_sleep_and_not_by_a_late_frame(
    page: Page, site: Site, words: list[Any], age: int, off: int
) -> None:
    page.goto(site.put("/", "<!doctype html><title>clock</title>"))

    assert page.evaluate(HEAR, words) == [age, off]
