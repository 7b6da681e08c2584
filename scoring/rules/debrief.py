"""What is allowed when in a debrief: gather, read in silence, vote again, discuss, decide. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from scoring.enums import DebriefPhase

READING_MINUTES = 10
"""How long the reading is meant to take. The clock says so; nobody is cut off."""

NEXT = {DebriefPhase.READING: DebriefPhase.VOTING, DebriefPhase.VOTING: DebriefPhase.DISCUSSING}


class Who(StrEnum):
    """By what right something is done: being in charge, having rated, having a seat."""

    MANAGER = "manager"
    RATER = "rater"
    EVERYONE = "everyone"


@dataclass(frozen=True, slots=True)
class Rule:
    """Who may send a command, in which phases, and the stream that its ack names."""

    who: Who
    phases: frozenset[DebriefPhase]
    stream: str = "panel"


def _in(*phases: DebriefPhase) -> frozenset[DebriefPhase]:
    return frozenset(phases)


COMMANDS = {
    "debrief.start": Rule(Who.MANAGER, _in(DebriefPhase.GATHERING)),
    "phase.next": Rule(Who.MANAGER, _in(*NEXT)),
    "vote.set": Rule(Who.RATER, _in(DebriefPhase.VOTING), "mine"),
    "note.post": Rule(Who.EVERYONE, _in(DebriefPhase.DISCUSSING)),
    "decision.record": Rule(Who.MANAGER, _in(DebriefPhase.DISCUSSING, DebriefPhase.DECIDED)),
}


def refusal(name: str, *, runs: bool, votes: bool, phase: DebriefPhase) -> str | None:
    """The code with which a command is refused now, or None. A right that is missing is said before the wrong time."""
    rule = COMMANDS[name]
    if (rule.who == Who.MANAGER and not runs) or (rule.who == Who.RATER and not votes):
        return "no_right"
    return None if phase in rule.phases else "not_live"
