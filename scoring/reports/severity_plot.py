"""Interviewers on one axis, in points: where each marks beside the average one, with intervals.

Only coordinates and words leave this module; the template writes the SVG with classes.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

from people.drawing import fit
from people.models import Person
from scoring.reports.points import between, known, lower_or_higher
from scoring.rules.interviewer import FEWEST_OTHERS

WIDTH, LEFT, RIGHT = 824, 200, 24
TOP, ROW = 30, 18
NAME_UNITS = 26
STEP = 0.5
"""Points from one line of the grid to the next."""


@dataclass(frozen=True, slots=True)
class SeverityRow:
    """One interviewer. `name` is empty, and `code` None, where the reader may not see whose it is. `known`: enough
    ratings stand behind it."""

    name: str
    short: str
    code: UUID | None
    known: bool
    y: int
    text_y: int
    range_path: str
    dot_x: str
    says: str
    interval: str
    ratings: int
    candidates: int


@dataclass(frozen=True, slots=True)
class SeverityPlot:
    """`left_out`: how many are not drawn, since without a name they would still be about somebody."""

    width: int
    height: int
    bottom: int
    zero_x: str
    grid: tuple[tuple[str, str], ...]
    rows: tuple[SeverityRow, ...]
    left_out: int


def draw(severities: Sequence[Mapping[str, Any]], people: Mapping[str, Person]) -> SeverityPlot:
    """The strictest first. `severities`: those of a run. `people`: whom the reader may see named, by id."""
    unnamed = sum(one["id"] not in people for one in severities)
    shown = [one for one in severities if one["id"] in people or unnamed >= FEWEST_OTHERS]
    shown.sort(key=lambda one: -one["points"][0])
    reach = max((abs(end) for one in shown for end in one["points"]), default=STEP)
    ends = max(math.ceil(reach / STEP), 1)
    unit = (WIDTH - LEFT - RIGHT) / (2 * ends)  # of one step
    zero = LEFT + unit * ends
    bottom = TOP + ROW * len(shown)

    def x(points: float) -> float:
        """Whoever marks higher stands to the right."""
        return zero - unit * points / STEP

    return SeverityPlot(
        width=WIDTH,
        height=bottom + 24,
        bottom=bottom,
        zero_x=f"{zero:.1f}",
        grid=tuple((f"{zero + unit * step:.1f}", _label(step * STEP)) for step in range(-ends, ends + 1)),
        rows=tuple(_row(one, people.get(one["id"]), TOP + ROW * place, x) for place, one in enumerate(shown)),
        left_out=len(severities) - len(shown),
    )


def _row(one: Mapping[str, Any], person: Person | None, top: int, x: Any) -> SeverityRow:
    value, low, high = one["points"]
    enough = known(one)
    name = person.name if person else ""
    return SeverityRow(
        name=name,
        short=fit(name, NAME_UNITS),
        code=person.code if person else None,
        known=enough,
        y=top + ROW // 2,
        text_y=top + ROW // 2 + 4,
        range_path=f"M{x(high):.1f} {top + ROW // 2}H{x(low):.1f}",
        dot_x=f"{x(value):.1f}",
        says=_says(one, value),
        interval=between(one["points"]),
        ratings=one["linked"][0],
        candidates=one["linked"][1],
    )


def _says(one: Mapping[str, Any], value: float) -> str:
    if known(one):
        return lower_or_higher(value)
    return _("taken as average") if one["tied"] else _("can't be compared")


def _label(points: float) -> str:
    if not points:
        return "0"
    return f"{'+' if points > 0 else '−'}{abs(points):.1f}"
