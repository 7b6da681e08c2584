"""What people do again and again in a room and after it, in a browser of theirs, by the words of the pages."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import Page, expect


def mark(page: Page, *keys: str) -> None:
    """Outcome, help and rating by key, until the server has all three."""
    expect(page.locator("#dock")).not_to_have_attribute("data-asked", "")
    for key in keys:
        page.keyboard.press(key)
    for part in ("outcome", "aid", "ratings"):
        expect(page.locator(f"[data-save={part}]")).to_have_attribute("data-state", "saved")


def end_interview(lead: Page, judges: Sequence[Page]) -> None:
    """The lead ends it; every judge's device compares itself with the server."""
    lead.get_by_role("button", name="End", exact=True).click()
    lead.get_by_role("button", name="End the interview").click()
    for page in judges:
        expect(page.get_by_text("Compared with the server: nothing lost.")).to_be_visible()
        page.get_by_role("button", name="Good").click()


def hand_in(page: Page, recommendation: str, summary: str) -> None:
    """From the room to one's own card, submitted and locked."""
    page.get_by_role("link", name="My scorecard").click()
    page.get_by_role("textbox", name="Summary").fill(summary)
    page.get_by_text(recommendation, exact=True).click()
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Your card is submitted and locked.")).to_be_visible()
