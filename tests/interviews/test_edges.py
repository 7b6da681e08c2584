"""What counts when a person is gone or late: asks of a lead who lost the seat, judgements after the end."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from interviews.enums import InterviewStatus
from interviews.live.dispatch import carry_out
from interviews.log import Ack
from interviews.models import Asked, Attendance, Event, Interview, Seat, Stream
from interviews.services.conduct import end_quiet_interviews
from interviews.services.refusal import Refusal
from people.models import Job
from tests.cast import Cast
from tests.support.factories import Scene, make_scene

pytestmark = pytest.mark.db


@pytest.fixture
def live(db: None, cast: Cast) -> Scene:
    return make_scene(cast, status=InterviewStatus.LIVE)


def do(seat: Seat, name: str, *, age: float = 0, id: uuid.UUID | None = None, **data: Any) -> Ack:
    return carry_out(seat.pk, id or uuid.uuid4(), name, data, timedelta(seconds=age))


def owing(interview: Interview) -> set[int]:
    return set(interview.seats.filter(card_owed=True).values_list("pk", flat=True))


def test_a_removed_lead_can_no_longer_ask(live: Scene) -> None:
    Seat.objects.filter(pk=live.ana.pk).update(removed_at=timezone.now())
    with pytest.raises(Refusal) as refused:
        do(live.ana, "probe.ask", probe="data-parallel/root")
    assert refused.value.code == "no_right"
    assert not Asked.objects.exists()


def test_a_mark_that_arrives_after_the_end_owes_a_card(live: Scene) -> None:
    asked = uuid.uuid4()
    do(live.ana, "probe.ask", probe="data-parallel/root", id=asked)
    do(live.ana, "interview.end")
    assert owing(live.interview) == {live.ana.pk}
    do(live.bo, "mark.set", asked=str(asked), outcome="partial", version=0, age=5)
    assert owing(live.interview) == {live.ana.pk, live.bo.pk}
    do(live.dee, "mark.set", asked=str(asked), outcome="partial", version=0)
    assert live.dee.pk not in owing(live.interview)


def test_an_ask_that_arrives_after_the_end_opens_cards_and_compiles_again(live: Scene) -> None:
    began = timezone.now() - timedelta(minutes=10)
    Interview.objects.filter(pk=live.interview.pk).update(started_at=began)
    led = {"lead": str(live.ana.code)}
    room = live.interview.room
    Event.objects.create(room=room, stream="panel", seq=1, name="interview.start", at=began, made_at=began, data=led)
    Stream.objects.create(room=room, name="panel", head=1)
    do(live.ana, "interview.end")
    assert owing(live.interview) == set()
    Attendance.objects.create(seat=live.bo, started_at=began)
    do(live.ana, "probe.ask", probe="data-parallel/root", age=60)
    assert Asked.objects.get().late
    assert owing(live.interview) == {live.ana.pk, live.bo.pk}
    assert Job.objects.filter(name="scoring.compile_panel").exists()


def test_only_who_was_there_between_the_first_question_and_the_end_owes_a_card(live: Scene) -> None:
    now = timezone.now()
    Attendance.objects.create(seat=live.bo, started_at=now - timedelta(hours=2), ended_at=now - timedelta(hours=1))
    Attendance.objects.create(seat=live.chen, started_at=now - timedelta(hours=2), seen_at=now + timedelta(seconds=9))
    do(live.ana, "probe.ask", probe="data-parallel/root")
    do(live.ana, "interview.end")
    assert owing(live.interview) == {live.ana.pk, live.chen.pk}


def test_an_interview_left_alone_ended_when_the_last_thing_was_done(live: Scene) -> None:
    last = timezone.now() - timedelta(hours=4, minutes=1)
    Interview.objects.filter(pk=live.interview.pk).update(started_at=last - timedelta(hours=1), last_command_at=last)
    assert end_quiet_interviews() == 1
    interview = Interview.objects.get()
    assert (interview.status, interview.ended_by_itself, interview.ended_at) == ("ended", True, last)
    # Its log says so too, or its timeline would go on for four hours.
    assert set(Event.objects.filter(name="interview.end").values_list("made_at", flat=True)) == {last}
    assert end_quiet_interviews() == 0


def test_nothing_is_asked_in_an_interview_that_did_not_take_place(live: Scene) -> None:
    for status in (InterviewStatus.NO_SHOW, InterviewStatus.CANCELLED):
        Interview.objects.filter(pk=live.interview.pk).update(status=status)
        with pytest.raises(Refusal) as refused:
            do(live.ana, "probe.ask", probe="data-parallel/root")
        assert refused.value.code == "not_live"
    assert not Asked.objects.exists()


def test_an_id_that_another_seat_used_is_refused_as_reused(live: Scene) -> None:
    asked, taken = uuid.uuid4(), uuid.uuid4()
    do(live.ana, "probe.ask", probe="data-parallel/root", id=asked)
    heard = {"asked": str(asked), "type": "built", "aid": "unaided", "detail": "A pipeline"}
    do(live.bo, "evidence.add", id=taken, **heard)
    for name, data in (("evidence.add", heard), ("probe.ask", {"probe": "data-parallel/l2"})):
        with pytest.raises(Refusal) as refused:
            do(live.ana, name, id=asked if name == "probe.ask" else taken, **data)
        assert refused.value.code == "id_reused"
