"""The Wright map: candidates, interviewers and probes on one scale of logits, as counts and never as names.

A candidate stands where a probe stands on which an average interviewer is expected to give them the middle of the
scale. Only coordinates and words leave this module.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

WIDTH, LEFT, RIGHT = 824, 132, 20
TOP, LANE, BARS = 10, 96, 66
BIN = 0.5
FURTHEST = 8.0
"""Logits beyond which everything stands at the end."""


@dataclass(frozen=True, slots=True)
class Bar:
    x: str
    y: str
    width: str
    height: str
    count: int
    label_x: str
    label_y: str


@dataclass(frozen=True, slots=True)
class Lane:
    label: str
    under: str
    label_y: int
    floor: int
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class MapRow:
    """A row of the table: from where to where, and how many of each stand there."""

    low: str
    high: str
    counts: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WrightMap:
    width: int
    height: int
    bottom: int
    steps_y: int
    grid: tuple[tuple[str, str], ...]
    lanes: tuple[Lane, ...]
    steps: tuple[tuple[str, str], ...]
    rows: tuple[MapRow, ...]


def draw(content: Mapping[str, Any]) -> WrightMap:
    """`content`: a run's."""
    scale = content["scales"][0]
    level = scale["intercept"]
    lanes = [
        (_("Candidates"), _("by capability"), [row["estimate"] + level for row in content["candidates"]]),
        (_("Interviewers"), _("by severity"), [row["estimate"] for row in content["interviewers"]]),
        (_("Probes"), _("by difficulty"), [row["estimate"] for row in content["items"]]),
    ]
    counts = [Counter(map(_bin, values)) for _label, _under, values in lanes]
    steps = [value for value in scale["thresholds"] if value is not None]
    low = min([*(place for count in counts for place in count), *map(_bin, steps)])
    high = max([*(place for count in counts for place in count), *map(_bin, steps)]) + 1
    unit = (WIDTH - LEFT - RIGHT) / (high - low)

    def x(value: float) -> float:
        return LEFT + unit * (min(max(value, -FURTHEST), FURTHEST) / BIN - low)

    bottom = TOP + LANE * len(lanes) + 40
    return WrightMap(
        width=WIDTH,
        height=bottom + 24,
        bottom=bottom,
        steps_y=bottom - 12,
        grid=tuple((f"{x(place * BIN):.1f}", _signed(place * BIN)) for place in _whole(low, high)),
        lanes=tuple(
            _lane(label, under, count, TOP + LANE * (place + 1), low, unit)
            for place, ((label, under, _values), count) in enumerate(zip(lanes, counts, strict=True))
        ),
        steps=tuple(
            (f"{x(value):.1f}", f"{scale['lowest'] + place}–{scale['lowest'] + place + 1}")
            for place, value in enumerate(scale["thresholds"])
            if value is not None
        ),
        rows=tuple(_rows(counts, low, high)),
    )


def _bin(value: float) -> int:
    return math.floor(min(max(value, -FURTHEST), FURTHEST - BIN / 2) / BIN)


def _whole(low: int, high: int) -> Iterable[int]:
    """The bins that begin at whole logits."""
    return (place for place in range(low, high + 1) if place * BIN % 1 == 0)


def _lane(label: str, under: str, count: Mapping[int, int], floor: int, low: int, unit: float) -> Lane:
    most = max(count.values(), default=1)
    bars = []
    for place, number in sorted(count.items()):
        height = max(BARS * number / most, 2.0)
        left = LEFT + unit * (place - low)
        bars.append(
            Bar(
                x=f"{left + 1:.1f}",
                y=f"{floor - height:.1f}",
                width=f"{unit - 2:.1f}",
                height=f"{height:.1f}",
                count=number,
                label_x=f"{left + unit / 2:.1f}",
                label_y=f"{floor - height - 4:.1f}",
            )
        )
    return Lane(label, under, floor - 22, floor, tuple(bars))


def _rows(counts: Sequence[Mapping[int, int]], low: int, high: int) -> Iterable[MapRow]:
    for place in reversed(range(low, high)):
        yield MapRow(_signed(place * BIN), _signed((place + 1) * BIN), tuple(count.get(place, 0) for count in counts))


def _signed(value: float) -> str:
    if not value:
        return "0"
    return f"{'+' if value > 0 else '−'}{abs(value):g}"
