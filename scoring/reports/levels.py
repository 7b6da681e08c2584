"""The drawing of one boundary along the levels, the same on the card, in the map and in the room.

Filled dot: the floor. Open square: the ceiling. Dots: nothing judged between. Arrow: at least this deep. Only numbers
leave this module; the template writes the SVG with classes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Scale:
    """Where levels stand: level 1 at `first`, each deeper one `step` further; the line begins at `start`."""

    start: float
    first: float
    step: float

    def x(self, level: float) -> float:
        return self.first + (level - 1) * self.step if level >= 1 else self.start


@dataclass(frozen=True, slots=True)
class LevelDrawing:
    """SVG paths and points at height `y`, as attribute texts; empty where there is nothing to draw."""

    y: str
    floor_path: str
    dot_x: str
    thin_path: str
    gap_path: str
    ceiling_path: str
    arrow_line: str
    arrow_path: str


def draw(found: Mapping[str, Any], scale: Scale, y: float, *, dot: float = 4.5, arrow: float = 26) -> LevelDrawing:
    """Draw a boundary's content at height `y`. Nothing known draws nothing."""
    floor, ceiling = found["floor"], found["ceiling"]
    if floor is None or found["excluded"]:
        return LevelDrawing(_n(y), "", "", "", "", "", "", "")
    x = scale.x(floor)
    between = ""
    if ceiling is not None:
        between = f"M{_n(x + dot + 1.5)} {_n(y)}H{_n(scale.x(ceiling) - dot - 0.5)}"
    tip = x + arrow
    return LevelDrawing(
        y=_n(y),
        floor_path=f"M{_n(scale.start)} {_n(y)}H{_n(x)}" if floor else "",
        dot_x=_n(x),
        thin_path=between if not found["gaps"] else "",
        gap_path=between if found["gaps"] else "",
        ceiling_path=f"M{_n(scale.x(ceiling) - dot)} {_n(y - dot)}h{_n(2 * dot)}v{_n(2 * dot)}h{_n(-2 * dot)}z"
        if ceiling is not None
        else "",
        arrow_line=f"M{_n(x)} {_n(y)}h{_n(arrow)}" if found["at_least"] else "",
        arrow_path=f"M{_n(tip - 5)} {_n(y - 5)}l6 5l-6 5" if found["at_least"] else "",
    )


def _n(value: float) -> str:
    """A coordinate: at most one decimal, no trailing zero."""
    return f"{value:.1f}".removesuffix(".0")
