"""Two people press at the same moment: one wins, the other is told, and nothing is half done."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date, time, timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from interviews.enums import InterviewStatus, Role, Shape
from interviews.models import CandidateLink, Consent, Interview, Seat, Text
from interviews.queries.links import Browser
from interviews.services.hiring import CardNotOwed, excuse_card
from interviews.services.invitations import join, reissue_link
from interviews.services.scheduling import (
    AlreadyMade,
    MovedMeanwhile,
    NotScheduled,
    TreeWish,
    When,
    cancel_interview,
    move_interview,
    schedule_interview,
)
from interviews.services.seating import SeatGone, SeatWish, replace_seat
from people.models import Person
from people.services.people import LastAdministrator, change_person
from tests.cast import Cast, make_cast
from tests.support.factories import Scene, make_link, make_scene

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("transactional_db")]


def together(*calls: Callable[[], Any]) -> list[Any]:
    """Run the calls at once, each on a connection of its own; return what each gave, or the exception it raised."""
    start = threading.Barrier(len(calls))

    def run(call: Callable[[], Any]) -> Any:
        try:
            start.wait(10)
            return call()
        except Exception as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


def kinds(results: list[Any]) -> list[str]:
    return sorted(type(result).__name__ for result in results)


@pytest.fixture
def cast() -> Cast:
    return make_cast()


def again(scene: Scene) -> Interview:
    return Interview.objects.select_related("application__position").get(pk=scene.interview.pk)


def test_a_form_sent_twice_at_once_makes_one_interview(cast: Cast) -> None:
    scene, code = make_scene(cast), uuid.uuid4()

    def schedule() -> Any:
        return schedule_interview(
            application=scene.application,
            by=cast.mara,
            code=code,
            shape=Shape.PANEL,
            when=When(timezone.localdate() + timedelta(days=9), time(10, 0), "UTC", 60),
            seats=[SeatWish(cast.ana, Role.LEAD)],
            trees=[TreeWish(scene.versions[0], 10, None)],
            meeting_link="",
        )

    assert kinds(together(schedule, schedule)) == [AlreadyMade.__name__, "Scheduled"]

    assert Interview.objects.filter(code=code).count() == 1
    assert CandidateLink.objects.count() == 1


def test_a_seat_given_away_twice_at_once_has_one_heir(cast: Cast) -> None:
    scene = make_scene(cast, status=InterviewStatus.LIVE)

    results = together(
        *[
            lambda person=person: replace_seat(
                seat=Seat.objects.select_related("interview").get(pk=scene.ana.pk), by=cast.mara, person=person
            )
            for person in (cast.sam, Person.objects.create(name="Tom", email="t@x.example", roles=["interviewer"]))
        ]
    )

    assert kinds(results) == ["Seat", SeatGone.__name__]
    assert Seat.objects.filter(interview=scene.interview, role=Role.LEAD, removed_at__isnull=True).count() == 1


def test_an_interview_moved_and_cancelled_at_once_is_one_of_both(cast: Cast) -> None:
    scene = make_scene(cast)
    seen = scene.interview.starts_at
    when = When(date.today() + timedelta(days=20), time(9, 0), "UTC", 30)  # noqa: DTZ011 - any day will do

    results = together(
        lambda: move_interview(interview=again(scene), by=cast.mara, when=when, meeting_link="", seen=seen),
        lambda: move_interview(interview=again(scene), by=cast.ada, when=when, meeting_link="", seen=seen),
        lambda: cancel_interview(interview=again(scene), by=cast.mara, reason="ill"),
    )

    # Whatever came first: at most one move was made on what was seen, and a cancelled interview did not move.
    assert sum(isinstance(result, Interview) for result in results[:2]) <= 1
    assert {type(result) for result in results[:2]} <= {Interview, MovedMeanwhile, NotScheduled}
    assert again(scene).status == InterviewStatus.CANCELLED
    assert Text.objects.filter(body="ill").count() == 1


def test_a_card_excused_twice_at_once_has_one_reason(cast: Cast) -> None:
    scene = make_scene(cast, status=InterviewStatus.ENDED)
    Seat.objects.filter(pk=scene.bo.pk).update(card_owed=True)

    def excuse() -> Any:
        return excuse_card(seat=scene.bo, by=cast.mara, reason="ill")

    assert kinds(together(excuse, excuse)) == [CardNotOwed.__name__, "NoneType"]
    assert Text.objects.filter(kind="excuse").count() == 1


def test_two_browsers_at_once_one_joins_and_one_waits(cast: Cast) -> None:
    scene = make_scene(cast, consented=False)
    _token, link = make_link(scene.candidate)
    link = CandidateLink.objects.select_related("seat__interview").get(pk=link.pk)

    results = together(*[lambda: join(link=link, browser=uuid.uuid4(), language="en") for _ in range(2)])

    assert sorted(result.browser for result in results) == [Browser.JOINED, Browser.WAITING]
    assert Consent.objects.count() == 1


def test_links_made_at_once_leave_one_open(cast: Cast) -> None:
    scene = make_scene(cast)

    def reissue() -> Any:
        seat = Seat.objects.select_related("interview").get(pk=scene.candidate.pk)
        return reissue_link(seat=seat, by=cast.mara)

    assert kinds(together(reissue, reissue, reissue)) == ["str", "str", "str"]
    assert CandidateLink.objects.filter(revoked_at__isnull=True).count() == 1


def test_two_administrators_who_drop_each_other_at_once_leave_one(cast: Cast) -> None:
    Person.objects.filter(pk=cast.mara.pk).update(roles=["administrator"])

    def drop(who: Person) -> Any:
        person = Person.objects.get(pk=who.pk)
        names = ("email", "name", "language", "time_zone", "is_active")
        return change_person(person=person, by=who, roles=[], **{name: getattr(person, name) for name in names})

    assert kinds(together(lambda: drop(cast.ada), lambda: drop(cast.mara))) == [LastAdministrator.__name__, "Person"]
    assert Person.objects.filter(roles__contains=["administrator"]).count() == 1
