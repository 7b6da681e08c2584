"""The room's page against the real server: several people at once, a crash in the middle, a reload."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from playwright.sync_api import Browser, Page, expect

from interviews.enums import InterviewStatus
from interviews.models import Boundary, Interview, Mark, Seat
from tests.browser.rooms import OpenPage, OpenRoom, begin, browsers, enter_room, expect_saved
from tests.support.factories import Scene, make_link
from tests.support.servers import process_environment
from tests.support.web import Web, running_web, session_of_candidate

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def mark_of(seat: Seat) -> Mark:
    mark: Mark = Mark.objects.written_by(seat).get()
    return mark


def test_room_carries_a_panel_from_start_to_nothing_lost(enter: OpenRoom, scene: Scene) -> None:
    lead, bo = enter(scene.cast.ana), enter(scene.cast.bo)

    begin(lead)
    expect(bo.locator(".now__prompt:visible")).to_contain_text("What about root in data-parallel?")
    lead.keyboard.press("a")
    lead.keyboard.press("z")
    lead.keyboard.press("3")
    bo.keyboard.press("b")
    bo.keyboard.press("r")

    for part in ("outcome", "aid", "ratings"):
        expect_saved(lead, part)
    expect_saved(bo, "boundary")
    expect(bo.locator("#derived")).to_contain_text("Floor 0, ceiling 1")
    assert (mark_of(scene.ana).outcome, mark_of(scene.ana).aid, mark_of(scene.ana).depth) == ("sustained", "unaided", 3)
    assert (mark_of(scene.bo).outcome, mark_of(scene.bo).depth) == ("recited", None)
    assert Boundary.objects.written_by(scene.bo).get().ended == "recited_only"

    lead.get_by_role("button", name="End", exact=True).click()
    lead.get_by_role("button", name="End the interview").click()

    for page in (lead, bo):
        expect(page.locator("#room-status")).to_have_attribute("data-status", "ended")
        expect(page.locator("#room-alert")).to_contain_text("nothing lost")


def test_room_shows_nobody_elses_marks(enter: OpenRoom, scene: Scene) -> None:
    lead, bo, observer = enter(scene.cast.ana), enter(scene.cast.bo), enter(scene.cast.eli)
    begin(lead)

    lead.keyboard.press("f")
    expect_saved(lead)
    bo.keyboard.press("n")
    bo.keyboard.type("Only Bo writes this")
    expect_saved(bo, "note")
    lead.keyboard.press("y")
    expect(observer.locator("#asked-list [data-asked]")).to_have_count(2)

    for page in (bo, observer):
        assert page.locator("#asked-list [data-outcome]").count() == 0
    for page in (lead, observer):
        assert "Only Bo writes this" not in page.content()


def test_room_after_a_reload_is_the_room_that_was_left(enter: OpenRoom, scene: Scene) -> None:
    lead = enter(scene.cast.ana)
    begin(lead)
    for key in "ax2":
        lead.keyboard.press(key)
    lead.keyboard.press("e")
    lead.get_by_text("Built", exact=True).click()
    lead.get_by_label("What was said").fill("A scheduler for 40 nodes")
    lead.get_by_text("Volunteered", exact=True).click()
    lead.keyboard.press("Control+Enter")
    lead.keyboard.press("n")
    lead.keyboard.type("Calm.")
    lead.keyboard.press("Escape")
    lead.keyboard.press("y")
    lead.keyboard.press("d")
    lead.keyboard.press("b")
    lead.keyboard.press("t")
    for part in ("outcome", "boundary"):
        expect_saved(lead, part)
    hint_has_left_the_tree(lead)
    before = drawn(lead)

    lead.reload()
    lead.locator("#line[data-state=live]").wait_for()
    expect_saved(lead, "boundary")
    hint_has_left_the_tree(lead)

    assert drawn(lead) == before


def hint_has_left_the_tree(lead: Page) -> None:
    """Wait for the hint that knows of the ending: it is fetched by itself, a moment after what it goes by."""
    expect(lead.locator("#hint")).to_have_attribute("data-probe", re.compile("^zero-stages/"))


def drawn(page: Page) -> dict[str, str]:
    """What a person sees of the room, without clocks and presence."""
    regions: dict[str, str] = page.evaluate(
        """() => {
          for (const clock of document.querySelectorAll("[data-clock]")) clock.textContent = "";
          const regions = ["#asked-list", ".stage__now", "#next-probes", "#dock", "#shared-prompt"];
          const pressed = [...document.querySelectorAll("#dock [aria-pressed=true]")].map((one) => one.innerText);
          return Object.fromEntries([
            ["pressed", pressed.join()],
            ...regions.map((name) => [name, document.querySelector(name).innerText]),
          ]);
        }"""
    )
    return regions


def test_lead_is_handed_over_and_the_new_lead_asks(enter: OpenRoom, scene: Scene) -> None:
    lead, bo = enter(scene.cast.ana), enter(scene.cast.bo)
    begin(lead)

    lead.get_by_role("button", name="Hand over").click()
    lead.get_by_role("button", name="Bo", exact=True).click()
    expect(bo.locator("#next-list .next__press").first).to_be_visible()
    expect(lead.locator("#next-list")).to_have_count(0)
    bo.keyboard.press("y")

    expect(lead.locator("#asked-list [data-asked]")).to_have_count(2)
    expect(lead.get_by_role("button", name="Pause")).to_have_count(0)


def test_candidate_is_let_in_and_sees_what_is_shared(enter: OpenRoom, pages: OpenPage, scene: Scene, web: Web) -> None:
    lead = enter(scene.cast.ana)
    _token, link = make_link(scene.candidate)
    session = session_of_candidate(scene.candidate, link)
    candidate = pages(web.url, f"/c/room/{scene.interview.code}/", session)
    expect(candidate.get_by_role("heading", name="You are in the lobby")).to_be_visible()

    lead.get_by_role("button", name="Let the candidate in").click()
    expect(candidate.get_by_role("heading", name="You are in", exact=True)).to_be_visible()
    begin(lead)
    lead.keyboard.press("l")

    expect(candidate.get_by_text("What about root in data-parallel?")).to_be_visible()
    expect(lead.get_by_role("button", name="Stop sharing")).to_be_visible()
    lead.keyboard.press("l")
    expect(candidate.get_by_text("Nothing is shared")).to_be_visible()


@pytest.mark.long
def test_marks_made_while_the_server_was_down_arrive_once(browser: Browser, scene: Scene) -> None:
    env = process_environment(connection.settings_dict["NAME"])
    with running_web(env) as web, browsers(browser) as pages:
        lead = enter_room(pages, web, scene.interview, scene.cast.ana)
        begin(lead)
        lead.keyboard.press("a")
        expect_saved(lead)

        web.kill()
        expect(lead.locator("#line")).not_to_have_attribute("data-state", "live")
        lead.keyboard.press("x")
        lead.keyboard.press("1")
        lead.keyboard.press("s")
        expect(lead.locator("[data-save=outcome]")).to_have_attribute("data-state", "unsent")
        web.start()

        for part in ("outcome", "aid", "ratings"):
            expect(lead.locator(f"[data-save={part}]")).to_have_attribute("data-state", "saved")

    mark = mark_of(scene.ana)
    assert (mark.outcome, mark.aid, mark.depth, mark.version) == ("partial", "clarified", 1, 4)
    assert Interview.objects.get(pk=scene.interview.pk).status == InterviewStatus.LIVE


def test_own_question_is_the_panels_and_stays_after_a_reload(enter: OpenRoom, scene: Scene) -> None:
    lead, bo = enter(scene.cast.ana), enter(scene.cast.bo)
    begin(lead)

    lead.keyboard.press("+")
    lead.keyboard.type("And over a slow network?")
    lead.keyboard.press("Control+Enter")
    expect(bo.locator("#current-probe .now__prompt:not([hidden])")).to_have_text("And over a slow network?")
    bo.keyboard.press("f")
    expect_saved(bo)
    lead.keyboard.press("+")
    lead.keyboard.type("What did it cost?")
    lead.get_by_role("button", name="Keep as a follow-up").press("Enter")
    expect(lead.locator("#next-list .next__press").first).to_contain_text("What did it cost?")
    lead.get_by_role("button", name="Correct the wording").press("Enter")
    lead.keyboard.press("End")
    lead.keyboard.type(" Say why.")
    lead.keyboard.press("Control+Enter")

    expect(bo.locator("#current-probe .now__prompt:not([hidden])")).to_have_text("And over a slow network? Say why.")
    expect(bo.locator("#derived")).to_contain_text("Floor 0, ceiling 2")
    before = drawn(bo)
    bo.reload()
    bo.locator("#line[data-state=live]").wait_for()
    expect_saved(bo)
    assert drawn(bo) == before
