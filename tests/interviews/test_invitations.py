"""The candidate's link: opening changes nothing, joining binds one browser, a second one waits."""

from __future__ import annotations

import hashlib
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from interviews.enums import InterviewStatus
from interviews.models import CandidateIdentity, CandidateLink, Consent, Event, Interview, Seat
from interviews.queries.links import Browser, LinkState, candidate_seat, find_link
from interviews.rules.notice import NOTICE
from interviews.services.acting import perform
from interviews.services.conduct import admit_candidate
from interviews.services.invitations import LinkClosed, NoLinkNow, join, reissue_link, revoke_link
from people.models import AuditEntry
from tests.cast import Cast
from tests.support.factories import Scene, make_interview, make_link, make_scene

pytestmark = pytest.mark.db


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return make_scene(cast, consented=False)


def address(token: str) -> str:
    return reverse("interviews:candidate-link", args=[token])


def accept(browser: Client, token: str) -> Any:
    return browser.post(address(token), {"accept": NOTICE})


def everything() -> list[Any]:
    """What a link could change."""
    return [
        list(CandidateLink.objects.order_by("pk").values()),
        list(Consent.objects.values()),
        list(Event.objects.values()),
        list(Seat.objects.order_by("pk").values()),
    ]


# --- making -----------------------------------------------------------------------------------------------------------


def test_reissue_keeps_only_the_hash_and_withdraws_the_link_before(scene: Scene) -> None:
    first = reissue_link(seat=scene.candidate, by=scene.cast.mara)
    Seat.objects.filter(pk=scene.candidate.pk).update(admitted_at=timezone.now())

    second = reissue_link(seat=scene.candidate, by=scene.cast.mara)

    assert len(second) >= 43
    assert find_link(first)[0] == LinkState.WITHDRAWN
    assert find_link(second)[0] == LinkState.OPEN
    link = CandidateLink.objects.get(revoked_at__isnull=True)
    assert link.token_hash == hashlib.sha256(second.encode()).hexdigest()
    assert link.issued_by == scene.cast.mara
    assert Seat.objects.get(pk=scene.candidate.pk).admitted_at is None  # who comes by the new one is let in anew
    kept = str(list(CandidateLink.objects.values())) + str(list(AuditEntry.objects.values()))
    assert first not in kept
    assert second not in kept


def test_links_differ(scene: Scene) -> None:
    assert len({reissue_link(seat=scene.candidate, by=scene.cast.mara) for _ in range(5)}) == 5


def test_reissue_is_refused_when_no_link_can_lead_anywhere(cast: Cast) -> None:
    ended = make_scene(cast, status=InterviewStatus.ENDED)
    with pytest.raises(NoLinkNow):
        reissue_link(seat=ended.candidate, by=cast.mara)

    Interview.objects.filter(pk=ended.interview.pk).update(
        status="scheduled", ended_at=None, starts_at=timezone.now() - timedelta(days=3)
    )
    with pytest.raises(NoLinkNow, match="Move"):
        reissue_link(seat=ended.candidate, by=cast.mara)


def test_revoke_leaves_no_link(scene: Scene) -> None:
    token, _link = make_link(scene.candidate)

    revoke_link(seat=scene.candidate, by=scene.cast.mara)

    assert find_link(token)[0] == LinkState.WITHDRAWN
    assert AuditEntry.objects.filter(action="link.revoked").count() == 1


# --- opening ----------------------------------------------------------------------------------------------------------


def test_opening_shows_the_notice_and_changes_nothing(client: Client, scene: Scene) -> None:
    token, _link = make_link(scene.candidate)
    before = everything()

    page = client.get(address(token))
    client.head(address(token))

    assert page.status_code == 200
    assert everything() == before
    assert "sessionid" not in client.cookies
    box = BeautifulSoup(page.content, "html.parser").select_one("input[name=accept]")
    assert (box["type"], box["value"], box.has_attr("required"), box.has_attr("checked")) == (
        "checkbox",
        NOTICE,
        True,
        False,
    )


def test_opening_lets_the_address_go_nowhere(client: Client, scene: Scene) -> None:
    token, _link = make_link(scene.candidate)

    for answer in (client.get(address(token)), client.get(address("forged")), client.post(address(token))):
        assert answer["Referrer-Policy"] == "strict-origin"
        assert "no-store" in answer["Cache-Control"]
        assert answer["X-Robots-Tag"] == "noindex"


def test_opening_speaks_the_candidates_language_unless_the_browser_chose(client: Client, scene: Scene) -> None:
    CandidateIdentity.objects.update(language="zh-hans")
    token, _link = make_link(scene.candidate)

    assert client.get(address(token))["Content-Language"] == "zh-hans"
    client.cookies["django_language"] = "en"
    assert client.get(address(token))["Content-Language"] == "en"


def test_forged_and_unknown_links_get_one_answer(client: Client, scene: Scene) -> None:
    token, _link = make_link(scene.candidate)
    before = everything()

    answers = [client.get(address(t)) for t in ("x", token + "x", token[:-1], "ü" * 80, "a" * 300)]
    answers += [accept(client, "x")]

    assert {answer.status_code for answer in answers} == {404}
    bodies = {str(BeautifulSoup(answer.content, "html.parser").main) for answer in answers}
    assert len(bodies) == 1
    assert everything() == before


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"expires_at": datetime(2020, 1, 1, tzinfo=UTC)}, "The time of this link is past"),
        ({"revoked_at": datetime(2020, 1, 1, tzinfo=UTC)}, "replaced or withdrawn"),
    ],
)
def test_a_closed_link_says_why_and_changes_nothing(
    client: Client, scene: Scene, change: dict[str, Any], words: str
) -> None:
    token, link = make_link(scene.candidate, **change)
    before = everything()

    shown, joined = client.get(address(token)), accept(client, token)

    assert (shown.status_code, joined.status_code) == (410, 410)
    assert words in shown.content.decode()
    assert everything() == before
    with pytest.raises(LinkClosed):
        join(link=link, browser=uuid.uuid4(), language="en")


@pytest.mark.parametrize(
    ("status", "state"), [(InterviewStatus.ENDED, LinkState.OVER), (InterviewStatus.CANCELLED, LinkState.WITHDRAWN)]
)
def test_a_link_to_an_interview_that_is_over_opens_nothing(
    client: Client, cast: Cast, status: InterviewStatus, state: LinkState
) -> None:
    scene = make_scene(cast, status=status)
    token, _link = make_link(scene.candidate)

    assert find_link(token)[0] == state
    assert client.get(address(token)).status_code == 410


# --- joining ----------------------------------------------------------------------------------------------------------


def test_joining_needs_the_consent(client: Client, scene: Scene) -> None:
    token, _link = make_link(scene.candidate)
    before = everything()

    for sent in ({}, {"accept": "an-older-notice"}):
        answer = client.post(address(token), sent)
        assert answer.status_code == 422
        assert "Tick the box" in answer.content.decode()

    assert everything() == before


def test_joining_records_the_consent_and_sets_the_session_for_that_seat(client: Client, scene: Scene) -> None:
    token, link = make_link(scene.candidate)

    answer = accept(client, token)

    code = scene.interview.code
    assert answer.status_code == 302
    assert answer["Location"] == reverse("interviews:candidate-room", args=[code])
    assert token not in answer["Location"]
    link.refresh_from_db()
    assert link.joined_at is not None
    assert client.session["candidate"] == {
        str(code): {"seat": scene.candidate.pk, "link": link.pk, "browser": str(link.browser)}
    }
    consent = Consent.objects.get()
    assert (consent.seat, consent.notice, consent.language) == (scene.candidate, NOTICE, "en")
    event = Event.objects.get()
    assert (event.stream, event.name, event.seat, event.data) == (
        "panel",
        "candidate.wait",
        scene.candidate,
        {"second": False},
    )
    found = candidate_seat(client.session, code)
    assert found is not None
    assert (found.seat_id, found.browser) == (scene.candidate.pk, Browser.JOINED)


def test_joining_again_from_the_same_browser_is_the_same(client: Client, scene: Scene) -> None:
    token, link = make_link(scene.candidate)
    accept(client, token)
    browser = CandidateLink.objects.get().browser

    answer = accept(client, token)

    link.refresh_from_db()
    assert answer["Location"].startswith("/c/room/")
    assert (link.browser, link.pending_browser) == (browser, None)
    assert Consent.objects.count() == 1


def test_joining_is_not_for_those_who_are_signed_in(client: Client, scene: Scene) -> None:
    """A manager who tries the link would take the candidate's seat in their own session."""
    token, _link = make_link(scene.candidate)
    client.force_login(scene.cast.mara)
    before = everything()

    shown, answer = client.get(address(token)), accept(client, token)

    assert (shown.status_code, answer.status_code) == (200, 409)
    assert "private window" in answer.content.decode()
    assert b'name="accept"' not in shown.content
    assert everything() == before
    assert "candidate" not in client.session


def test_joining_is_protected_against_forged_forms(scene: Scene) -> None:
    token, _link = make_link(scene.candidate)
    before = everything()

    assert accept(Client(enforce_csrf_checks=True), token).status_code == 403

    assert everything() == before


def test_one_browser_may_sit_in_several_interviews(client: Client, cast: Cast) -> None:
    first, second = make_scene(cast), make_scene(cast, trees=("third-tree",))
    for scene in (first, second):
        accept(client, make_link(scene.candidate)[0])

    for scene in (first, second):
        found = candidate_seat(client.session, scene.interview.code)
        assert found is not None
        assert found.seat_id == scene.candidate.pk


# --- a second browser -------------------------------------------------------------------------------------------------


def test_a_second_browser_waits_and_the_first_stays(scene: Scene) -> None:
    token, link = make_link(scene.candidate)
    first, second, code = Client(), Client(), scene.interview.code
    accept(first, token)

    answer = accept(second, token)

    assert answer["Location"] == reverse("interviews:candidate-wait", args=[code])
    link.refresh_from_db()
    assert str(link.browser) == first.session["candidate"][str(code)]["browser"]
    assert str(link.pending_browser) == second.session["candidate"][str(code)]["browser"]
    assert second.get(answer["Location"]).status_code == 200
    assert Event.objects.order_by("seq").last().data == {"second": True}
    states = [candidate_seat(browser.session, code) for browser in (first, second)]
    assert [state.browser for state in states if state] == [Browser.JOINED, Browser.WAITING]


def test_the_lead_lets_the_second_browser_in_and_closes_the_first(scene: Scene) -> None:
    token, _link = make_link(scene.candidate)
    first, second, code = Client(), Client(), scene.interview.code
    accept(first, token)
    accept(second, token)
    wait = reverse("interviews:candidate-wait", args=[code])

    admit(scene)

    assert second.get(wait)["Location"] == reverse("interviews:candidate-room", args=[code])
    assert first.get(wait).status_code == 410
    states = [candidate_seat(browser.session, code) for browser in (first, second)]
    assert [state.browser for state in states if state] == [Browser.CLOSED, Browser.JOINED]


def admit(scene: Scene) -> None:
    perform(admit_candidate, seat=scene.ana.pk, command=uuid.uuid4(), digest="x", age=timedelta(), fields={})


def test_of_two_that_wait_the_later_is_asked_about(scene: Scene) -> None:
    token, _link = make_link(scene.candidate)
    first, second, third, code = Client(), Client(), Client(), scene.interview.code
    for browser in (first, second, third):
        accept(browser, token)

    states = [candidate_seat(browser.session, code) for browser in (first, second, third)]

    assert [state.browser for state in states if state] == [Browser.JOINED, Browser.CLOSED, Browser.WAITING]


def test_a_new_link_sends_out_who_came_by_the_old(scene: Scene) -> None:
    token, _link = make_link(scene.candidate)
    browser = Client()
    accept(browser, token)

    reissue_link(seat=scene.candidate, by=scene.cast.mara)

    assert candidate_seat(browser.session, scene.interview.code) is None
    assert browser.get(reverse("interviews:candidate-wait", args=[scene.interview.code])).status_code == 410


@pytest.mark.parametrize("held", [{}, {"candidate": "x"}, {"candidate": {"x": 1}}])
def test_a_strange_session_has_no_seat(scene: Scene, held: dict[str, Any]) -> None:
    assert candidate_seat(held, scene.interview.code) is None


# --- managers' buttons ------------------------------------------------------------------------------------------------


def test_a_manager_sees_a_new_link_once(client: Client, scene: Scene) -> None:
    client.force_login(scene.cast.mara)

    answer = client.post(reverse("interviews:link-reissue", args=[scene.interview.code]))

    link = BeautifulSoup(answer.content, "html.parser").select_one("#candidate-link")["value"]
    assert find_link(link.rstrip("/").rsplit("/", 1)[-1])[0] == LinkState.OPEN
    assert "no-store" in answer["Cache-Control"]
    again = client.get(reverse("interviews:interview-detail", args=[scene.interview.code]))
    assert link not in again.content.decode()


@pytest.mark.parametrize("name", ["link-reissue", "link-revoke"])
def test_links_are_made_and_withdrawn_by_managers_and_post_only(client: Client, scene: Scene, name: str) -> None:
    url = reverse(f"interviews:{name}", args=[scene.interview.code])
    statuses = {}
    for who in ("ana", "eli", "nils", "sam", "mara"):
        client.force_login(getattr(scene.cast, who))
        statuses[who] = client.post(url).status_code

    assert client.get(url).status_code == 405
    assert statuses == {
        "ana": 403,
        "eli": 403,
        "nils": 404,
        "sam": 404,
        "mara": 200 if name == "link-reissue" else 302,
    }


def test_accepting_a_second_link_leaves_the_first_rooms_session_alone(client: Client, cast: Cast) -> None:
    first = make_scene(cast)
    second = make_interview(first.application, lead=cast.ana)
    accept(client, make_link(first.candidate)[0])
    key = client.session.session_key
    assert key

    done = accept(client, make_link(second.seats.get(role="candidate"))[0])

    assert done.status_code == 302
    assert client.session.session_key == key
    assert candidate_seat(client.session, first.interview.code) is not None
    assert candidate_seat(client.session, second.code) is not None


def test_the_first_link_changes_the_sessions_key(client: Client, scene: Scene) -> None:
    session = client.session
    session["planted"] = "here"
    session.save()
    client.cookies["sessionid"] = session.session_key

    accept(client, make_link(scene.candidate)[0])

    assert client.cookies["sessionid"].value != session.session_key
