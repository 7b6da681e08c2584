"""An interview of ten minutes with everything a timeline tells of, played by the room's own commands at known times."""

from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import time_machine

from interviews.live.dispatch import carry_out
from interviews.models import Asked, Attendance, Seat
from tests.cast import Cast
from tests.support.factories import Scene, make_scene

START = datetime(2026, 11, 30, 10, 42, tzinfo=UTC)


class Played:
    """Ana asks the root (1:00), level 2 of the first tree by mistake (3:00, taken back 3:30), pauses from 4:00 to 6:00,
    asks the root of the second tree (7:00) and, in a message that comes late, level 3 there (7:36); she hands the lead
    to Bo (8:00), who asks level 2 (9:00); the end is at 10:00.

    Ana finds the first answer partial (2:00), then sustained (5:00), with a note, evidence and a reason; Bo recited.
    """

    def __init__(self, cast: Cast, **fields: Any) -> None:
        with time_machine.travel(START - timedelta(hours=1), tick=False):
            self.scene: Scene = make_scene(cast, **fields)
        self.asked: dict[str, str] = {}
        for seat in (self.scene.ana, self.scene.bo, self.scene.chen, self.scene.dee):
            Attendance.objects.create(seat=seat, started_at=START, seen_at=START + timedelta(minutes=10))

    def do(self, minutes: float, who: str, name: str, **data: Any) -> str:
        """Carry out a command `minutes` after the start; return its id."""
        seat: Seat = getattr(self.scene, who)
        command = uuid.uuid4()
        with time_machine.travel(START + timedelta(minutes=minutes), tick=False):
            carry_out(seat.pk, command, name, data, timedelta())
        return str(command)

    def play(self) -> Played:
        self.do(0, "ana", "interview.start")
        root = self.asked["root"] = self.do(1, "ana", "probe.ask", probe="data-parallel/root")
        self.do(1.5, "ana", "prompt.share", asked=root)
        self.do(2, "ana", "mark.set", asked=root, outcome="partial", ratings={"depth": 2}, version=0)
        self.do(2.1, "bo", "mark.set", asked=root, outcome="recited", aid="told", confidence="high", version=0)
        self.do(2.2, "ana", "note.set", asked=root, text="=1+1 counts before answering", version=0)
        self.do(2.3, "ana", "evidence.add", asked=root, type="built", aid="unaided", detail="Eight cards")
        self.do(2.4, "ana", "reason.add", asked=root, type="regret", aid="prompted", detail="Would not again")
        gone = self.asked["gone"] = self.do(3, "ana", "probe.ask", probe="data-parallel/l2")
        self.do(3.5, "ana", "probe.retract", asked=gone)
        self.do(4, "ana", "interview.pause")
        self.do(5, "ana", "mark.set", asked=root, outcome="sustained", aid="unaided", version=1)
        self.do(6, "ana", "interview.resume")
        self.do(6.5, "ana", "prompt.share", text="Draw it on the pad")
        self.asked["zero"] = self.do(7, "ana", "probe.ask", probe="zero-stages/root")
        self.asked["late"] = self.do(7.6, "ana", "probe.ask", probe="zero-stages/l3")
        # The log's own clock is the database's, which doesn't travel: what comes late is only said to have.
        Asked.objects.filter(pk=self.asked["late"]).update(late=True)
        self.do(8, "ana", "lead.hand_over", seat=str(self.scene.bo.code))
        self.asked["zero2"] = self.do(9, "bo", "probe.ask", probe="zero-stages/l2")
        self.do(9.5, "ana", "boundary.set", tree="data-parallel", ended="moved_on", version=0)
        self.do(10, "bo", "interview.end")
        return self
