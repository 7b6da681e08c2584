"""One candidate over several applications: the same drawing and table as for candidates side by side, and who said what
in each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from people.clock import iso
from scoring.labels import AIMS, RECOMMENDATIONS
from scoring.queries.candidate import Applied, CandidateData, Held
from scoring.reports.comparison import Entry, Line, lines
from scoring.reports.comparison_json import line_json, trees_json
from scoring.reports.sentences import one_decimal


@dataclass(frozen=True, slots=True)
class RaterRow:
    """One interviewer of a panel: values by dimension in words, and the recommendation."""

    name: str
    cells: tuple[str, ...]
    recommendation: str


def entries(data: CandidateData) -> list[Entry]:
    """One for each application, named by its position."""
    return [
        Entry(
            code=str(row.application.code),
            name=row.application.position.title,
            readable=row.readable,
            content=row.content,
            decision=row.application.decision if row.readable else None,
        )
        for row in data.applied
    ]


def draw_lines(data: CandidateData) -> list[Line]:
    return lines(entries(data), data.trees)


def raters(row: Applied, data: CandidateData) -> list[RaterRow]:
    """The interviewers of an application with their own values, in the panel card's order."""
    content = row.content
    if content is None:
        return []
    said = {each["person"]: each["recommendation"] for each in content["recommendations"]["by_rater"]}
    return [
        RaterRow(
            name=data.people[rater["person"]].name,
            cells=tuple(_own(content["dimensions"][aim]["by_rater"], rater["person"]) for aim in AIMS),
            recommendation=str(RECOMMENDATIONS[said[rater["person"]]]) if rater["person"] in said else "",
        )
        for rater in content["raters"]
    ]


def _own(rows: Sequence[dict[str, Any]], person: int) -> str:
    value = next((row["value"] for row in rows if row["person"] == person), None)
    return _("not enough evidence") if value is None else one_decimal(value)


def candidate_json(data: CandidateData, found: Sequence[Line]) -> dict[str, Any]:
    return {
        "candidate": str(data.code),
        "name": data.name,
        "trees": trees_json(data.trees),
        "applications": [
            {
                **line_json(line, data.trees),
                "position": row.application.position.title,
                "managed": row.managed,
                "interviews": [_held_json(held) for held in row.held],
            }
            for row, line in zip(data.applied, found, strict=True)
        ],
    }


def _held_json(held: Held) -> dict[str, Any]:
    return {
        "code": str(held.interview.code),
        "status": held.interview.status,
        "starts_at": iso(held.interview.starts_at),
        "seats": [{"seat": str(seat.code), "name": str(seat.person), "role": seat.role} for seat in held.seats],
        "timeline": held.timeline,
        "cards": [str(seat.code) for seat in held.cards],
    }
