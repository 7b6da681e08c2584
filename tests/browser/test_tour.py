"""The README's tour, by six people at once in browsers of their own: from an empty position to a panel scorecard.

Every step is done as the README says it, in its words; a step that no longer works is a README that no longer is true.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core.management import call_command
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from interviews.models import Event, Interview, Mark, Seat
from people.models import Person
from scoring.models import PanelScorecard
from tests.browser.steps import end_interview, hand_in, mark
from tests.cast import PASSWORD, Cast
from tests.support.factories import seats_of
from tests.support.web import Web
from tests.support.worker import until

pytestmark = [pytest.mark.browser, pytest.mark.timeout(240)]


class Crowd:
    """People with a browser each. Closing it tells what went wrong in any of them."""

    def __init__(self, browser: Browser, site: Web) -> None:
        self.browser = browser
        self.site = site
        self.faults: list[str] = []
        self.pages: list[Page] = []

    def stranger(self) -> Page:
        page = self.browser.new_context(viewport={"width": 1280, "height": 720}, locale="en-GB").new_page()
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", lambda message: self.faults.append(message.text) if message.type == "error" else None)
        self.pages.append(page)
        return page

    def person(self, person: Person) -> Page:
        page = self.stranger()
        page.goto(self.site.url)
        page.locator("#id_login").fill(person.email)
        page.locator("#id_password").fill(PASSWORD)
        page.get_by_role("button", name="Sign in").click()
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        return page

    def close(self) -> None:
        for page in self.pages:
            page.context.close()


@pytest.fixture
def crowd(browser: Browser, whole_site: Web) -> Iterator[Crowd]:
    crowd = Crowd(browser, whole_site)
    yield crowd
    crowd.close()
    assert crowd.faults == []


@pytest.fixture
def bank(whole_site: Web) -> None:
    call_command("bank", "import", "questionbank/bank", "--publish", verbosity=0)


@pytest.mark.long
def test_the_tour_reaches_a_panel_scorecard(crowd: Crowd, cast: Cast, bank: None) -> None:
    mara = crowd.person(cast.mara)
    link = set_up(mara, cast)
    kim = crowd.stranger()
    come_in(kim, link)
    ana, bo, chen, eli = [enter_room(crowd, person) for person in (cast.ana, cast.bo, cast.chen, cast.eli)]
    begin(ana, kim, eli)

    mark(ana, "a", "z", "3")
    mark(bo, "s", "x", "2")
    mark(chen, "d", "z", "1")
    assert_each_sees_their_own(ana, bo, chen, eli)
    reload_loses_nothing(bo)
    go_deeper(ana, [ana, bo, chen])
    end(ana, [bo, chen], kim)

    submit(ana, "Yes")
    expect_sealed(mara)
    submit(bo, "Strong yes")
    submit(chen, "No")
    read(mara)
    assert_streams_are_gapless()


def set_up(page: Page, cast: Cast) -> str:
    """Steps 1: a position, a candidate, an interview. Returns the candidate's link."""
    page.get_by_role("link", name="Positions").click()
    page.get_by_role("link", name="New position").click()
    page.get_by_label("Title").fill("Training engineer")
    page.get_by_label("Plan").select_option("Training systems")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="New candidate").first.click()
    page.get_by_label("Name", exact=True).fill("Kim Lindqvist")
    page.get_by_label("Claims to probe").fill("Trained a 70B model on 64 GPUs")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="New interview").first.click()
    now = timezone.localtime() + timedelta(minutes=1)
    page.get_by_label("Date", exact=True).fill(f"{now:%Y-%m-%d}")
    page.get_by_label("Time", exact=True).fill(f"{now:%H:%M}")
    page.get_by_label("Zone").fill("UTC")
    page.get_by_label("Lead").select_option(cast.ana.name)
    for person in (cast.bo, cast.chen):
        page.get_by_role("group", name="Interviewers").get_by_label(person.name).check()
    page.get_by_role("group", name="Observers").get_by_label(cast.eli.name).check()
    page.get_by_role("button", name="Make the interview").click()
    return page.get_by_label("The candidate's link").input_value()


def come_in(page: Page, link: str) -> None:
    """Step 2: the notice, the consent, the lobby."""
    page.goto(link)
    page.get_by_label("I have read this and accept it.").check()
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("heading", name="You are in the lobby")).to_be_visible()


def enter_room(crowd: Crowd, person: Person) -> Page:
    """Step 3: each finds the candidate under Interviews and opens the room."""
    page = crowd.person(person)
    page.get_by_role("link", name="Interviews").click()
    page.get_by_role("link", name="Open room").first.click()
    page.locator("#line[data-state=live]").wait_for()
    return page


def begin(lead: Page, candidate: Page, observer: Page) -> None:
    """Step 4: let the candidate in, start, ask the first question by key, share it."""
    lead.get_by_role("button", name="Let the candidate in").click()
    expect(candidate.get_by_role("heading", name="You are in", exact=True)).to_be_visible()
    lead.get_by_role("button", name="Start").click()
    expect(lead.locator("#room-status")).to_have_attribute("data-status", "live")
    lead.keyboard.press("y")
    expect(lead.locator("#current-probe")).to_have_attribute("data-probe", re.compile("^data-parallel-training/"))
    prompt = lead.locator("#current-probe .now__prompt").first.inner_text()
    expect(observer.locator("#current-probe")).to_contain_text(prompt)
    lead.keyboard.press("l")
    expect(candidate.locator("#shared-prompt")).to_contain_text(prompt)


def assert_each_sees_their_own(ana: Page, bo: Page, chen: Page, observer: Page) -> None:
    for page, outcome in ((ana, "sustained"), (bo, "partial"), (chen, "recited")):
        expect(page.locator("#asked-list [data-outcome]")).to_have_count(1)
        expect(page.locator("#asked-list [data-outcome]")).to_have_attribute("data-outcome", outcome)
    expect(observer.locator("#dock")).to_have_count(0)
    expect(observer.locator("[data-outcome]")).to_have_count(0)


def reload_loses_nothing(page: Page) -> None:
    page.reload()
    page.locator("#line[data-state=live]").wait_for()
    expect(page.get_by_role("button", name="Partial")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_role("button", name="Clarified")).to_have_attribute("aria-pressed", "true")


def go_deeper(lead: Page, markers: list[Page]) -> None:
    """Step 6: a follow-up, marked by everyone; then a boundary with its reason."""
    first = lead.locator("#current-probe").get_attribute("data-asked") or ""
    lead.keyboard.press("y")
    for page in markers:
        expect(page.locator("#dock")).not_to_have_attribute("data-asked", first)
        mark(page, "f", "z", "0")
        page.keyboard.press("b")
        page.keyboard.press("n")
        expect(page.locator("[data-save=boundary]")).to_have_attribute("data-state", "saved")
        expect(page.locator("#bound")).to_contain_text("No answer")


def end(lead: Page, others: list[Page], candidate: Page) -> None:
    """Step 7: the end, and every device's comparison with the server."""
    end_interview(lead, [lead, *others])
    expect(candidate.get_by_role("heading", name="The interview has ended")).to_be_visible()


def submit(page: Page, recommendation: str) -> None:
    """Step 8: the card, a recommendation, submitted and locked."""
    hand_in(page, recommendation, "Found the cause by halving the run, and said what it cost.")


def expect_sealed(manager: Page) -> None:
    """One card is in, two are missing: the manager reads who is missing, and no judgement."""
    application = Interview.objects.get().application
    manager.goto(f"{manager.url.split('/', 3)[0]}//{manager.url.split('/')[2]}/applications/{application.code}/panel/")
    expect(manager.get_by_text("Bo").first).to_be_visible()
    assert "Recommendation" not in manager.content()


def read(manager: Page) -> None:
    """Step 9: the first page says that all cards are in; the panel card shows values, spread and boundaries."""
    wait_for_panel()
    manager.get_by_role("link", name="Home").click()
    manager.get_by_role("link", name="Read").first.click()
    expect(manager.get_by_role("heading", name="Boundary map")).to_be_visible()
    expect(manager.get_by_role("heading", name="What the interviewers recommend")).to_be_visible()
    panel = PanelScorecard.objects.latest("number").content
    assert sorted(panel["dimensions"]) == ["depth", "hands_on", "why"]
    # Three raters each gave depth two ratings: Ana 3 and 0, Bo 2 and 0, Chen 1 (recited caps it) and 0.
    assert panel["dimensions"]["depth"]["value"] == pytest.approx(1.0)
    assert panel["dimensions"]["depth"]["raters"] == 3


def wait_for_panel() -> None:
    """Until a worker compiled the card of all three: the debounce is a second."""

    def compiled() -> bool:
        panel = PanelScorecard.objects.order_by("number").last()
        return panel is not None and len(panel.inputs["raters"]) == 3

    assert Seat.objects.filter(card_submitted_at__isnull=False).count() == 3
    until(compiled, "a worker to compile the panel card")


def assert_streams_are_gapless() -> None:
    interview = Interview.objects.get()
    streams: dict[str, list[int]] = {}
    for stream, seq in Event.objects.filter(room=interview.room_id).order_by("seq").values_list("stream", "seq"):
        streams.setdefault(stream, []).append(seq)
    assert all(seqs == list(range(1, len(seqs) + 1)) for seqs in streams.values())
    assert len(streams) == 5  # all, panel, and what each of three marked
    assert {seat.role: Mark.objects.written_by(seat).count() for seat in seats_of(interview)} == {
        "lead": 2,
        "interviewer": 2,
        "observer": 0,
        "candidate": 0,
    }
