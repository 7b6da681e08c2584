"""From an empty position to the candidate in the lobby, in browsers against a real web process; and what axe says."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect

from interviews.enums import InterviewStatus, Role
from interviews.models import CandidateIdentity, CandidateLink, Consent, Interview, Seat
from interviews.services.attachments import Sent, add_attachments
from people.models import Person
from tests.browser.looks import Look, each_look, faults
from tests.cast import PASSWORD, Cast, make_cast
from tests.support.factories import Scene, make_interview, make_link, make_plan, make_scene, make_tree
from tests.support.set_up_pages import make_interview_tomorrow, make_position_and_candidate
from tests.support.web import Web, session_of

pytestmark = pytest.mark.browser


@pytest.fixture
def cast(web: Web) -> Cast:
    return make_cast()


@pytest.fixture
def candidate(browser: Browser, web: Web) -> Iterator[Page]:
    """The candidate's own browser. It goes before `web` waits for its sockets to end."""
    context = browser.new_context(locale="en-GB")
    yield context.new_page()
    context.close()


def sign_in(context: BrowserContext, web: Web, person: Person) -> None:
    context.add_cookies([{"name": "sessionid", "value": session_of(person), "url": web.url}])


def test_a_manager_sets_up_and_the_candidate_comes(page: Page, candidate: Page, web: Web, cast: Cast) -> None:
    make_plan(make_tree("data-parallel"), name="Training")
    page.goto(f"{web.url}/")
    page.locator("#id_login").fill("mara@sounding.example")
    page.locator("#id_password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()

    make_position_and_candidate(page, plan="Training")
    make_interview_tomorrow(page, asks="Data parallel")
    candidate.goto(page.get_by_label("The candidate's link").input_value())
    join(candidate)

    interview = Interview.objects.get()
    assert [seat.role for seat in interview.seats.order_by("pk")] == [Role.LEAD, Role.INTERVIEWER, Role.CANDIDATE]
    assert interview.pinned.get().planned.seat.person == cast.bo
    assert CandidateLink.objects.get().joined_at is not None
    assert Consent.objects.get().seat.role == Role.CANDIDATE


def join(candidate: Page) -> None:
    candidate.get_by_label("I have read this and accept it.").check()
    candidate.get_by_role("button", name="Join").click()
    candidate.wait_for_url("**/c/room/**")


def test_the_secret_address_stays_in_its_page(candidate: Page, web: Web, cast: Cast) -> None:
    """No address but the page's own holds the token, and the form comes with the site's Origin."""
    scene = make_scene(cast)
    token, _link = make_link(scene.candidate)
    sent: list[Any] = []
    candidate.on("request", lambda request: sent.append(request))

    candidate.goto(f"{web.url}/c/{token}/")
    join(candidate)

    assert not [request.url for request in sent if token in request.all_headers().get("referer", "")]
    assert {request.url for request in sent if token in request.url} == {f"{web.url}/c/{token}/"}
    posted = next(request for request in sent if request.method == "POST")
    assert posted.all_headers()["origin"] == web.url
    assert token not in candidate.content()


def test_a_second_browser_waits_until_it_is_let_in(candidate: Page, page: Page, web: Web, cast: Cast) -> None:
    scene = make_scene(cast)
    token, link = make_link(scene.candidate)
    candidate.goto(f"{web.url}/c/{token}/")
    join(candidate)  # in, before the second one asks
    page.goto(f"{web.url}/c/{token}/")
    page.get_by_label("I have read this and accept it.").check()
    page.get_by_role("button", name="Join").click()
    expect(page.get_by_role("heading", name="Please wait")).to_be_visible()

    link.refresh_from_db()
    assert link.pending_browser is not None
    CandidateLink.objects.filter(pk=link.pk).update(browser=link.pending_browser, pending_browser=None)

    page.wait_for_url("**/c/room/**")  # the page looks again by itself


@pytest.fixture
def shown(cast: Cast) -> Scene:
    """A scene in which every page has something to show."""
    scene = make_scene(cast)
    CandidateIdentity.objects.update(accommodations="A break every 20 minutes.", extra_time_percent=25)
    scene.position.optional_trees.add(make_tree("a2a").tree)
    add_attachments(
        application=scene.application, files=[Sent("cv.pdf", b"%PDF-1")], links=["https://x.example"], written=[]
    )
    ended = make_interview(
        scene.application, lead=cast.bo, status=InterviewStatus.ENDED, ended_at=timezone.now() - timedelta(days=2)
    )
    Seat.objects.filter(interview=ended, role=Role.LEAD).update(card_owed=True)
    make_interview(scene.application, lead=cast.ana, starts_at=timezone.now() + timedelta(minutes=5))
    return scene


def addresses(scene: Scene) -> dict[Person, list[str]]:
    position, application, interview = scene.position.code, scene.application.code, scene.interview.code
    return {
        scene.cast.mara: [
            "/",
            "/positions/",
            "/positions/new/",
            f"/positions/{position}/",
            f"/positions/{position}/applications/new/",
            f"/applications/{application}/",
            f"/applications/{application}/edit/",
            f"/applications/{application}/interviews/new/",
            f"/interviews/{interview}/",
            f"/interviews/{interview}/move/",
            f"/interviews/{interview}/seats/",
        ],
        scene.cast.ana: ["/", "/interviews/", f"/interviews/{interview}/prepare/"],
        scene.cast.ada: ["/people/", f"/people/{scene.cast.bo.code}/", "/preferences/"],
    }


@each_look
def test_pages_have_no_fault_that_axe_can_see_and_do_not_scroll_sideways(
    browser: Browser, web: Web, shown: Scene, look: Look
) -> None:
    found: dict[str, list[str]] = {}
    for person, pages in addresses(shown).items():
        context = browser.new_context()
        sign_in(context, web, person)
        context.add_cookies([{"name": "django_language", "value": look.language, "url": web.url}])
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda message, said=said: said.append(message.text) if message.type == "error" else None)
        for address in pages:
            page.goto(web.url + address)
            if problems := [*faults(page, look), *said]:
                found[address] = problems
            said.clear()
        context.close()

    assert found == {}
