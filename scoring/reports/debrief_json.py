"""A debrief and the reveal ledger for programs: what the pages show the same reader, no more. Erased words are null."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from interviews.models import Application
from people.clock import iso
from scoring.models import Debrief
from scoring.queries.debriefs import DebriefRoom, Part, VoteLine, cast_by, own_vote
from scoring.queries.ledger import LedgerLine


def no_debrief_json(application: Application) -> dict[str, Any]:
    return {"application": str(application.code), "state": "none"}


def debrief_json(application: Application, part: Part, room: DebriefRoom) -> dict[str, Any]:
    """`votes` is empty until the round is closed, as `room` is; `own_vote` is the reader's alone, `have_voted` null for
    who does not close the round."""
    own = own_vote(part.seat) if part.votes else None
    return {
        "application": str(application.code),
        "state": room.debrief.phase,
        "times": _times(room.debrief),
        "people": [{"seat": str(code), "name": name} for code, name in room.people],
        "own_vote": _vote(own) if own else None,
        "have_voted": cast_by(part),
        "votes": [_line(line) for line in room.votes],
        "notes": [
            {"id": str(note.pk), "by": note.seat.person.name, "at": iso(note.at), "text": note.text.body}
            for note in room.notes
        ],
        "decisions": [
            {
                "number": one.number,
                "decision": one.decision,
                "by": one.seat.person.name,
                "at": iso(one.at),
                "rationale": one.rationale.body,
            }
            for one in room.decisions
        ],
    }


def _times(debrief: Debrief) -> dict[str, str | None]:
    moments = {
        "opened": debrief.opened_at,
        "started": debrief.started_at,
        "closed": debrief.closed_at,
        "decided": debrief.decided_at,
    }
    return {name: iso(at) if at else None for name, at in moments.items()}


def _vote(vote: Any) -> dict[str, Any]:
    return {"recommendation": vote.recommendation, "reason": vote.reason.body if vote.reason else ""}


def _line(line: VoteLine) -> dict[str, Any]:
    return {
        "name": line.name,
        "before": [vote.recommendation for vote in line.before],
        "after": _vote(line.after) if line.after else None,
        "moved": line.moved,
    }


def ledger_json(application: Application, lines: Sequence[LedgerLine]) -> dict[str, Any]:
    return {
        "application": str(application.code),
        "lines": [
            {
                "at": iso(line.at),
                "kind": line.kind,
                "who": line.who,
                "whose": line.whose,
                "what": line.what,
                "rule": line.rule,
                "number": line.number,
                "seen_by": line.seen_by,
            }
            for line in lines
        ],
    }
