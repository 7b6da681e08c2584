"""The drawings of a report, as SVG that says in words what it shows and takes its colours from the page."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any

from scoring.calibration.problems import printable
from scoring.calibration.tables import Z95, width

Element = dict[str, Any]

WIDE, LEFT, RIGHT = 760, 170, 20
ROW, TOP, AXIS = 20, 12, 44
MOST_ROWS = 80
BIN = 0.25
LANE, DOT = 96, 4.0
MOST_DOTS = 400
NAME_UNITS = 22


class Axis:
    """A scale of logits from left to right, with ticks at whole steps."""

    def __init__(self, low: float, high: float) -> None:
        self.step = next((step for step in (0.5, 1.0, 2.0, 5.0, 10.0) if (high - low) / step <= 12), 20.0)
        self.low, self.high = (
            math.floor(low / self.step) * self.step,
            max(math.ceil(high / self.step) * self.step, math.floor(low / self.step) * self.step + self.step),
        )

    def x(self, value: float) -> float:
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return LEFT + share * (WIDE - LEFT - RIGHT)

    def drawn(self, bottom: float, words: str) -> str:
        parts = []
        ticks = round((self.high - self.low) / self.step)
        for number in range(ticks + 1):
            value = self.low + number * self.step
            x = self.x(value)
            strong = ' class="zero"' if abs(value) < 1e-9 else ' class="grid"'
            parts.append(f'<path{strong} d="M{x:.1f} {TOP}V{bottom:.1f}"/>')
            parts.append(f'<text class="tick" x="{x:.1f}" y="{bottom + 16:.1f}">{value:g}</text>')
        middle = (LEFT + WIDE - RIGHT) / 2
        parts.append(f'<text class="tick" x="{middle:.1f}" y="{bottom + 34:.1f}">{escape(words)}</text>')
        return "".join(parts)


def severities(interviewers: Sequence[Element]) -> str:
    """Every interviewer's severity with its 95% interval, the strictest first, group by group."""
    known = [one for one in interviewers if one["estimate"] is not None and one["se"] is not None]
    if not known:
        return ""
    known.sort(key=lambda one: (one["group"], -one["estimate"]))
    shown = known if len(known) <= MOST_ROWS else [*known[: MOST_ROWS // 2], *known[-MOST_ROWS // 2 :]]
    groups = len({one["group"] for one in shown}) > 1
    low = min(one["estimate"] - Z95 * one["se"] for one in shown)
    high = max(one["estimate"] + Z95 * one["se"] for one in shown)
    axis = Axis(max(low, -12.0), min(high, 12.0))
    y, parts, before = float(TOP), [], None
    for one in shown:
        if groups and one["group"] != before:
            y += ROW
            parts.append(f'<text class="group" x="0" y="{y - 6:.1f}">Group {one["group"]}</text>')
        before = one["group"]
        y += ROW
        parts.append(_interval(axis, one, y - ROW / 2))
    left_out = len(known) - len(shown)
    said = f"Severity of {len(shown)} interviewers in logits with 95% intervals, the strictest first." + (
        f" {left_out} in the middle are in the table only." if left_out else ""
    )
    body = axis.drawn(y, "severity (logits): stricter to the right") + "".join(parts)
    return _svg("severity", "Severity of interviewers", said, y + AXIS, body)


def _interval(axis: Axis, one: Element, y: float) -> str:
    low, high = one["estimate"] - Z95 * one["se"], one["estimate"] + Z95 * one["se"]
    told = f"{one['id']}: {one['estimate']:.2f}, from {low:.2f} to {high:.2f}"
    return (
        f'<g><title>{escape(printable(told, 200))}</title><text class="name" x="{LEFT - 12}" y="{y + 4:.1f}">'
        f"{escape(cut(one['id'], NAME_UNITS))}</text>"
        f'<path class="interval" d="M{axis.x(low):.1f} {y:.1f}H{axis.x(high):.1f}"/>'
        f'<circle class="dot" cx="{axis.x(one["estimate"]):.1f}" cy="{y:.1f}" r="4"/></g>'
    )


def wright_map(report: dict[str, Any]) -> str:
    """Candidates, interviewers, items and thresholds on one scale of logits."""
    lanes = [
        ("Candidates", _estimates(report["candidates"]), "one"),
        ("Interviewers", _estimates(report["interviewers"]), "two"),
        ("Items", _estimates(report["items"]), "three"),
    ]
    values = [value for _, lane, _ in lanes for _, value in lane]
    if not values:
        return ""
    steps = [
        (f"{scale['scale']} {scale['lowest'] + place}".strip(), threshold)
        for scale in report["scales"]
        for place, threshold in enumerate(scale["thresholds"], 1)
        if threshold is not None
    ]
    values += [value for _, value in steps]
    axis = Axis(max(min(values), -12.0), min(max(values), 12.0))
    y, parts = float(TOP), []
    for name, lane, kind in lanes:
        y += LANE
        parts.append(f'<text class="name" x="{LEFT - 12}" y="{y - 6:.1f}">{name}</text>')
        parts.append(f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDE - RIGHT}"/>')
        parts.append(_lane(axis, lane, y, kind))
    y += 34
    parts.append(f'<text class="name" x="{LEFT - 12}" y="{y - 8:.1f}">Thresholds up to</text>')
    for name, value in steps:
        x = axis.x(value)
        parts.append(f'<path class="zero" d="M{x:.1f} {y - 6:.1f}V{y:.1f}"/>')
        parts.append(f'<text class="tick" x="{x:.1f}" y="{y - 10:.1f}">{escape(cut(name, 12))}</text>')
    said = (
        "Wright map: candidates by capability, interviewers by severity, items by difficulty and the thresholds "
        "between ratings, all on one scale of logits. The tables give every figure."
    )
    words = "logits: more capable, stricter, harder to the right"
    return _svg("wright", "Wright map", said, y + AXIS, axis.drawn(y, words) + "".join(parts))


def _estimates(elements: Sequence[Element]) -> list[tuple[str, float]]:
    return [(one["id"], one["estimate"]) for one in elements if one["estimate"] is not None]


def _lane(axis: Axis, lane: Sequence[tuple[str, float]], floor: float, kind: str) -> str:
    """Stacks of dots, or bars where dots would be too many."""
    bins: dict[int, list[tuple[str, float]]] = {}
    for name, value in sorted(lane, key=lambda one: one[1]):
        inside = min(max(value, axis.low), axis.high - 1e-9)
        bins.setdefault(math.floor(inside / BIN), []).append((name, value))
    highest = max(map(len, bins.values()), default=1)
    room = LANE - 18
    parts = []
    for place, members in bins.items():
        left, right = axis.x(place * BIN), axis.x((place + 1) * BIN)
        if len(lane) > MOST_DOTS:
            height = room * len(members) / highest
            told = f"{len(members)} from {place * BIN:g} to {(place + 1) * BIN:g}"
            parts.append(
                f'<rect class="{kind}" x="{left + 0.5:.1f}" y="{floor - height:.1f}" '
                f'width="{max(right - left - 1, 1):.1f}" height="{height:.1f}"><title>{told}</title></rect>'
            )
            continue
        gap = min(2 * DOT + 1, room / highest)
        for level, (name, value) in enumerate(members):
            told = printable(f"{name}: {value:.2f}", 200)
            parts.append(
                f'<circle class="{kind}" cx="{(left + right) / 2:.1f}" cy="{floor - DOT - 1 - level * gap:.1f}" '
                f'r="{min(DOT, max(gap / 2, 1.2)):.1f}"><title>{escape(told)}</title></circle>'
            )
    return "".join(parts)


def cut(text: str, units: int) -> str:
    """Shorten a name to the room it has."""
    shown = printable(text, units)
    while width(shown) > units:
        shown = shown.removesuffix("…")[:-1] + "…"
    return shown


def _svg(name: str, title: str, said: str, height: float, body: str) -> str:
    return (
        f'<svg role="img" aria-labelledby="{name}-title {name}-said" viewBox="0 0 {WIDE} {height:.0f}" '
        f'width="{WIDE}" height="{height:.0f}"><title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-said">{escape(said)}</desc>{body}</svg>'
    )
