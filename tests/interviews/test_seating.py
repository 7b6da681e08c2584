"""Seats on the day: replaced, added, taken away."""

from __future__ import annotations

import pytest

from interviews.enums import InterviewStatus, Role, Shape
from interviews.models import Event, PinnedTree, Seat
from interviews.services.seating import BadSeats, SeatGone, add_seat, remove_seat, replace_seat
from people.models import AuditEntry, Person
from tests.cast import Cast
from tests.support.factories import Scene, make_scene

pytestmark = pytest.mark.db


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return make_scene(cast, status=InterviewStatus.LIVE)


def test_replace_gives_seat_and_trees_to_the_next(scene: Scene) -> None:
    heir = replace_seat(seat=scene.ana, by=scene.cast.mara, person=scene.cast.sam)

    scene.ana.refresh_from_db()
    assert scene.ana.removed_at is not None
    assert (heir.role, heir.replaces, heir.person) == (Role.LEAD, scene.ana, scene.cast.sam)
    assert {pinned.planned.seat for pinned in PinnedTree.objects.all()} == {heir}
    event = Event.objects.get()
    assert (event.stream, event.name, event.data) == ("panel", "lead.hand_over", {"lead": str(heir.code)})
    assert AuditEntry.objects.get(action="seat.replaced").object_id == str(scene.ana.pk)


def test_replace_takes_the_role_the_seat_has_by_now(scene: Scene) -> None:
    """The lead was handed over after the page was drawn: the heir must not become a second lead."""
    Seat.objects.filter(pk=scene.ana.pk).update(role=Role.INTERVIEWER)
    Seat.objects.filter(pk=scene.bo.pk).update(role=Role.LEAD)

    heir = replace_seat(seat=scene.ana, by=scene.cast.mara, person=scene.cast.sam)

    assert heir.role == Role.INTERVIEWER


def test_replace_happens_once(scene: Scene) -> None:
    replace_seat(seat=scene.bo, by=scene.cast.mara, person=scene.cast.sam)

    with pytest.raises(SeatGone):
        replace_seat(seat=scene.bo, by=scene.cast.mara, person=scene.cast.mara)

    assert Seat.objects.filter(replaces=scene.bo).count() == 1


def test_replace_refuses_who_sits_there_left_or_lacks_the_role(scene: Scene) -> None:
    for person in (scene.cast.chen, scene.cast.fay, scene.cast.cora):
        with pytest.raises(BadSeats) as refused:
            replace_seat(seat=scene.bo, by=scene.cast.mara, person=person)
        assert refused.value.field == "person"

    scene.bo.refresh_from_db()
    assert scene.bo.removed_at is None


def test_replace_refuses_the_candidate(scene: Scene) -> None:
    with pytest.raises(BadSeats, match="link"):
        replace_seat(seat=scene.candidate, by=scene.cast.mara, person=scene.cast.sam)


@pytest.mark.parametrize("status", [InterviewStatus.ENDED, InterviewStatus.CANCELLED, InterviewStatus.NO_SHOW])
def test_seats_do_not_change_when_it_is_over(cast: Cast, status: InterviewStatus) -> None:
    scene = make_scene(cast, status=status)

    with pytest.raises(SeatGone):
        replace_seat(seat=scene.bo, by=cast.mara, person=cast.sam)
    with pytest.raises(SeatGone):
        add_seat(interview=scene.interview, by=cast.mara, person=cast.sam, role=Role.INTERVIEWER)
    with pytest.raises(SeatGone):
        remove_seat(seat=scene.bo, by=cast.mara)


def test_add_seats_one_more_but_no_second_lead(scene: Scene) -> None:
    with pytest.raises(BadSeats):
        add_seat(interview=scene.interview, by=scene.cast.mara, person=scene.cast.sam, role=Role.LEAD)

    seat = add_seat(interview=scene.interview, by=scene.cast.mara, person=scene.cast.sam, role=Role.INTERVIEWER)

    assert (seat.role, seat.person) == (Role.INTERVIEWER, scene.cast.sam)


def test_add_keeps_a_loop_a_loop(cast: Cast) -> None:
    scene = make_scene(cast, shape=Shape.LOOP)

    with pytest.raises(BadSeats, match="alone"):
        add_seat(interview=scene.interview, by=cast.mara, person=cast.sam, role=Role.INTERVIEWER)

    assert add_seat(interview=scene.interview, by=cast.mara, person=cast.sam, role=Role.SHADOW).role == Role.SHADOW


def test_add_lets_somebody_come_back(scene: Scene) -> None:
    remove_seat(seat=scene.bo, by=scene.cast.mara)

    again = add_seat(interview=scene.interview, by=scene.cast.mara, person=scene.cast.bo, role=Role.SHADOW)

    assert Seat.objects.get(pk=scene.bo.pk).removed_at is not None
    assert again.pk != scene.bo.pk


def test_remove_hands_the_trees_to_the_lead_and_never_removes_the_lead(scene: Scene) -> None:
    PinnedTree.objects.get(version=scene.versions[0]).planned.delete()
    pinned = PinnedTree.objects.get(version=scene.versions[0])
    scene.bo.planned.create(pinned=pinned)

    remove_seat(seat=scene.bo, by=scene.cast.mara)
    with pytest.raises(BadSeats):
        remove_seat(seat=scene.ana, by=scene.cast.mara)

    assert PinnedTree.objects.get(pk=pinned.pk).planned.seat == scene.ana


def test_an_inactive_person_keeps_what_they_wrote_but_not_the_seat(scene: Scene) -> None:
    Person.objects.filter(pk=scene.cast.bo.pk).update(is_active=False)

    heir = replace_seat(seat=scene.bo, by=scene.cast.mara, person=scene.cast.sam)

    assert Seat.objects.get(pk=scene.bo.pk).person == scene.cast.bo
    assert heir.person == scene.cast.sam
