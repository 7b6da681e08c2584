"""Reliability against the number of interviewers: raw means beside calibrated values. Coordinates and words only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scoring.reports.sentences import one_decimal, two_decimals

WIDTH, HEIGHT = 560, 250
LEFT, RIGHT, TOP, BOTTOM = 44, 120, 14, 210


@dataclass(frozen=True, slots=True)
class Point:
    """A panel of so many. `half`: half the width of a 95% interval of a value, in logits."""

    interviewers: int
    x: str
    calibrated_y: str
    raw_path: str
    calibrated: str
    raw: str
    half: str


@dataclass(frozen=True, slots=True)
class ReliabilityPlot:
    width: int
    height: int
    bottom: int
    grid: tuple[tuple[str, str, str], ...]
    points: tuple[Point, ...]
    calibrated_line: str
    raw_line: str
    label_x: str
    calibrated_label_y: str
    raw_label_y: str


def draw(study: Sequence[Mapping[str, Any]]) -> ReliabilityPlot:
    """`study`: a run's decision study, one row for each number of interviewers."""
    last = max(len(study) - 1, 1)
    xs = [LEFT + (WIDTH - LEFT - RIGHT) * place / last for place in range(len(study))]
    calibrated = [_y(row["reliability"]) for row in study]
    raw = [_y(row["raw_reliability"]) for row in study]
    ends = calibrated[-1], max(raw[-1], calibrated[-1] + 16)  # labels that would meet stand one below the other
    return ReliabilityPlot(
        width=WIDTH,
        height=HEIGHT,
        bottom=BOTTOM,
        grid=tuple((f"{_y(part / 4):.1f}", f"{_y(part / 4) + 4:.1f}", two_decimals(part / 4)) for part in range(5)),
        points=tuple(
            Point(
                interviewers=row["interviewers"],
                x=f"{x:.1f}",
                calibrated_y=f"{cy:.1f}",
                raw_path=f"M{x:.1f} {ry - 5:.1f}l5 5l-5 5l-5-5z",
                calibrated=two_decimals(row["reliability"]),
                raw=two_decimals(row["raw_reliability"]),
                half=one_decimal(row["half_width"]),
            )
            for row, x, cy, ry in zip(study, xs, calibrated, raw, strict=True)
        ),
        calibrated_line=_line(xs, calibrated),
        raw_line=_line(xs, raw),
        label_x=f"{xs[-1] + 12:.1f}",
        calibrated_label_y=f"{ends[0] + 4:.1f}",
        raw_label_y=f"{ends[1] + 4:.1f}",
    )


def _y(reliability: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * reliability


def _line(xs: Sequence[float], ys: Sequence[float]) -> str:
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in zip(xs, ys, strict=True))
