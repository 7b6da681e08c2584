"""Playing a script in the past: its commands go through the room's own services, each as old as the script says.

The same people, acts and commands as `manage.py simulate` sends over sockets; only nobody waits.
"""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from datetime import timedelta

from django.utils import timezone

from interviews import log
from interviews.live.dispatch import carry_out
from interviews.models import Interview, Seat
from scoring.queries.cards import working_card
from scoring.services.scorecards import submit_card
from scoring.simulation.outbox import Outbox
from scoring.simulation.script import Act, Script
from scoring.simulation.writer import Writer


def length_of(script: Script) -> timedelta:
    """How long the script's interview has been running when its last step is done."""
    return timedelta(seconds=max((step.at for step in script.steps if step.at is not None), default=0))


class PastPlay:
    """One interview and the seats of the script's people in it."""

    def __init__(self, script: Script, interview: Interview) -> None:
        self.script, self.interview = script, interview
        self.length = length_of(script)
        self.seats = self._seats()
        self.writers = {name: self._writer(seat) for name, seat in self.seats.items()}
        self._panel = 0

    def _seats(self) -> Mapping[str, Seat]:
        rows = Seat.objects.filter(interview=self.interview, person__isnull=False).select_related("person")
        by_email = {row.person.email: row for row in rows if row.person}
        return {name: by_email[email] for name, email in self.script.people.items()}

    def _writer(self, seat: Seat) -> Writer:
        writer = Writer(
            Outbox(),
            new_id=lambda: str(uuid.uuid4()),
            seat_of=lambda name: str(self.seats[name].code) if name in self.seats else None,
        )
        writer.welcome(str(seat.code), seat.role)
        return writer

    def play(self) -> None:
        """Play every step. In a transaction of the caller's: either all of it happened, or nothing. Raises Refusal."""
        self._begin_at_the_start()
        at = 0.0
        for step in self.script.steps:
            at = at if step.at is None else step.at
            for who, acts in step.acts.items():
                for act in acts:
                    self._act(who, act, at)
            self._hear()

    def _begin_at_the_start(self) -> None:
        """Set the clock back, so that what is made before now can have been made after the start."""
        self.started_at = timezone.now() - self.length
        Interview.objects.filter(pk=self.interview.pk).update(started_at=self.started_at)

    def _act(self, who: str, act: Act, at: float) -> None:
        writer = self.writers[who]
        writer.write(act, at)
        while rows := writer.outbox.due(at):
            for row in rows:
                # As JSON has it, and so as the wire would.
                data = json.loads(json.dumps(row.data))
                age = timezone.now() - self.started_at - timedelta(seconds=row.made)
                ack = carry_out(self.seats[who].pk, uuid.UUID(row.id), row.name, data, age)
                stream = ack.stream.partition(":")[0]
                writer.outbox.acknowledge({"id": row.id, "stream": stream, "seq": ack.seq, "version": ack.version})
        if act.name == "start":  # which wrote the time of now
            Interview.objects.filter(pk=self.interview.pk).update(started_at=self.started_at)

    def _hear(self) -> None:
        for event in log.since(self.interview.room_id, {log.PANEL: self._panel}):
            self._panel = event.seq
            for writer in self.writers.values():
                writer.hear({"name": event.name, "stream": log.PANEL, "data": event.data})

    def hand_in(self) -> None:
        """Submit the script's cards, in its order."""
        for name, card in self.script.cards.items():
            seat = self.seats[name]
            submit_card(
                seat=seat,
                version=working_card(seat).version,
                summary=card.summary,
                recommendation=card.recommendation,
                reason=card.reason,
            )
