"""Going on after an end: what stays, what counts, and that the second end is as good as the first."""

from __future__ import annotations

import uuid
from datetime import timedelta
from itertools import pairwise

import pytest
import time_machine
from django.utils import timezone

from interviews.enums import InterviewStatus
from interviews.live import frames
from interviews.live.dispatch import carry_out
from interviews.models import Event, Mark, Seat, Text
from interviews.queries.home import home
from interviews.queries.pauses import pauses_of
from interviews.sealed import may_read_panel, open_seats
from interviews.services.conduct import end_quiet_interviews
from interviews.services.refusal import Refusal
from people.models import AuditEntry, Job, Person
from scoring.models import Revision
from scoring.queries.cards import may_submit
from scoring.services.refusal import NotYet
from tests.cast import Cast
from tests.house.acting import do
from tests.support.factories import Scene, make_scene
from tests.support.judging import submit
from tests.support.pages import as_, words
from tests.support.threads import one_after_other

pytestmark = pytest.mark.db

REASON = "The candidate came back"


@pytest.fixture
def ended(cast: Cast) -> Scene:
    """Ended after one question that Ana, Bo and Chen marked."""
    scene = make_scene(cast)
    do(scene.ana, "interview.start")
    asked = do(scene.ana, "probe.ask", {"probe": "data-parallel/root"})
    for seat in (scene.ana, scene.bo, scene.chen):
        do(seat, "mark.set", {"asked": str(asked), "outcome": "partial", "version": 0})
    do(scene.ana, "interview.end")
    return fresh(scene)


def fresh(scene: Scene) -> Scene:
    for seat in scene.seats:
        seat.refresh_from_db()
        seat.interview.refresh_from_db()
    scene.interview.refresh_from_db()
    return scene


def reopen(scene: Scene) -> None:
    do(scene.ana, "interview.reopen", {"reason": REASON})
    fresh(scene)


def code_of(seat: Seat, name: str, data: dict[str, object]) -> str:
    with pytest.raises(Refusal) as refused:
        do(seat, name, data)
    return refused.value.code.value


def test_one_card_in_then_on_and_to_an_end_again_and_nothing_is_lost(ended: Scene) -> None:
    submit(ended.bo)
    revision = Revision.objects.written_by(ended.bo).get()
    Job.objects.all().delete()

    reopen(ended)

    assert (ended.interview.status, ended.interview.ended_at) == (InterviewStatus.LIVE, None)
    asked = str(do(ended.ana, "probe.ask", {"probe": "data-parallel/l2"}))
    for seat in (ended.ana, ended.chen):
        do(seat, "mark.set", {"asked": asked, "outcome": "sustained", "version": 0})
    assert code_of(ended.bo, "mark.set", {"asked": asked, "outcome": "sustained", "version": 0}) == "submitted"
    do(ended.ana, "interview.end")

    fresh(ended)
    assert ended.interview.status == InterviewStatus.ENDED
    assert ended.interview.ended_at is not None
    assert Revision.objects.written_by(ended.bo).get() == revision
    assert [Mark.objects.written_by(seat).count() for seat in (ended.ana, ended.bo, ended.chen)] == [2, 1, 2]
    assert frames.closing(ended.chen.pk)["counts"]["marks"] == 2
    assert {seat.person.name for seat in ended.seats if seat.card_owed and seat.person} == {"Ana", "Bo", "Chen"}
    assert Job.objects.filter(name="scoring.compile_panel").exists()  # the question asked since is part of it
    submit(ended.ana)
    submit(ended.chen)
    assert may_read_panel(ended.cast.mara, ended.application)


def test_while_it_runs_again_no_card_is_asked_for_and_nobody_reads_one(ended: Scene) -> None:
    for seat in (ended.bo, ended.chen):
        submit(seat)
    assert ended.chen.pk in open_seats(ended.cast.bo).values_list("pk", flat=True)
    assert asked_of(ended.cast.ana) == ["card"]

    reopen(ended)

    assert ended.chen.pk not in open_seats(ended.cast.bo).values_list("pk", flat=True)
    assert asked_of(ended.cast.ana) == ["room"]
    assert not may_submit(Seat.objects.select_related("interview").get(pk=ended.ana.pk))
    with time_machine.travel(timezone.now() + timedelta(days=2)):
        assert "cards_late" not in asked_of(ended.cast.mara)
    do(ended.ana, "interview.end")
    assert ended.chen.pk in open_seats(ended.cast.bo).values_list("pk", flat=True)
    assert asked_of(ended.cast.ana) == ["card"]


def asked_of(person: Person) -> list[str]:
    return [need.kind.value for need in home(person).needs]


def test_the_lead_whose_card_is_in_keeps_it_ended_and_nobody_else_can_reopen(ended: Scene) -> None:
    assert code_of(ended.bo, "interview.reopen", {"reason": REASON}) == "not_lead"
    assert code_of(ended.eli, "interview.reopen", {"reason": REASON}) == "no_right"
    assert code_of(ended.ana, "interview.reopen", {"reason": "  "}) == "bad_field"
    submit(ended.ana)

    with pytest.raises(Refusal, match="Your scorecard is submitted, so the interview stays ended") as refused:
        do(ended.ana, "interview.reopen", {"reason": REASON})

    assert refused.value.code == "submitted"
    assert fresh(ended).interview.status == InterviewStatus.ENDED


def test_the_reason_is_a_text_row_and_told_to_the_panel_and_the_manager_only(ended: Scene) -> None:
    reopen(ended)

    text = Text.objects.get(kind="change")
    assert (text.body, text.author) == (REASON, ended.ana)
    events = {event.stream: event for event in Event.objects.filter(name="interview.reopen")}
    assert events["all"].data == {}
    assert events["panel"].data["reason"] == text.pk
    assert frames.draw_all([events["panel"]], "en")[0]["data"]["reason"] == REASON
    assert REASON not in str(frames.draw_all([events["all"]], "en"))
    entry = AuditEntry.objects.get(action="interview.reopened")
    assert (entry.actor, entry.data) == (ended.cast.ana, {"text": text.pk})
    address = f"/interviews/{ended.interview.code}/"
    assert REASON in words(as_(ended.cast.mara).get(address))
    assert REASON not in words(as_(ended.cast.bo).get(address))
    Text.objects.filter(pk=text.pk).update(body=None, erased_at=timezone.now())
    assert frames.draw_all([events["panel"]], "en")[0]["data"]["reason"] is None
    assert "erased" in words(as_(ended.cast.mara).get(address))


def test_the_time_in_between_is_a_pause(ended: Scene) -> None:
    end = ended.interview.ended_at
    assert end is not None
    with time_machine.travel(end + timedelta(hours=2), tick=False):
        reopen(ended)

    (pause,) = pauses_of([ended.interview.room_id])[ended.interview.room_id]

    assert pause.until is not None
    assert abs((pause.until - end - timedelta(hours=2)).total_seconds()) < 1
    assert abs((pause.since - end).total_seconds()) < 1


def test_one_that_ended_itself_in_a_pause_stood_still_from_then_on(cast: Cast) -> None:
    scene = make_scene(cast)
    do(scene.ana, "interview.start")
    do(scene.ana, "interview.pause")
    begun = timezone.now()
    with time_machine.travel(begun + timedelta(hours=5), tick=False):
        assert end_quiet_interviews() == 1
    with time_machine.travel(begun + timedelta(hours=6), tick=False):
        reopen(scene)

    pauses = pauses_of([scene.interview.room_id])[scene.interview.room_id]

    assert all(one.until == other.since for one, other in pairwise(pauses))
    stood = sum(((pause.until or pause.since) - pause.since for pause in pauses), timedelta())
    assert abs((stood - timedelta(hours=6)).total_seconds()) < 2
    assert not scene.interview.ended_by_itself


def test_a_quiet_room_ends_itself_again_after_a_reopening(ended: Scene) -> None:
    reopen(ended)
    assert end_quiet_interviews() == 0
    now = timezone.now()

    with time_machine.travel(now + timedelta(hours=5)):
        assert end_quiet_interviews() == 1

    assert fresh(ended).interview.ended_by_itself
    ends = Event.objects.filter(stream="panel", name="interview.end").order_by("seq")
    assert [event.data["by_itself"] for event in ends] == [False, True]


def test_a_question_asked_after_a_reopening_may_arrive_late(ended: Scene) -> None:
    reopen(ended)
    do(ended.ana, "interview.end")
    ats = Event.objects.filter(stream="panel").order_by("-seq").values_list("at", flat=True)[:2]
    between = ats[1] + (ats[0] - ats[1]) / 2
    with time_machine.travel(between + timedelta(minutes=2), tick=False):
        ask, age = {"probe": "data-parallel/l3"}, timedelta(minutes=2)
        ack = carry_out(ended.ana.pk, uuid.uuid4(), "probe.ask", ask, age)

    assert Event.objects.get(stream="panel", seq=ack.seq).data["late"] is True


@pytest.mark.parametrize("first", ["submit", "reopen"])
def test_of_submitting_and_reopening_at_once_one_is_done(
    transactional_db: None, cast: Cast, ended: Scene, first: str
) -> None:
    def submits() -> str:
        try:
            submit(Seat.objects.select_related("interview__application__position", "person").get(pk=ended.ana.pk))
        except NotYet:
            return "not_yet"
        return "submitted"

    def reopens() -> str:
        try:
            do(ended.ana, "interview.reopen", {"reason": REASON})
        except Refusal as refusal:
            return refusal.code.value
        return "reopened"

    if first == "submit":
        assert one_after_other(submits, reopens) == ("submitted", "submitted")
    else:
        assert one_after_other(reopens, submits) == ("reopened", "not_yet")

    fresh(ended)
    assert (ended.interview.status == InterviewStatus.ENDED) == (first == "submit")
    assert (ended.ana.card_submitted_at is not None) == (first == "submit")
