"""A manager's pages in a browser, from the first one to an interview with a candidate's link."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from playwright.sync_api import Page, expect


def make_position_and_candidate(page: Page, *, plan: str) -> None:
    page.get_by_role("link", name="Positions").click()
    page.get_by_role("link", name="New position").click()
    page.get_by_label("Title").fill("Training engineer")
    page.get_by_label("Plan").select_option(plan)
    page.get_by_role("button", name="Save").click()

    page.get_by_role("link", name="New candidate").first.click()
    page.get_by_label("Name", exact=True).fill("Lin Wei")
    page.get_by_label("Claims to probe").fill("Trained a 70B model")
    page.get_by_label("Résumé and other files").set_input_files(
        {"name": "cv.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4 words"}
    )
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("link", name="cv.pdf")).to_be_visible()


def make_interview_tomorrow(page: Page, *, asks: str) -> None:
    page.get_by_role("link", name="New interview").first.click()
    tomorrow = timezone.localdate() + timedelta(days=1)
    page.get_by_label("Date", exact=True).fill(tomorrow.isoformat())
    page.get_by_label("Time", exact=True).fill("10:00")
    page.get_by_label("Lead").select_option("Ana")
    page.get_by_role("group", name="Interviewers").get_by_label("Bo").check()
    page.get_by_label(f"Who asks {asks}").select_option("Bo")
    page.get_by_role("button", name="Make the interview").click()
