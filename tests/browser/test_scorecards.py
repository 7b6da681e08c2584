"""A card from its first word to the panel's page, in a browser against a real web process."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from interviews.enums import InterviewStatus
from interviews.models import Seat
from people.models import Person
from scoring.models import Revision
from scoring.queries.cards import working_card
from scoring.services.panels import compile_application
from scoring.services.scorecards import save_draft
from tests.browser.held import held_back, stop_clock
from tests.browser.looks import SCHEMES, axe_faults, show_in
from tests.cast import make_cast
from tests.support.factories import Scene, make_scene
from tests.support.judging import judged_scene, submit
from tests.support.web import Web, session_of

pytestmark = pytest.mark.browser


@pytest.fixture
def scene(web: Web) -> Scene:
    scene = make_scene(make_cast(), status=InterviewStatus.LIVE)
    judged_scene(scene)
    return scene


def sign_in(context: BrowserContext, web: Web, person: Person) -> None:
    context.add_cookies([{"name": "sessionid", "value": session_of(person), "url": web.url}])


def open_card(page: Page, web: Web, seat: Seat) -> None:
    page.goto(f"{web.url}/cards/{seat.code}/")


def test_card_is_saved_as_typed_and_submitted_from_the_keyboard(
    page: Page, context: BrowserContext, web: Web, scene: Scene
) -> None:
    sign_in(context, web, scene.cast.ana)
    open_card(page, web, scene.ana)

    page.get_by_role("textbox", name="Summary").fill("Finds causes")
    expect(page.locator("[data-save=card]")).to_have_attribute("data-state", "saved")
    page.get_by_role("textbox", name="Summary").press_sequentially(" and counts.")
    expect(page.locator("[data-save=card]")).to_have_attribute("data-state", "saved")
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("3")
    expect(page.get_by_role("radio", name="Yes", exact=True)).to_be_checked()
    expect(page.locator("[data-save=card]")).to_have_attribute("data-state", "saved")
    page.reload()
    expect(page.get_by_role("textbox", name="Summary")).to_have_value("Finds causes and counts.")
    expect(page.get_by_role("radio", name="Yes", exact=True)).to_be_checked()
    page.keyboard.press("Control+Enter")

    expect(page.get_by_text("Your card is submitted and locked.")).to_be_visible()
    revision = Revision.objects.written_by(scene.ana).get()
    assert (revision.recommendation, revision.summary.body) == ("yes", "Finds causes and counts.")


def test_two_windows_submit_once_and_lose_no_word(context: BrowserContext, web: Web, scene: Scene) -> None:
    sign_in(context, web, scene.cast.ana)
    # Not the page that fails on what the browser notes of a refusal: both are refused here.
    page, other = context.new_page(), context.new_page()
    for window in (page, other):
        open_card(window, web, scene.ana)
        window.get_by_text("Yes", exact=True).wait_for()

    page.get_by_role("textbox", name="Summary").fill("From the first window.")
    expect(page.locator("[data-save=card]")).to_have_attribute("data-state", "saved")
    other.get_by_role("textbox", name="Summary").fill("From the second window.")
    expect(other.locator("[data-save=card]")).to_have_attribute("data-state", "stale")
    expect(other.get_by_text("This card was changed in another window.")).to_be_visible()
    expect(other.get_by_role("textbox", name="Summary")).to_have_value("From the second window.")
    expect(other.locator("#card-saved")).to_contain_text("From the first window.")
    other.get_by_role("button", name="Keep what stands here").click()
    expect(other.locator("[data-save=card]")).to_have_attribute("data-state", "saved")
    page.get_by_text("Yes", exact=True).click()
    expect(page.locator("[data-save=card]")).to_have_attribute("data-state", "stale")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_role("alert").first).to_contain_text("changed in another window")
    expect(page.locator("#card-form .notice")).to_contain_text("From the second window.")
    expect(page.get_by_role("textbox", name="Summary")).to_have_value("From the first window.")
    page.get_by_role("button", name="Submit").click()
    expect(page.get_by_text("Your card is submitted and locked.")).to_be_visible()
    other.get_by_role("button", name="Submit").click()

    expect(other.get_by_text("This card is submitted. It changes only by an amendment.")).to_be_visible()
    expect(other.get_by_role("region", name="What you typed here")).to_contain_text("From the second window.")
    other.close()
    assert Revision.objects.written_by(scene.ana).count() == 1
    assert working_card(scene.ana).summary.body == "From the first window."


def test_submitting_waits_for_the_save_that_is_under_way(
    page: Page, context: BrowserContext, web: Web, scene: Scene
) -> None:
    save_draft(seat=scene.ana, version=0, summary="Counts.", recommendation=None, reason="")
    sign_in(context, web, scene.cast.ana)
    open_card(page, web, scene.ana)
    stop_clock(page)

    with held_back(page, "**/draft", answered=True):  # the server has saved, and made a new version
        page.get_by_text("No", exact=True).click()
        page.clock.run_for(100)
        expect(page.locator("[data-save=card]")).to_have_attribute("data-state", "sent")
        page.get_by_role("button", name="Submit").click()

    expect(page.get_by_text("Your card is submitted and locked.")).to_be_visible()
    assert Revision.objects.written_by(scene.ana).get().recommendation == "no"


def test_a_mark_is_corrected_from_the_card_and_amended_after_it(
    page: Page, context: BrowserContext, web: Web, scene: Scene
) -> None:
    sign_in(context, web, scene.cast.ana)
    open_card(page, web, scene.ana)

    # In the room, at the question, by the room's own command.
    page.get_by_text("Depth: probes, notes and evidence").click()
    page.get_by_role("link", name=re.compile("Correct the mark of “l2")).first.click()
    expect(page.locator("#looked-probe, #current-probe").locator("visible=true").first).to_contain_text("l2")
    page.locator("[data-command='mark.set'][data-value='recited']").click()
    expect(page.locator("[data-save=outcome]")).to_have_attribute("data-state", "saved")
    page.get_by_role("link", name="My scorecard").first.click()
    expect(page.get_by_role("row", name="Depth")).to_contain_text("2.8")
    page.wait_for_load_state()  # or what is typed comes before the script that saves it
    page.get_by_role("textbox", name="Summary").fill("Has run it.")
    page.get_by_text("Yes", exact=True).click()
    expect(page.locator("[data-save=card]")).to_have_attribute("data-state", "saved")
    page.get_by_role("button", name="Submit").click()

    page.get_by_role("button", name="Amend").click()
    expect(page.get_by_role("heading", name="What this amendment moves")).to_be_visible()
    page.wait_for_load_state()
    page.get_by_role("textbox", name="Why you amend it").fill("Too kind.")
    page.get_by_text("No", exact=True).click()
    expect(page.locator("[data-save=card]")).to_have_attribute("data-state", "saved")
    for scheme in SCHEMES:
        show_in(page, scheme)
        assert axe_faults(page) == [], scheme
    page.keyboard.press("Control+Enter")

    expect(page.get_by_text("Your amendment is in.")).to_be_visible()
    expect(page.get_by_role("region", name="Revisions")).to_contain_text("Too kind.")
    numbers = Revision.objects.written_by(scene.ana).order_by("number").values_list("number", "recommendation")
    assert list(numbers) == [(1, "yes"), (2, "no")]


def test_typing_on_while_a_save_is_under_way_loses_nothing(
    page: Page, context: BrowserContext, web: Web, scene: Scene
) -> None:
    """The save that waits builds on the version that the one before it made, not on the one it was drawn with."""
    sign_in(context, web, scene.cast.ana)
    open_card(page, web, scene.ana)
    stop_clock(page)
    summary = page.get_by_role("textbox", name="Summary")

    with (
        page.expect_response(lambda response: "causes" in (response.request.post_data or "")) as second,
        held_back(page, "**/draft"),
    ):
        summary.fill("Finds")
        page.clock.run_for(1000)
        expect(page.locator("[data-save=card]")).to_have_attribute("data-state", "sent")
        summary.fill("Finds causes")
        page.clock.run_for(1000)

    assert second.value.status == 200
    expect(page.locator("[data-save=card]")).to_have_attribute("data-state", "saved")
    page.reload()
    expect(summary).to_have_value("Finds causes")


def test_manager_reads_the_panel_card_when_the_last_card_is_in(
    page: Page, context: BrowserContext, web: Web, scene: Scene
) -> None:
    sign_in(context, web, scene.cast.mara)
    submit(scene.ana)
    submit(scene.bo)
    page.goto(f"{web.url}/applications/{scene.application.code}/panel/")
    expect(page.get_by_text("Chen has not submitted a card yet.")).to_be_visible()
    submit(scene.chen)
    page.reload()
    expect(page.get_by_text("The cards are being put together.")).to_be_visible()

    compile_application(scene.application.pk)

    expect(page.get_by_role("img", name="Boundary map")).to_be_visible()
    expect(page.get_by_text("Depth: raw 2.40 (Ana 3.2, Bo 1.7, Chen 2.3).").last).to_be_visible()


def test_card_and_panel_have_no_accessibility_fault(
    page: Page, context: BrowserContext, web: Web, scene: Scene
) -> None:
    for seat in (scene.ana, scene.bo, scene.chen):
        submit(seat)
    compile_application(scene.application.pk)
    sign_in(context, web, scene.cast.ana)

    for address in (f"/cards/{scene.bo.code}/", f"/applications/{scene.application.code}/panel/"):
        page.goto(web.url + address)
        page.locator("details").first.wait_for()
        for details in page.locator("details").all():
            details.evaluate("details => { details.open = true; }")
        for scheme in SCHEMES:
            show_in(page, scheme)
            assert axe_faults(page) == [], (address, scheme)
