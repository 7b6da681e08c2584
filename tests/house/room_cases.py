"""What can happen in a room, one case or more for every command and every event: what was before, then the act.

A case is a generator: what it does before its `yield` is there when the pages are drawn, what it does afterwards must
reach them by frames.
"""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone

from interviews.enums import InterviewStatus, Role
from interviews.live.dispatch import carry_out
from interviews.models import Event, Interview, Seat
from interviews.rules import JUDGEMENTS
from interviews.services.conduct import end_quiet_interviews
from interviews.services.invitations import join, reissue_link, revoke_link
from interviews.services.scheduling import cancel_interview, mark_no_show
from interviews.services.seating import add_seat, remove_seat, replace_seat
from tests.support.factories import Scene, make_link

CANARY = "canary-in-the-sealed-shaft"
"""In every text that somebody wrote for themselves before the act."""


@dataclass
class Room:
    """A scene in which commands are done by first name. `names`: what was carried out since the pages were drawn."""

    scene: Scene
    names: list[str] = field(default_factory=list)
    marked: dict[str, uuid.UUID] = field(default_factory=dict)

    def do(self, who: str, name: str, *, age: float = 0, **data: Any) -> str:
        """Carry out a command, made `age` seconds ago; return its id. Raises Refusal."""
        seat: Seat = getattr(self.scene, who)
        command = uuid.uuid4()
        said = {key: str(value) if isinstance(value, uuid.UUID) else value for key, value in data.items()}
        carry_out(seat.pk, command, name, said, timedelta(seconds=age))
        self.names.append(name)
        return str(command)

    def ask(self, probe: str = "data-parallel/root") -> str:
        return self.do("ana", "probe.ask", probe=probe)

    def judge(self, who: str, asked: str, words: str = CANARY) -> dict[str, str]:
        """Say something of everything on one asking; return the ids of what has one."""
        self.do(who, "mark.set", asked=asked, outcome="partial", ratings={"depth": 2}, confidence="low", version=0)
        self.do(who, "note.set", asked=asked, text=f"Note: {words}", version=0)
        said = {"asked": asked, "aid": "unaided", "detail": f"Heard: {words}"}
        return {
            "evidence": self.do(who, "evidence.add", **said, type="built"),
            "reason": self.do(who, "reason.add", **said, type="choice"),
        }

    def candidate_comes(self, *, admitted: bool) -> None:
        _token, link = make_link(self.scene.candidate)
        join(link=link, browser=uuid.uuid4(), language="en")
        if admitted:
            self.do("ana", "candidate.admit")

    def began_earlier(self, by: timedelta) -> None:
        """Put the start back, as if more time had passed since."""
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL sounding.eraser = 'on'")
            Event.objects.filter(room=self.scene.interview.room, name="interview.start").update(
                at=F("at") - by, made_at=F("made_at") - by
            )
            Interview.objects.filter(pk=self.scene.interview.pk).update(started_at=F("started_at") - by)

    def refresh(self) -> None:
        for seat in self.scene.seats:
            seat.refresh_from_db()


@dataclass(frozen=True)
class Case:
    """`event`: the name that must come out of it. `begun`: the interview runs and two people have judged the root."""

    event: str
    act: Callable[[Room], Iterator[None]]
    begun: bool

    @property
    def name(self) -> str:
        return f"{self.event} {self.act.__name__}"

    @property
    def needs_everybody(self) -> bool:
        return self.event not in JUDGEMENTS or "shadow" in self.name


CASES: list[Case] = []

Act = Callable[[Room], Iterator[None]]


def case(event: str, *, begun: bool = True) -> Callable[[Act], Act]:
    def keep(act: Act) -> Act:
        CASES.append(Case(event, act, begun))
        return act

    return keep


def begin(room: Room) -> None:
    """The interview runs, the root of the first tree was asked, Ana and Bo said everything there is to say about it."""
    room.do("ana", "interview.start")
    asked = room.ask()
    for who in ("ana", "bo"):
        room.judge(who, asked)
        room.do(who, "note.set", text=f"On the whole: {CANARY}", version=0)
        room.do(who, "boundary.set", tree="data-parallel", ended="time", version=0)
    room.marked = {"root": uuid.UUID(asked)}


# --- driving ----------------------------------------------------------------------------------------------------------


@case("interview.start", begun=False)
def with_nobody_but_the_panel(room: Room) -> Iterator[None]:
    yield
    room.do("ana", "interview.start")


@case("interview.start", begun=False)
def with_the_candidate_inside(room: Room) -> Iterator[None]:
    room.candidate_comes(admitted=True)
    yield
    room.do("ana", "interview.start")


@case("interview.pause")
def while_it_runs(room: Room) -> Iterator[None]:
    room.candidate_comes(admitted=True)
    yield
    room.do("ana", "interview.pause")


@case("interview.resume")
def after_two_pauses(room: Room) -> Iterator[None]:
    room.candidate_comes(admitted=True)
    for name in ("interview.pause", "interview.resume", "interview.pause"):
        room.do("ana", name)
    yield
    room.do("ana", "interview.resume")


@case("interview.end")
def while_running(room: Room) -> Iterator[None]:
    room.candidate_comes(admitted=True)
    yield
    room.do("ana", "interview.end")


@case("interview.end")
def while_paused(room: Room) -> Iterator[None]:
    room.do("ana", "interview.pause")
    yield
    room.do("ana", "interview.end")


@case("interview.end")
def by_itself_after_four_hours(room: Room) -> Iterator[None]:
    room.candidate_comes(admitted=True)
    Interview.objects.update(last_command_at=timezone.now() - timedelta(hours=5))
    yield
    assert end_quiet_interviews() == 1


@case("lead.hand_over")
def to_bo(room: Room) -> Iterator[None]:
    yield
    room.do("ana", "lead.hand_over", seat=room.scene.bo.code)


@case("lead.hand_over")
def and_back_again(room: Room) -> Iterator[None]:
    room.do("ana", "lead.hand_over", seat=room.scene.bo.code)
    yield
    room.do("bo", "lead.hand_over", seat=room.scene.ana.code)


@case("lead.hand_over")
def because_the_manager_replaced_the_lead(room: Room) -> Iterator[None]:
    yield
    cast = room.scene.cast
    replace_seat(seat=room.scene.ana, by=cast.mara, person=cast.sam)


@case("lead.take")
def by_bo_from_an_absent_lead(room: Room) -> Iterator[None]:
    Interview.objects.update(started_at=timezone.now() - timedelta(minutes=5))
    yield
    room.do("bo", "lead.take")


@case("probe.ask")
def a_follow_up(room: Room) -> Iterator[None]:
    yield
    room.ask("data-parallel/l2")


@case("probe.ask", begun=False)
def the_first_of_all(room: Room) -> Iterator[None]:
    room.do("ana", "interview.start")
    yield
    room.ask()


@case("probe.ask")
def another_tree_and_back(room: Room) -> Iterator[None]:
    yield
    room.ask("zero-stages/root")
    room.ask()


@case("probe.ask")
def late_by_who_led_then(room: Room) -> Iterator[None]:
    room.began_earlier(timedelta(minutes=1))
    room.do("ana", "lead.hand_over", seat=room.scene.bo.code)
    yield
    room.do("ana", "probe.ask", probe="data-parallel/l2", age=30)


@case("probe.ask")
def late_after_the_end(room: Room) -> Iterator[None]:
    room.began_earlier(timedelta(minutes=1))
    room.do("ana", "interview.end")
    yield
    room.do("ana", "probe.ask", probe="data-parallel/l2", age=30)


@case("probe.retract")
def the_only_one(room: Room) -> Iterator[None]:
    yield
    room.do("ana", "probe.retract", asked=room.marked["root"])


@case("probe.retract")
def back_to_the_one_before(room: Room) -> Iterator[None]:
    asked = room.ask("zero-stages/root")
    room.judge("bo", asked)
    yield
    room.do("ana", "probe.retract", asked=asked)


# --- the candidate ----------------------------------------------------------------------------------------------------


@case("prompt.share")
def of_the_question(room: Room) -> Iterator[None]:
    room.candidate_comes(admitted=True)
    yield
    room.do("ana", "prompt.share", asked=room.marked["root"])


@case("prompt.share")
def of_words_instead(room: Room) -> Iterator[None]:
    room.candidate_comes(admitted=True)
    room.do("ana", "prompt.share", asked=room.marked["root"])
    yield
    room.do("ana", "prompt.share", text="Eight <cards> & one switch")


@case("prompt.unshare")
def of_words(room: Room) -> Iterator[None]:
    room.candidate_comes(admitted=True)
    room.do("ana", "prompt.share", text="Eight cards")
    yield
    room.do("ana", "prompt.unshare")


@case("candidate.admit")
def when_something_is_shared_already(room: Room) -> Iterator[None]:
    room.candidate_comes(admitted=False)
    room.do("ana", "prompt.share", asked=room.marked["root"])
    yield
    room.do("ana", "candidate.admit")


@case("candidate.admit")
def of_a_second_browser(room: Room) -> Iterator[None]:
    room.candidate_comes(admitted=True)
    join(link=room.scene.candidate.links.get(), browser=uuid.uuid4(), language="en")
    yield
    room.do("ana", "candidate.admit")


@case("candidate.wait")
def in_the_lobby(room: Room) -> Iterator[None]:
    _token, link = make_link(room.scene.candidate)
    yield
    join(link=link, browser=uuid.uuid4(), language="en")


@case("candidate.wait")
def with_a_second_browser(room: Room) -> Iterator[None]:
    room.candidate_comes(admitted=True)
    yield
    join(link=room.scene.candidate.links.get(), browser=uuid.uuid4(), language="en")


@case("seats.change")
def whose_link_is_withdrawn(room: Room) -> Iterator[None]:
    room.candidate_comes(admitted=True)
    yield
    revoke_link(seat=_fresh(room.scene.candidate), by=room.scene.cast.mara)


@case("seats.change")
def whose_link_is_made_anew(room: Room) -> Iterator[None]:
    room.candidate_comes(admitted=True)
    yield
    reissue_link(seat=_fresh(room.scene.candidate), by=room.scene.cast.mara)


# --- from outside -----------------------------------------------------------------------------------------------------


@case("seats.change")
def one_more(room: Room) -> Iterator[None]:
    yield
    cast = room.scene.cast
    add_seat(interview=_interview(room), by=cast.mara, person=cast.sam, role=Role.INTERVIEWER)


@case("seats.change")
def one_less(room: Room) -> Iterator[None]:
    yield
    remove_seat(seat=_fresh(room.scene.chen), by=room.scene.cast.mara)


@case("seats.change")
def another_in_ones_place(room: Room) -> Iterator[None]:
    yield
    cast = room.scene.cast
    replace_seat(seat=_fresh(room.scene.chen), by=cast.mara, person=cast.sam)


@case("interview.cancel", begun=False)
def before_it_began(room: Room) -> Iterator[None]:
    yield
    cancel_interview(interview=_interview(room), by=room.scene.cast.mara, reason="Ill")


@case("interview.cancel", begun=False)
def with_the_candidate_inside_already(room: Room) -> Iterator[None]:
    room.candidate_comes(admitted=True)
    yield
    cancel_interview(interview=_interview(room), by=room.scene.cast.mara, reason="Fire alarm")


@case("interview.no_show", begun=False)
def of_an_interviewer(room: Room) -> Iterator[None]:
    Interview.objects.update(starts_at=timezone.now() - timedelta(minutes=30))
    room.candidate_comes(admitted=True)
    yield
    mark_no_show(interview=_interview(room), by=room.scene.cast.mara, role=Role.INTERVIEWER)


@case("interview.no_show", begun=False)
def of_the_candidate(room: Room) -> Iterator[None]:
    Interview.objects.update(starts_at=timezone.now() - timedelta(minutes=30))
    yield
    mark_no_show(interview=_interview(room), by=room.scene.cast.mara, role=Role.CANDIDATE)


def _interview(room: Room) -> Interview:
    return Interview.objects.select_related("application__position").get(pk=room.scene.interview.pk)


def _fresh(seat: Seat) -> Seat:
    return Seat.objects.select_related("interview__application", "person").get(pk=seat.pk)


def make(scene: Scene, chosen: Case) -> tuple[Room, Iterator[None]]:
    """Bring the scene to where the case's pages are drawn; `next` on what is returned does the act."""
    room = Room(scene)
    if chosen.begun:
        assert scene.interview.status == InterviewStatus.SCHEDULED
        begin(room)
    steps = chosen.act(room)
    next(steps)
    room.refresh()
    room.names.clear()
    return room, steps
