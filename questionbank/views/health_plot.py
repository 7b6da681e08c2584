"""Draws where candidates stop: the tree as an outline, a branch as wide as the applications that came along it, and
beside each probe a bar of those who reached it, with the end of the bar for those who went no further.

Coordinates only; the template holds the words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from people.drawing import fit
from people.fields import words_in
from questionbank.health import ProbeHealth
from questionbank.models import Probe

ROW, TOP = 30, 8
LEFT, TREE_ROOM = 14, 250  # x of the root, and the width that all steps to the right share
BARS, BAR_ROOM = 560, 330  # where bars begin, and the longest
NUMBERS = BARS + BAR_ROOM + 14
CHARACTER = 6.6  # width of one at the drawing's size, on the safe side
THIN, WIDE = 1.5, 10.0


@dataclass(frozen=True, slots=True)
class Row:
    """One probe. Coordinates are attribute texts. `branch`: the path from its parent, "" for the root."""

    probe: ProbeHealth
    title: str
    lang: str
    x: str
    y: int
    text_x: str
    branch: str
    branch_width: str
    reached_width: str
    stopped_x: str
    stopped_width: str

    @property
    def base(self) -> int:
        """Where its words stand."""
        return self.y + 4

    @property
    def bar_y(self) -> int:
        return self.y - 6


@dataclass(frozen=True, slots=True)
class Flow:
    height: int
    rows: tuple[Row, ...]

    @property
    def back_to_front(self) -> tuple[Row, ...]:
        """Branches leave their parent on one trunk: the last first, so that no end is drawn over."""
        return self.rows[::-1]


def draw_flow(probes: Sequence[ProbeHealth], rows: Mapping[str, Probe]) -> Flow:
    """`probes` in reading order; `rows`: key -> probe, for its title."""
    most = max([1, *(probe.reached for probe in probes)])
    step = min(26.0, TREE_ROOM / max([1, *(probe.node.depth for probe in probes)]))
    places: dict[str, tuple[float, int]] = {}
    drawn = []
    for index, probe in enumerate(probes):
        x, y = LEFT + step * probe.node.depth, TOP + ROW * index + ROW // 2
        places[probe.node.key] = (x, y)
        drawn.append(_row(probe, rows[probe.node.key], x, y, places.get(probe.node.parent or ""), most))
    return Flow(height=TOP + ROW * len(drawn) + 4, rows=tuple(drawn))


def _row(probe: ProbeHealth, row: Probe, x: float, y: int, parent: tuple[float, int] | None, most: int) -> Row:
    title, lang = words_in(row.title)
    text_x = x + 13
    stopped = probe.seen.stopped if probe.seen else 0
    scale = BAR_ROOM / most
    return Row(
        probe=probe,
        title=fit(title, int((BARS - 12 - text_x) / CHARACTER)),
        lang=lang,
        x=f"{x:.0f}",
        y=y,
        text_x=f"{text_x:.0f}",
        branch=_branch(parent, x, y) if parent else "",
        branch_width=f"{THIN + (WIDE - THIN) * probe.reached / most:.1f}",
        reached_width=f"{probe.reached * scale:.1f}",
        stopped_x=f"{BARS + (probe.reached - stopped) * scale:.1f}",
        stopped_width=f"{stopped * scale:.1f}",
    )


def _branch(parent: tuple[float, int], x: float, y: int) -> str:
    """Down from the parent and, in a bend, into the probe."""
    px, py = parent
    bend = min(10.0, x - px)
    return f"M{px:.1f} {py}V{y - bend:.1f}Q{px:.1f} {y} {px + bend:.1f} {y}H{x:.1f}"
