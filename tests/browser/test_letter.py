"""The letter to a candidate in a browser: edited, copied, sent after a question, readable in both themes."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from interviews.models import CandidateIdentity
from scoring.models import FeedbackLetter
from tests.browser.looks import SCHEMES, WIDTHS, axe_faults, show_in
from tests.cast import make_cast
from tests.support.panel_page import hand_in_all, make_judged_scene
from tests.support.web import Web, session_of

pytestmark = pytest.mark.browser


def test_manager_edits_copies_and_sends_the_letter(page: Page, context: BrowserContext, web: Web) -> None:
    scene = hand_in_all(make_judged_scene(make_cast()))
    CandidateIdentity.objects.update(email="kim@candidates.example")
    context.add_cookies([{"name": "sessionid", "value": session_of(scene.cast.mara), "url": web.url}])
    context.grant_permissions(["clipboard-read", "clipboard-write"], origin=web.url)
    page.goto(f"{web.url}/applications/{scene.application.code}/")
    page.get_by_role("link", name="Letter to the candidate").click()

    letter = page.get_by_role("textbox", name="Letter")
    expect(letter).to_be_visible()
    page.wait_for_load_state()  # what axe looks at is all there, and the script that copies
    faults = []
    for scheme in SCHEMES:
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            show_in(page, scheme)
            faults += axe_faults(page)
            if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
                faults.append(f"wider than {width}")
    assert faults == []

    letter.fill("Dear Kim,\nwell done.")
    page.get_by_role("button", name="Copy").click()
    expect(page.get_by_role("status")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == "Dear Kim,\nwell done."
    page.get_by_role("button", name="Send by e-mail").click()
    dialog = page.get_by_role("dialog", name="Send the letter")
    expect(dialog).to_contain_text("It goes to kim@candidates.example")
    dialog.get_by_role("button", name="Send", exact=True).click()

    expect(page.get_by_text("The letter is on its way.")).to_be_visible()
    sent = FeedbackLetter.objects.get()
    assert (sent.text.body, sent.queued_at is None) == ("Dear Kim,\nwell done.", False)
