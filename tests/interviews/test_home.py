"""The home page: what waits for whom, most urgent first."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from bs4 import BeautifulSoup
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from interviews.enums import InterviewStatus
from interviews.models import Application, Interview, Reveal, Seat
from interviews.queries.home import Kind, home
from people.models import Person
from questionbank.enums import ReviewStepKind, VersionState
from questionbank.models import ReviewStep, VersionStatus
from tests.cast import Cast
from tests.support.factories import Scene, make_interview, make_position, make_scene, make_tree

pytestmark = pytest.mark.db


@pytest.fixture(autouse=True)
def _noon() -> Iterator[None]:
    """Today has hours to go, whatever the hour of the test."""
    with time_machine.travel(datetime(2026, 3, 2, 11, 0, tzinfo=UTC), tick=False):
        yield


def kinds(person: Person) -> list[Kind]:
    return [need.kind for need in home(person).needs]


def begins_in(scene: Scene, **distance: float) -> None:
    Interview.objects.filter(pk=scene.interview.pk).update(starts_at=timezone.now() + timedelta(**distance))


def ended(cast: Cast, *, owing: tuple[str, ...], submitted: tuple[str, ...] = (), hours: int = 48) -> Scene:
    scene = make_scene(cast, status=InterviewStatus.ENDED, ended_at=timezone.now() - timedelta(hours=hours))
    for name in (*owing, *submitted):
        Seat.objects.filter(pk=getattr(scene, name).pk).update(card_owed=True)
    for name in submitted:
        Seat.objects.filter(pk=getattr(scene, name).pk).update(card_submitted_at=timezone.now())
    return scene


def test_home_of_somebody_without_a_part_says_so(client: Client, cast: Cast) -> None:
    make_scene(cast)
    client.force_login(cast.cora)

    page = client.get("/")

    assert "Nothing waits for you." in page.content.decode()


def test_a_room_about_to_begin_comes_first_and_has_a_key(client: Client, cast: Cast) -> None:
    ended(cast, owing=("ana",))
    scene = make_interview(Application.objects.get(), lead=cast.ana, starts_at=timezone.now() + timedelta(minutes=5))

    assert kinds(cast.ana) == [Kind.ROOM, Kind.CARD]

    client.force_login(cast.ana)
    first = BeautifulSoup(client.get("/").content, "html.parser").select_one(".need .button--main")
    assert first is not None
    assert (first["href"], first["aria-keyshortcuts"]) == (f"/interviews/{scene.code}/room/", "1")


def test_an_interview_later_today_is_prepared(cast: Cast) -> None:
    scene = make_scene(cast)
    begins_in(scene, minutes=40)

    assert kinds(cast.bo) == [Kind.PREPARE]
    assert kinds(cast.eli) == [Kind.ROOM]  # who listens prepares nothing


def test_a_card_waits_until_it_is_in_or_excused(cast: Cast) -> None:
    scene = ended(cast, owing=("ana", "bo", "chen"), submitted=("ana",))
    Seat.objects.filter(pk=scene.bo.pk).update(card_excused_at=timezone.now())

    assert [kinds(person) for person in (cast.ana, cast.bo, cast.chen, cast.dee)] == [[], [], [Kind.CARD], []]


def test_a_manager_is_told_of_late_cards_after_a_day(cast: Cast) -> None:
    scene = ended(cast, owing=("bo", "chen"), submitted=("ana",), hours=20)
    assert kinds(cast.mara) == []

    Interview.objects.filter(pk=scene.interview.pk).update(ended_at=timezone.now() - timedelta(hours=25))

    assert [(need.kind, need.count) for need in home(cast.mara).needs] == [(Kind.CARDS_LATE, 2)]
    assert kinds(cast.nils) == []


def test_a_manager_who_rates_is_not_told_whose_card_is_late(cast: Cast) -> None:
    scene = ended(cast, owing=("bo",), submitted=("chen",))
    Person.objects.filter(pk=cast.chen.pk).update(roles=["interviewer", "manager"])
    scene.position.managers.add(cast.chen)

    assert kinds(Person.objects.get(pk=cast.chen.pk)) == []


def test_a_manager_who_judges_this_person_elsewhere_is_not_told_whose_card_is_late(cast: Cast) -> None:
    scene = ended(cast, owing=("bo",), submitted=("chen",))
    assert kinds(cast.mara) == [Kind.CARDS_LATE]
    elsewhere = make_position(cast.nils).applications.create(candidate=scene.application.candidate)
    coming = make_interview(elsewhere, lead=cast.mara)
    Interview.objects.filter(pk=coming.pk).update(starts_at=timezone.now() + timedelta(days=3))

    assert Kind.CARDS_LATE not in kinds(cast.mara)


def test_a_manager_is_asked_to_read_once_all_are_in(cast: Cast) -> None:
    scene = ended(cast, owing=(), submitted=("ana", "bo"))
    assert kinds(cast.mara) == [Kind.READ]
    assert kinds(cast.nils) == []

    make_interview(scene.application, lead=cast.sam)
    assert kinds(cast.mara) == []  # one is still to come
    Interview.objects.filter(status="scheduled").update(status="cancelled")
    Reveal.objects.create(application=scene.application, viewer=cast.mara, what="panel", rule="all_in")
    assert kinds(cast.mara) == []  # read already


def test_a_manager_is_told_what_did_not_start_and_who_cannot_come(cast: Cast) -> None:
    scene = make_scene(cast)
    Person.objects.filter(pk=cast.bo.pk).update(is_active=False)

    needs = home(cast.mara).needs
    assert [(need.kind, need.seat) for need in needs] == [(Kind.SEAT, scene.bo)]
    begins_in(scene, hours=-1)
    assert kinds(cast.mara) == [Kind.NOT_STARTED]


@pytest.mark.parametrize("count", [1, 3])
def test_home_costs_the_same_for_one_and_three(
    client: Client, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries, count: int
) -> None:
    scene = ended(cast, owing=("bo",))
    for _ in range(count):
        make_interview(scene.application, lead=cast.ana, interviewers=[cast.mara])
        make_interview(scene.application, lead=cast.fay)
    Person.objects.filter(pk=cast.mara.pk).update(roles=["manager", "interviewer"])
    client.force_login(cast.mara)

    # session, person; mine ahead, mine past; to read, cards late; interviews, their seats, people; positions;
    # what to mark without names; debriefs under way
    with django_assert_num_queries(12):
        page = client.get("/")

    soup = BeautifulSoup(page.content, "html.parser")
    assert len(soup.select(".need")) == count
    assert len(soup.select(".agenda tbody tr")) == count


def test_home_leads_a_reviewer_to_what_was_sent_to_them(cast: Cast, client: Client) -> None:
    version = make_tree(state=VersionState.IN_REVIEW)
    ReviewStep.objects.create(version=version, kind=ReviewStepKind.SENT, by=cast.cora, reviewer=cast.ada)
    VersionStatus.objects.filter(version=version).update(reviewer=cast.ada)
    client.force_login(cast.ada)

    page = BeautifulSoup(client.get("/").content, "html.parser")

    assert kinds(cast.ada) == [Kind.REVIEW]
    assert kinds(cast.cora) == []
    assert page.select_one('.need a[href="/bank/trees/data-parallel/v1/review/"]')
