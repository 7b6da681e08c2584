"""A debrief from gathering to a decision: three people, three browsers, keyboard only where something is said."""

from __future__ import annotations

import os

import pytest
from playwright.sync_api import Browser, Page, expect

from scoring.models import Debrief, DebriefDecision
from scoring.services.debriefs import open_debrief
from tests.browser.looks import SCHEMES, axe_faults, show_in
from tests.cast import make_cast
from tests.support.debriefs import all_in
from tests.support.factories import Scene
from tests.support.web import Web, session_of

pytestmark = pytest.mark.browser


@pytest.fixture
def scene(web: Web) -> Scene:
    scene = all_in(make_cast())
    open_debrief(application=scene.application, by=scene.cast.mara)
    return scene


def open_as(browser: Browser, web: Web, scene: Scene, who: str) -> Page:
    context = browser.new_context(viewport={"width": 1280, "height": 900}, locale="en-GB")
    context.add_cookies([{"name": "sessionid", "value": session_of(getattr(scene.cast, who)), "url": web.url}])
    page = context.new_page()
    page.goto(f"{web.url}/applications/{scene.application.code}/debrief/")
    expect(page.locator("#debrief-line")).to_have_attribute("data-state", "live")
    return page


def test_panel_reads_votes_talks_and_the_manager_decides(browser: Browser, web: Web, scene: Scene) -> None:
    pages = mara, ana, bo = [open_as(browser, web, scene, who) for who in ("mara", "ana", "bo")]
    try:
        expect(mara.locator("#debrief-people [data-local-here]")).to_have_count(3)
        read_and_vote(mara, ana, bo)
        mara.get_by_role("button", name="Close the vote and show it").press("Enter")
        for page in pages:
            row = page.get_by_role("row", name="Ana")
            expect(row).to_contain_text("Yes")
            expect(row).to_contain_text("Strong no changed")
            expect(row).to_contain_text("Bo heard what I did not.")
        talk_and_decide(mara, ana, bo)
        for scheme in SCHEMES:
            show_in(mara, scheme)
            assert axe_faults(mara) == [], scheme
        mara.goto(f"{web.url}/applications/{scene.application.code}/ledger/")
        expect(mara.get_by_text("saw the votes of Ana")).to_have_count(2)  # Mara and Bo were there
        look(mara, "ledger")
        assert axe_faults(mara) == []
    finally:
        for page in pages:
            page.context.close()
    assert DebriefDecision.objects.get().decision == "offer"
    assert Debrief.objects.get().phase == "decided"


def read_and_vote(mara: Page, ana: Page, bo: Page) -> None:
    """By keyboard: the manager's buttons; Ana goes into the choice, to "No", on to the reason, and to the button."""
    mara.get_by_role("button", name="Begin the reading").press("Enter")
    expect(ana.locator("[aria-current=step]")).to_have_text("Reading in silence")
    expect(ana.locator("#live-polite")).to_contain_text("Read in silence now.")
    expect(mara.get_by_role("heading", name="Where the debrief stands")).to_be_focused()
    mara.get_by_role("button", name="Go on to the vote").press("Enter")

    ana.get_by_role("radio", name="No", exact=True).press("Space")
    ana.keyboard.press("Tab")
    ana.keyboard.type("Bo heard what I did not.")
    ana.keyboard.press("Tab")
    ana.keyboard.press("Enter")
    expect(ana.get_by_text("Your second vote is kept: No.")).to_be_visible()
    expect(mara.get_by_text("Have voted: Ana")).to_be_visible()
    expect(bo.locator("#debrief-votes")).to_contain_text("Sealed until the second vote is closed.")
    ana.get_by_text("Strong no", exact=True).click()
    ana.get_by_role("button", name="Vote").click()
    expect(ana.get_by_text("Your second vote is kept: Strong no.")).to_be_visible()
    look(ana, "voting")


def talk_and_decide(mara: Page, ana: Page, bo: Page) -> None:
    bo.get_by_role("textbox", name="Note").fill("We differ on depth.")
    bo.get_by_role("button", name="Add the note").press("Enter")
    expect(ana.locator("#debrief-notes")).to_contain_text("We differ on depth.")
    expect(bo.get_by_role("textbox", name="Note")).to_have_value("")
    mara.get_by_role("textbox", name="Rationale").fill("Grows fast.")
    mara.get_by_role("button", name="Decide").click()  # says what is missing, and sends nothing
    expect(mara.locator("#live-assertive")).to_contain_text("Choose one first.")
    mara.get_by_text("Make an offer", exact=True).click()
    mara.get_by_role("button", name="Decide").press("Enter")
    for page in (ana, bo):
        expect(page.locator("#debrief-decisions")).to_contain_text("Grows fast.")
    look(mara, "decided")


def look(page: Page, name: str) -> None:
    folder = os.environ.get("LOOKS")
    for scheme in SCHEMES if folder else ():
        show_in(page, scheme)
        for width in (1280, 420):
            page.set_viewport_size({"width": width, "height": 900})
            page.screenshot(path=f"{folder}/debrief-{name}-{scheme}-{width}.png", full_page=True)
        page.set_viewport_size({"width": 1280, "height": 900})
