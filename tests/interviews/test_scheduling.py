"""Making, moving and calling off interviews."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

import pytest
import time_machine
from pytest_django import DjangoCaptureOnCommitCallbacks

from interviews.enums import InterviewStatus, Role, Shape, TextKind
from interviews.models import Application, CandidateLink, Event, Interview, PinnedTree, Room, Seat, Text
from interviews.queries.links import LinkState, find_link
from interviews.services.hiring import LoopClosed, PositionClosed
from interviews.services.scheduling import (
    AlreadyMade,
    BadTime,
    BadTrees,
    MovedMeanwhile,
    NotScheduled,
    Scheduled,
    TreeWish,
    When,
    cancel_interview,
    mark_no_show,
    move_interview,
    schedule_interview,
)
from interviews.services.seating import BadSeats, SeatWish
from people.clock import NoSuchTime, TimeTwice
from people.lifecycle import rights_changed
from people.models import AuditEntry, Person
from questionbank.enums import VersionState
from questionbank.models import VersionStatus
from tests.cast import Cast
from tests.support.factories import Scene, make_interview, make_link, make_scene, make_tree

pytestmark = pytest.mark.db

NOW = datetime(2026, 3, 2, 8, 0, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _clock() -> Any:
    with time_machine.travel(NOW, tick=False):
        yield


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return make_scene(cast)


def when(day: date = date(2026, 3, 10), at: time = time(10, 0), zone: str = "Europe/Berlin", minutes: int = 60) -> When:
    return When(day, at, zone, minutes)


def schedule(scene: Scene, seats: Sequence[tuple[Person, Role]] = (), **changes: Any) -> Scheduled:
    cast = scene.cast
    wishes = seats or [(cast.ana, Role.LEAD), (cast.bo, Role.INTERVIEWER), (cast.eli, Role.OBSERVER)]
    given: dict[str, Any] = {
        "application": scene.application,
        "by": cast.mara,
        "code": uuid.uuid4(),
        "shape": Shape.PANEL,
        "when": when(),
        "seats": [SeatWish(person, role) for person, role in wishes],
        "trees": [TreeWish(scene.versions[0], 20, cast.bo), TreeWish(scene.versions[1], 15, None)],
        "meeting_link": "https://meet.example/1",
    }
    return schedule_interview(**{**given, **changes})


def test_schedule_makes_room_seats_trees_and_link(scene: Scene) -> None:
    scheduled = schedule(scene)

    interview = scheduled.interview
    assert (interview.room.kind, interview.room.code) == ("interview", interview.code)
    assert interview.starts_at == datetime(2026, 3, 10, 9, 0, tzinfo=UTC)
    assert [(seat.person, seat.role) for seat in interview.seats.order_by("pk")] == [
        (scene.cast.ana, Role.LEAD),
        (scene.cast.bo, Role.INTERVIEWER),
        (scene.cast.eli, Role.OBSERVER),
        (None, Role.CANDIDATE),
    ]
    assert [(pin.version, pin.minutes, pin.planned.seat.person) for pin in interview.pinned.all()] == [
        (scene.versions[0], 20, scene.cast.bo),
        (scene.versions[1], 15, scene.cast.ana),
    ]
    link = CandidateLink.objects.get(seat__interview=interview)
    assert link.expires_at == datetime(2026, 3, 11, 10, 0, tzinfo=UTC)
    assert find_link(scheduled.token) == (LinkState.OPEN, link)
    assert scheduled.token not in str(CandidateLink.objects.values().get(pk=link.pk))
    assert AuditEntry.objects.filter(action="interview.scheduled", object_id=str(interview.pk)).count() == 1


def test_schedule_sent_twice_makes_one(scene: Scene) -> None:
    code = uuid.uuid4()
    first = schedule(scene, code=code)

    with pytest.raises(AlreadyMade) as again:
        schedule(scene, code=code)

    assert again.value.interview == first.interview
    assert Interview.objects.filter(application=scene.application).count() == 2  # the scene's own, and this


@pytest.mark.parametrize(
    ("seats", "blamed"),
    [
        ([("bo", Role.INTERVIEWER)], "lead"),
        ([("ana", Role.LEAD), ("bo", Role.LEAD)], "lead"),
        ([("ana", Role.LEAD), ("ana", Role.SHADOW)], "shadows"),
        ([("ana", Role.LEAD), ("fay", Role.INTERVIEWER)], "interviewers"),
        ([("eli", Role.LEAD)], "lead"),
        ([("ana", Role.LEAD), ("mara", Role.INTERVIEWER)], "interviewers"),
        ([("ana", Role.LEAD), ("cora", Role.OBSERVER)], "observers"),
    ],
)
def test_schedule_refuses_seats_that_no_interview_can_have(
    scene: Scene, seats: list[tuple[str, Role]], blamed: str
) -> None:
    rooms = Room.objects.count()

    with pytest.raises(BadSeats) as refused:
        schedule(scene, [(getattr(scene.cast, name), role) for name, role in seats])

    assert refused.value.field == blamed
    assert Room.objects.count() == rooms


def test_schedule_lets_a_loop_have_no_second_interviewer(scene: Scene) -> None:
    with pytest.raises(BadSeats, match="alone"):
        schedule(scene, shape=Shape.LOOP)

    loop = schedule(
        scene,
        [(scene.cast.chen, Role.LEAD), (scene.cast.dee, Role.SHADOW)],
        shape=Shape.LOOP,
        trees=[TreeWish(scene.versions[0], 20, None)],
    )
    assert loop.interview.shape == Shape.LOOP


def test_schedule_refuses_trees_that_are_not_published_or_asked_by_nobody_there(scene: Scene) -> None:
    draft = make_tree("a-draft", state=VersionState.DRAFT)
    for trees in ([], [TreeWish(draft, 10, None)], [TreeWish(scene.versions[0], 10, scene.cast.eli)]):
        with pytest.raises(BadTrees):
            schedule(scene, trees=trees)


def test_schedule_refuses_a_tree_retired_meanwhile(scene: Scene) -> None:
    VersionStatus.objects.filter(version=scene.versions[0]).update(state=VersionState.RETIRED)

    with pytest.raises(BadTrees, match="no longer published"):
        schedule(scene)


@pytest.mark.parametrize(
    ("at", "error"),
    [
        (when(date(2026, 3, 29), time(2, 30)), NoSuchTime),
        (when(date(2026, 10, 25), time(2, 30)), TimeTwice),
        (when(date(2029, 1, 1)), BadTime),
        (when(date(2026, 2, 20)), BadTime),
    ],
)
def test_schedule_refuses_times_that_nobody_can_mean(scene: Scene, at: When, error: type[Exception]) -> None:
    with pytest.raises(error):
        schedule(scene, when=at)


def test_schedule_takes_a_time_just_past(scene: Scene) -> None:
    begun = schedule(scene, when=when(date(2026, 3, 2), time(8, 30))).interview

    assert begun.starts_at < NOW


def test_schedule_refuses_a_closed_loop_position_or_erased_candidate(scene: Scene) -> None:
    Application.objects.filter(pk=scene.application.pk).update(loop_closed_at=NOW)
    with pytest.raises(LoopClosed):
        schedule(scene)

    Application.objects.filter(pk=scene.application.pk).update(loop_closed_at=None)
    scene.position.closed_at = NOW
    scene.position.save(update_fields=["closed_at"])
    with pytest.raises(PositionClosed):
        schedule(scene)


def move(scene: Scene, **changes: Any) -> Interview:
    given: dict[str, Any] = {
        "interview": scene.interview,
        "by": scene.cast.mara,
        "when": when(date(2026, 3, 12), time(15, 0), "Asia/Shanghai", 90),
        "meeting_link": "",
        "seen": scene.interview.starts_at,
    }
    return move_interview(**{**given, **changes})


def test_move_takes_the_link_with_it(scene: Scene) -> None:
    _token, link = make_link(scene.candidate)
    _token, old = make_link(scene.candidate, revoked_at=NOW)

    move(scene)

    scene.interview.refresh_from_db()
    link.refresh_from_db()
    assert scene.interview.starts_at == datetime(2026, 3, 12, 7, 0, tzinfo=UTC)
    assert (scene.interview.time_zone, scene.interview.minutes) == ("Asia/Shanghai", 90)
    assert link.expires_at == datetime(2026, 3, 13, 8, 30, tzinfo=UTC)
    assert CandidateLink.objects.get(pk=old.pk).expires_at == old.expires_at


def test_move_refuses_to_overwrite_a_move_unseen(scene: Scene) -> None:
    seen = scene.interview.starts_at
    move(scene)

    with pytest.raises(MovedMeanwhile):
        move(scene, when=when(date(2026, 3, 20)), seen=seen)

    scene.interview.refresh_from_db()
    assert scene.interview.starts_at.day == 12


@pytest.mark.parametrize("status", [InterviewStatus.LIVE, InterviewStatus.ENDED, InterviewStatus.CANCELLED])
def test_move_and_cancel_are_for_scheduled_interviews(cast: Cast, status: InterviewStatus) -> None:
    scene = make_scene(cast, status=status)

    with pytest.raises(NotScheduled):
        move(scene)
    with pytest.raises(NotScheduled):
        cancel_interview(interview=scene.interview, by=cast.mara, reason="ill")

    scene.interview.refresh_from_db()
    assert scene.interview.status == status


def test_cancel_withdraws_the_link_and_keeps_the_reason(
    scene: Scene, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    token, _link = make_link(scene.candidate)
    heard: list[dict[str, Any]] = []

    def listen(**told: Any) -> None:
        heard.append(told)

    rights_changed.connect(listen)
    with django_capture_on_commit_callbacks(execute=True):
        cancel_interview(interview=scene.interview, by=scene.cast.mara, reason="Kim is ill")
        assert heard == []

    assert find_link(token)[0] == LinkState.WITHDRAWN
    scene.interview.refresh_from_db()
    assert scene.interview.status == InterviewStatus.CANCELLED
    text = Text.objects.get(kind=TextKind.CHANGE)
    entry = AuditEntry.objects.get(action="interview.cancelled")
    assert (text.body, entry.data) == ("Kim is ill", {"text": text.pk})
    assert [(told["room_id"], set(told["seat_ids"])) for told in heard] == [
        (scene.interview.room_id, {seat.pk for seat in scene.seats})
    ]
    assert sorted(Event.objects.values_list("stream", "name")) == [
        ("all", "interview.cancel"),
        ("panel", "interview.cancel"),
    ]
    assert "ill" not in str(list(AuditEntry.objects.values())) + str(list(Event.objects.values()))


def test_no_show_says_who_and_only_once_it_should_have_begun(scene: Scene) -> None:
    with pytest.raises(BadTime, match="not begun"):
        mark_no_show(interview=scene.interview, by=scene.cast.mara, role=Role.CANDIDATE)

    Interview.objects.filter(pk=scene.interview.pk).update(starts_at=NOW - timedelta(minutes=20))
    mark_no_show(interview=scene.interview, by=scene.cast.mara, role=Role.CANDIDATE)

    scene.interview.refresh_from_db()
    assert (scene.interview.status, scene.interview.no_show_role) == (InterviewStatus.NO_SHOW, Role.CANDIDATE)


def test_no_show_ends_a_room_in_which_nothing_was_asked(cast: Cast) -> None:
    scene = make_scene(cast, status=InterviewStatus.LIVE)

    mark_no_show(interview=scene.interview, by=cast.mara, role=Role.CANDIDATE)

    assert Interview.objects.get(pk=scene.interview.pk).status == InterviewStatus.NO_SHOW


def test_no_show_is_refused_once_something_was_asked(cast: Cast) -> None:
    scene = make_scene(cast, status=InterviewStatus.LIVE)
    scene.interview.asked.create(id=uuid.uuid4(), probe=scene.probe("root"), by=scene.ana, seq=1, made_at=NOW)

    with pytest.raises(NotScheduled, match="took place"):
        mark_no_show(interview=scene.interview, by=cast.mara, role=Role.CANDIDATE)


def test_a_failed_schedule_leaves_nothing(scene: Scene) -> None:
    before = [model.objects.count() for model in (Interview, Room, Seat, PinnedTree, CandidateLink, AuditEntry)]

    with pytest.raises(BadTrees):
        schedule(scene, trees=[])

    after = [model.objects.count() for model in (Interview, Room, Seat, PinnedTree, CandidateLink, AuditEntry)]
    assert after == before


def test_the_plan_of_an_interview_stays_when_the_bank_moves_on(scene: Scene) -> None:
    pinned = schedule(scene).interview.pinned.first()
    make_tree("data-parallel", number=2)

    assert pinned is not None
    assert PinnedTree.objects.get(pk=pinned.pk).version == scene.versions[0]
    later = make_interview(scene.application, lead=scene.cast.chen)
    assert later.pinned.count() == 0
