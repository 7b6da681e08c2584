"""A debrief as it is drawn: the regions that the page begins with and that frames repaint."""

from __future__ import annotations

from typing import Any

from django.template.loader import render_to_string

from scoring.enums import DebriefPhase
from scoring.labels import DECISIONS, PHASES, RECOMMENDATIONS
from scoring.queries.debriefs import DebriefRoom, Part, VoteLine, cast_by, own_vote
from scoring.rules.debrief import READING_MINUTES

SHARED = ("phase", "people", "votes", "notes", "decisions")
"""Regions that everybody sees alike, and what repaints them."""
REPAINTS: dict[str, tuple[str, ...]] = {
    "debrief.start": ("phase", "votes"),
    "phase.next": ("phase", "votes"),
    "note.post": ("notes",),
    "decision.record": ("phase", "decisions"),
    "seat.take": ("people",),
    "vote.set": ("my-vote",),
    "vote.cast": ("cast",),
}


def shared_context(room: DebriefRoom) -> dict[str, Any]:
    """What the shared regions are drawn from: depends on the debrief alone, on no reader."""
    phase = DebriefPhase(room.debrief.phase)
    order = list(DebriefPhase)
    return {
        "phase": phase,
        "since": room.debrief.phase_since,
        "steps": [
            {"name": PHASES[one], "now": one == phase, "done": order.index(one) < order.index(phase)} for one in order
        ],
        "minutes": READING_MINUTES,
        "people": [{"seat": str(code), "name": name} for code, name in room.people],
        "votes": [_vote(line) for line in room.votes],
        "notes": [
            {"id": note.pk, "by": note.seat.person.name, "at": note.at, "words": note.text.body} for note in room.notes
        ],
        "decisions": [
            {
                "name": DECISIONS[one.decision],
                "by": one.seat.person.name,
                "at": one.at,
                "words": one.rationale.body,
                "stands": place == 0,
            }
            for place, one in enumerate(room.decisions)
        ],
    }


def _vote(line: VoteLine) -> dict[str, Any]:
    return {
        "name": line.name,
        "before": [RECOMMENDATIONS[vote.recommendation] for vote in line.before],
        "after": RECOMMENDATIONS[line.after.recommendation] if line.after else None,
        "moved": line.moved,
        "reason": line.after.reason.body if line.after and line.after.reason else "",
        "erased": bool(line.after and line.after.reason and line.after.reason.body is None),
    }


def own_context(part: Part) -> dict[str, Any]:
    """What only this seat sees: its own second vote; for who closes the round, who has voted."""
    vote = own_vote(part.seat) if part.votes else None
    return {
        "own": vote
        and {
            "recommendation": vote.recommendation,
            "name": RECOMMENDATIONS[vote.recommendation],
            "reason": (vote.reason.body or "") if vote.reason else "",
            "version": vote.version,
            "at": vote.at,
        },
        "cast": cast_by(part),
    }


def draw_region(name: str, context: dict[str, Any]) -> str:
    return render_to_string(f"scoring/debrief_regions.html#{name}", context)
