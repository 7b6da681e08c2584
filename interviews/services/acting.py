"""Doing one command of a room: who acts, in which transaction, and what every service may rely on.

A service gets an Act. Shared commands call `act.lock()` first: it takes the room's row, finds repeats, and reads the
state again, so that guards see what is certain. Marks skip that: their stream's row is the lock, taken by `append`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from interviews import log
from interviews.enums import InterviewStatus, Role
from interviews.log import Ack, Cause, NewEvent
from interviews.models import Asked, Command, Interview, Room, Seat
from interviews.rules.conduct import refusal
from interviews.sealed import RUNNING
from interviews.services.owing import owe_card
from interviews.services.refusal import Code, Refusal
from people.compiled import Compiled

_seat = Compiled(
    lambda seat: Seat.objects.select_related("interview__application__position", "interview__room").filter(pk=seat), int
)
_room = Compiled(lambda room: Room.objects.select_for_update(no_key=True).filter(pk=room), int)
_asking = Compiled(lambda asked: Asked.objects.filter(pk=asked).select_related("probe", "adhoc"), UUID)
_command = Compiled(lambda seat, command: Command.objects.filter(seat=seat, command=command), int, UUID)


def seat_with_room(seat: int) -> Seat:
    return _seat.one(seat)


# Seats of interviews that have begun, as this process first met them: what names a room and a stream never changes, and
# neither does when it began. Whatever can change is read again where it matters (lock, write_mine).
_known: dict[int, Seat] = {}
KEPT = 4096


def known_seat(seat: int) -> Seat:
    """The seat for what never changes of it, without asking the database again for every mark."""
    found = _known.get(seat)
    if found is None:
        found = seat_with_room(seat)
        if found.interview.started_at is not None:
            if len(_known) >= KEPT:
                _known.clear()
            _known[seat] = found
    return found


# Of a seat, what judging asks of it as it is now.
_STATE = """
SELECT s.role, s.removed_at IS NOT NULL, s.card_submitted_at IS NOT NULL, s.card_amending_at IS NOT NULL, i.status
FROM interviews_seat s JOIN interviews_interview i ON i.id = s.interview_id WHERE s.id = %s
"""


# Askings, with the question: nothing of them changes but whether they were taken back, which judging does not ask.
_asked: dict[UUID, Asked] = {}


@dataclass(slots=True)
class Act:
    """One command being carried out. `made_at` is when the person acted, held between the start and now."""

    seat: Seat
    cause: Cause

    @property
    def interview(self) -> Interview:
        return self.seat.interview

    @property
    def made_at(self) -> datetime:
        return self.cause.made_at

    def hold(self, since: datetime) -> None:
        """Count the act no earlier than what must have come before it, whatever the sender's clock says."""
        if self.cause.made_at < since:
            self.cause = replace(self.cause, made_at=since)

    def lock(self) -> None:
        """Take the room, so that its state can't change under the guards. Raises Repeated, IdReused."""
        _room.one(self.interview.room_id)
        for known in _command(self.seat.pk, self.cause.command):
            if known.digest != self.cause.digest:
                raise log.IdReused
            raise log.Repeated(Ack(known.stream, known.seq, known.version))
        self.seat = seat_with_room(self.seat.pk)

    def append(self, *events: NewEvent, version: int | None = None) -> Ack:
        return log.append(self.interview.room_id, events, seat=self.seat, cause=self.cause, version=version)

    def write_mine(self, name: str, data: dict[str, Any], *, version: int) -> Ack:
        """Append a judgement's event to the author's own stream, then check that they may judge now.

        In this order, because a repeat must get its first answer whatever has happened since; a refusal rolls back.
        """
        return self.write_mine_with(name, data, version=version).ack

    def write_mine_with(self, name: str, data: dict[str, Any], *then: log.Statement, version: int) -> log.Written:
        """The same, and in the same round trip what writes the judgement; its rows are those of `then`.

        What they wrote is rolled back with a refusal.
        """
        event = NewEvent(log.mine(self.seat), name, {**data, "version": version})
        written = log.append_with(
            self.interview.room_id,
            [event],
            [*then, (_STATE, [self.seat.pk])],
            seat=self.seat,
            cause=self.cause,
            version=version,
        )
        state = written.rows.pop()
        if state is not None and state[-1] in RUNNING:
            # While it runs, what judging needs of both rows is what was asked here, and what never changes.
            role, removed, submitted, amending, status = state
            _allow(name, role=role, status=status, removed=removed, submitted=submitted, amending=amending)
        else:
            self.seat = seat_with_room(self.seat.pk)
            self.guard(name)
            if self.interview.status == InterviewStatus.ENDED:
                owe_card(self.seat)
        return written

    def asked(self, asked: UUID) -> Asked:
        """The asking that is judged, with its question. Raises Refusal not_asked."""
        found = _asked.get(asked)
        if found is None:
            found = next(iter(_asking(asked)), None)
            if found is None:
                raise Refusal(Code.NOT_ASKED, _("This question was not asked in this interview."))
            if len(_asked) >= KEPT:
                _asked.clear()
            _asked[asked] = found
        if found.interview_id != self.interview.pk:
            raise Refusal(Code.NOT_ASKED, _("This question was not asked in this interview."))
        return found

    def guard(self, name: str) -> None:
        """Raise Refusal unless this seat may send the command now (interviews.rules has the table)."""
        _allow(
            name,
            role=self.seat.role,
            status=self.interview.status,
            removed=self.seat.removed_at is not None,
            submitted=self.seat.card_submitted_at is not None,
            amending=self.seat.card_amending_at is not None,
        )


def _allow(name: str, *, role: str, status: str, removed: bool, submitted: bool, amending: bool) -> None:
    if removed:
        raise Refusal(Code.NO_RIGHT, _("You no longer have a seat in this interview."))
    status = InterviewStatus(status)
    code = refusal(name, role=Role(role), status=status, card_submitted=submitted, amending=amending)
    if code is not None:
        words = STATUS_WORDS[status] if code == "not_live" else CODE_WORDS[Code(code)]
        raise Refusal(Code(code), words())


STATUS_WORDS: dict[InterviewStatus, Callable[[], str]] = {
    InterviewStatus.SCHEDULED: lambda: _("The interview has not started."),
    InterviewStatus.LIVE: lambda: _("The interview is running already."),
    InterviewStatus.PAUSED: lambda: _("The interview is paused."),
    InterviewStatus.ENDED: lambda: _("The interview has ended."),
    InterviewStatus.CANCELLED: lambda: _("The interview is cancelled."),
    InterviewStatus.NO_SHOW: lambda: _("The interview did not take place."),
}


CODE_WORDS: dict[Code, Callable[[], str]] = {
    Code.NOT_LEAD: lambda: _("Only the lead can do this."),
    Code.NO_RIGHT: lambda: _("Your seat has no right to do this."),
    Code.SUBMITTED: lambda: _("Your scorecard is submitted: its marks change only while you amend it."),
    Code.UNKNOWN_COMMAND: lambda: _("This room does not know the command."),
}


def perform(
    service: Callable[..., Ack],
    *,
    seat: int,
    command: UUID,
    digest: str,
    age: timedelta,
    fields: dict[str, Any],
    at_once: Callable[..., Ack | None] | None = None,
) -> Ack:
    """Carry out one command in one transaction and return its ack: the first one, if it was accepted before.

    `at_once`: what does the same in one statement of its own where nothing speaks against it, and otherwise nothing.
    Raises Refusal; then nothing has changed.
    """
    if at_once is not None:
        seated = known_seat(seat)
        if not _touch_due(seated.interview_id):
            ack = at_once(Act(seated, Cause(command, digest, _made_at(seated.interview, age))), **fields)
            if ack is not None:
                return ack
    try:
        with transaction.atomic():
            seated = known_seat(seat)
            act = Act(seat=seated, cause=Cause(command, digest, _made_at(seated.interview, age)))
            ack = service(act, **fields)
            _touch(seated.interview_id)
            return ack
    except log.Repeated as repeated:
        return repeated.ack
    except log.IdReused:
        raise Refusal(Code.ID_REUSED, _("This command's id was used before for something else.")) from None
    except IntegrityError as error:
        # What the command would create has its id; somebody else's has it already.
        constraint = getattr(getattr(error.__cause__, "diag", None), "constraint_name", None) or ""
        if not constraint.endswith("_pkey"):
            raise
        raise Refusal(Code.ID_REUSED, _("This command's id was used before for something else.")) from None


_touched: dict[int, float] = {}


def _touch_due(interview: int) -> bool:
    return time.monotonic() - _touched.get(interview, -60) >= 15


def _touch(interview: int) -> None:
    """Keep when the interview was last alive, to the half minute: a write per mark would make markers queue."""
    if not _touch_due(interview):
        return
    if len(_touched) >= KEPT:
        _touched.clear()
    _touched[interview] = time.monotonic()
    now = timezone.now()
    lately = Q(last_command_at__gt=now - timedelta(seconds=30))
    Interview.objects.filter(~lately, pk=interview).update(last_command_at=now)


def _made_at(interview: Interview, age: timedelta) -> datetime:
    now = timezone.now()
    earliest = interview.started_at or now
    return max(min(now - age, now), min(earliest, now))
