"""Looking at earlier moments of an interview: by keys, by the slider, by a press; and nothing is fetched for it."""

from __future__ import annotations

import pytest
from django.urls import reverse
from playwright.sync_api import Page, expect

from people.models import Person
from tests.browser.conftest import Site
from tests.browser.looks import Look, each_look, faults
from tests.cast import Cast
from tests.support.pages import as_
from tests.support.played import Played

pytestmark = [pytest.mark.browser, pytest.mark.django_db]


@pytest.fixture
def played(cast: Cast) -> Played:
    return Played(cast).play()


def open_timeline(page: Page, site: Site, played: Played, person: Person) -> None:
    answer = as_(person).get(reverse("interviews:timeline", args=[played.scene.interview.code]))
    page.goto(site.put("/timeline", answer.content.decode()))
    page.get_by_role("slider").wait_for()


def test_one_walks_through_the_interview_by_keys(page: Page, site: Site, played: Played) -> None:
    open_timeline(page, site, played, played.scene.cast.ana)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    slider = page.get_by_role("slider", name="Moment")
    now = page.locator("[data-spell]:visible")
    mark = page.locator("#asked-1 .said__mark:visible")
    expect(now).to_contain_text("Question 5")
    expect(page.locator("[data-tally=asked]")).to_have_text("5")
    expect(page.locator(".player__now")).to_contain_text("11:52:00")

    slider.press("Home")
    expect(page.locator(".story > li:visible")).to_have_count(1)
    expect(now).to_have_count(0)
    page.get_by_role("heading", level=1).click()
    page.keyboard.press("j")
    expect(now).to_contain_text("Question 1")
    expect(page.locator("#asked-1")).to_have_attribute("aria-current", "step")
    expect(page.locator("#asked-1 .said:visible")).to_have_count(0)
    expect(page.locator("#live-polite")).to_contain_text("11:43:00, Question 1")

    # From entry to entry on the slider: shown to the candidate, then the mistake.
    slider.press("ArrowRight")
    expect(now).to_contain_text("Question 1")
    slider.press("ArrowRight")
    expect(now).to_contain_text("Question 2")
    expect(mark).to_have_text("Partial Depth 2")
    expect(page.locator("#asked-2 .warn")).to_be_hidden()
    expect(page.locator("[data-tally=asked]")).to_have_text("2")

    slider.press("ArrowRight")
    expect(now).to_contain_text("Question 1")
    expect(page.locator("#asked-2 .warn")).to_be_visible()
    assert requests == []


def test_going_back_and_forth_ends_where_it_began(page: Page, site: Site, played: Played) -> None:
    open_timeline(page, site, played, played.scene.cast.ana)
    slider = page.get_by_role("slider", name="Moment")
    now = page.locator("[data-spell]:visible")

    for _press in range(3):
        page.keyboard.press("k")
    expect(now).to_contain_text("Question 3")
    expect(page.locator("#asked-1 .said__mark:visible")).to_have_text("Sustained Unaided Depth 2")
    page.keyboard.press("k")
    expect(now).to_contain_text("Question 2")
    slider.press("End")
    expect(page.locator(".story > li:visible")).to_have_count(13)
    expect(page.locator(".story [aria-current]")).to_have_count(0)


def test_one_jumps_by_a_press_on_a_time_or_a_bar(page: Page, site: Site, played: Played) -> None:
    open_timeline(page, site, played, played.scene.cast.ana)

    page.locator("#asked-3 .story__at").click()
    expect(page.locator("[data-spell]:visible")).to_contain_text("Question 3")
    page.locator("svg rect[data-go='60000']").click()
    expect(page.locator("[data-spell]:visible")).to_contain_text("Question 1")
    expect(page.get_by_role("slider", name="Moment")).to_have_attribute(
        "aria-valuetext", "11:43:00, Question 1 root of data-parallel Data parallel, level 1"
    )
    page.get_by_role("button", name="The end").click()
    expect(page.locator("[data-spell]:visible")).to_contain_text("Question 5")


@each_look
def test_timeline_is_accessible_and_fits(page: Page, site: Site, played: Played, look: Look) -> None:
    ana = played.scene.cast.ana
    Person.objects.filter(pk=ana.pk).update(language=look.language)
    open_timeline(page, site, played, ana)

    assert faults(page, look) == []


def test_paper_has_the_whole_story_whatever_was_looked_at(page: Page, site: Site, played: Played) -> None:
    open_timeline(page, site, played, played.scene.cast.ana)
    page.get_by_role("slider", name="Moment").press("Home")

    page.evaluate("() => window.dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")

    expect(page.locator(".story > li:visible")).to_have_count(13)
    expect(page.get_by_role("slider", name="Moment")).to_be_hidden()
