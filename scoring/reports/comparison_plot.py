"""Values and intervals of several people on one axis, 0 to 4: in a figure for a few, in a table's cells for many.

Only coordinates and words leave this module; the template writes the SVG with classes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from people.drawing import fit
from scoring.labels import AIMS
from scoring.rules.intervals import Interval, calibrated

FIRST, APART, UNIT = 190, 340, 62  # x of 0 in the first panel, from one panel to the next, one point of the scale
TOP, ROW = 56, 44
FIGURE = 286  # from a panel's 0 to the end of its figures
NAME_UNITS = 24


@dataclass(frozen=True, slots=True)
class Bar:
    """SVG paths and points, as attribute texts; empty where there is nothing to draw.

    A calibrated value is a dot on its interval with caps; a raw one an open diamond on a thin line from the lowest to
    the highest interviewer, which is no interval and has no caps.
    """

    y: str = ""
    range_path: str = ""
    cap_path: str = ""
    dot_x: str = ""
    thin_path: str = ""
    raw_path: str = ""


CELL_BAR = {"start": 6, "unit": 24, "y": 8}  # for a cell's drawing, 108 by 16


def bar(dimension: Mapping[str, Any], *, start: float, unit: float, y: float) -> Bar:
    """Draw a panel card's dimension at height `y`; 0 stands at `start`, each point is `unit` wide."""
    interval = calibrated(dimension)
    if interval:
        low, high = (start + unit * value for value in (interval.low, interval.high))
        return Bar(
            y=_n(y),
            range_path=f"M{_n(low)} {_n(y)}H{_n(high)}",
            cap_path=f"M{_n(low)} {_n(y - 4)}v8M{_n(high)} {_n(y - 4)}v8",
            dot_x=_n(start + unit * interval.value),
        )
    if dimension["value"] is None:
        return Bar()
    low, high, x = (start + unit * dimension[name] for name in ("lowest", "highest", "value"))
    return Bar(
        y=_n(y),
        thin_path=f"M{_n(low)} {_n(y)}H{_n(high)}" if low < high else "",
        raw_path=f"M{_n(x)} {_n(y - 5)}l5 5l-5 5l-5-5z",
    )


@dataclass(frozen=True, slots=True)
class Place:
    """One dimension of one person: what is drawn, the figure at its end, what is said under it or instead."""

    bar: Bar
    figure: str
    under: str
    note: str
    note_x: str
    end_x: str


@dataclass(frozen=True, slots=True)
class PlotRow:
    name: str
    under: str
    strong: bool
    name_y: int
    under_y: int
    rule_y: int
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """One dimension's axis. `band`: x and width of the interval that the others are measured against, or None."""

    label: str
    x: int
    grid: tuple[tuple[int, int], ...]
    band: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Plot:
    height: int
    bottom: int
    scale_y: int
    panels: tuple[Panel, ...]
    rows: tuple[PlotRow, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """What is written beside a drawing: the figure, a word under it, or a note where there is no value."""

    figure: str = ""
    under: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Subject:
    """Who is drawn. `dimensions`: the panel card's, None where it may not be read or isn't there yet."""

    name: str
    under: str
    strong: bool
    dimensions: Mapping[str, Any] | None
    said: Sequence[Said]


def draw(subjects: Sequence[Subject], bands: Mapping[str, Interval | None]) -> Plot:
    """`said` of a subject goes by dimension in the order of AIMS, as do the panels."""
    bottom = TOP + ROW * len(subjects) - 18
    return Plot(
        height=bottom + 34,
        bottom=bottom,
        scale_y=bottom + 26,
        panels=tuple(_panel(aim, FIRST + APART * place, bands.get(aim)) for place, aim in enumerate(AIMS)),
        rows=tuple(_row(subject, TOP + ROW * place) for place, subject in enumerate(subjects)),
    )


def _panel(aim: str, x: int, band: Interval | None) -> Panel:
    return Panel(
        label=str(AIMS[aim]),
        x=x,
        grid=tuple((x + UNIT * value, value) for value in range(5)),
        band=(_n(x + UNIT * band.low), _n(UNIT * (band.high - band.low))) if band else None,
    )


def _row(subject: Subject, y: int) -> PlotRow:
    places = []
    for place, (aim, said) in enumerate(zip(AIMS, subject.said, strict=True)):
        x = FIRST + APART * place
        drawn = bar(subject.dimensions[aim], start=x, unit=UNIT, y=y) if subject.dimensions else Bar()
        places.append(Place(drawn, said.figure, said.under, said.note, str(x + 6), str(x + FIGURE)))
    return PlotRow(
        name=fit(subject.name, NAME_UNITS),
        under=fit(subject.under, NAME_UNITS),
        strong=subject.strong,
        name_y=y,
        under_y=y + 16,
        rule_y=y + 22,
        places=tuple(places),
    )


def _n(value: float) -> str:
    """A coordinate: at most one decimal, no trailing zero."""
    return f"{value:.1f}".removesuffix(".0")
