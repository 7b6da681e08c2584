"""The commands of a debrief room, one typed dataclass each, and the one service that carries each out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from datetime import timedelta
from typing import Annotated, Any
from uuid import UUID

from django.utils.translation import gettext as _

from interviews.enums import Decision
from interviews.live.commands import digest, read
from interviews.live.reading import Read, Whole, Words, one_of, read_text
from interviews.log import Ack
from interviews.services.refusal import Code, Refusal
from interviews.services.unchanged import UNCHANGED, Unchanged
from scoring.enums import DebriefPhase, Recommendation
from scoring.services import debrief_acts
from scoring.services.debrief_acts import perform


@dataclass(frozen=True, slots=True)
class DebriefStart:
    pass


@dataclass(frozen=True, slots=True)
class PhaseNext:
    """`leaves`: the phase that the sender saw; refused as stale when it is over already."""

    leaves: Annotated[DebriefPhase | Unchanged, Read(one_of(DebriefPhase))] = UNCHANGED


@dataclass(frozen=True, slots=True)
class VoteSet:
    recommendation: Annotated[Recommendation, Read(one_of(Recommendation))]
    version: Whole
    reason: Annotated[str | Unchanged, Read(read_text)] = UNCHANGED


@dataclass(frozen=True, slots=True)
class NotePost:
    text: Words


@dataclass(frozen=True, slots=True)
class DecisionRecord:
    """`version` counts the decisions so far; absent: none."""

    decision: Annotated[Decision, Read(one_of(Decision))]
    rationale: Words
    version: Whole = 0


COMMANDS: dict[str, type[Any]] = {
    "debrief.start": DebriefStart,
    "phase.next": PhaseNext,
    "vote.set": VoteSet,
    "note.post": NotePost,
    "decision.record": DecisionRecord,
}
SERVICES: dict[str, Callable[..., Ack]] = {
    "debrief.start": debrief_acts.start_debrief,
    "phase.next": debrief_acts.next_phase,
    "vote.set": debrief_acts.set_vote,
    "note.post": debrief_acts.post_note,
    "decision.record": debrief_acts.record_decision,
}


def carry_out(seat: int, command: UUID, name: str, data: dict[str, Any], age: timedelta) -> Ack:
    """Parse and do one command for a seat. Raises Refusal; then nothing has changed.

    `age` says nothing here: a phase is judged when a command arrives, since a late vote would open a closed round.
    """
    kind = COMMANDS.get(name)
    if kind is None:
        raise Refusal(Code.UNKNOWN_COMMAND, _("This room knows no command %(name)s.") % {"name": name[:60]})
    parsed = read(kind, name, data)
    given = {spec.name: getattr(parsed, spec.name) for spec in fields(parsed)}
    return perform(
        SERVICES[name],
        seat=seat,
        command=command,
        digest=digest(name, data),
        fields={field: value for field, value in given.items() if value is not UNCHANGED},
    )
