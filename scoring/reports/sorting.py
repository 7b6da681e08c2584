"""The order of a comparison's rows: the neutral one, or by a column where the reader may see every row.

Without a sort it is the order of application, which no judgement moves. With anything sealed among the rows a sort
would tell of it, so there is none: not for a column, not for a name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from scoring.labels import AIMS
from scoring.reports.comparison import Line
from scoring.rules.intervals import calibrated

COLUMNS = (*AIMS, "breadth", "gaps")


@dataclass(frozen=True, slots=True)
class Order:
    """`column`: one of COLUMNS, or blank for the neutral order."""

    column: str = ""
    descending: bool = False

    @property
    def code(self) -> str:
        """As the address has it: "depth", "-depth" for the highest first."""
        return f"-{self.column}" if self.descending else self.column

    def aria(self, column: str) -> str:
        """The `aria-sort` of a column's head."""
        if column != self.column:
            return "none"
        return "descending" if self.descending else "ascending"

    def turned(self, column: str) -> Order:
        """What pressing a column's head asks for: the highest first, then the other way round."""
        return Order(column, descending=not (column == self.column and self.descending))


def read_order(text: str, *, sortable: bool) -> Order:
    """Read what the address asks for; whatever is unknown, or would tell of something sealed, is the neutral order."""
    column = text.removeprefix("-")
    return Order(column, text.startswith("-")) if sortable and column in COLUMNS else Order()


def in_order(lines: Sequence[Line], order: Order) -> list[Line]:
    """Sort lines that stand in the neutral order; those without a value come last either way."""
    if not order.column:
        return list(lines)
    value = _value(lines, order.column)
    known = [line for line in lines if value(line) is not None]
    rest = [line for line in lines if value(line) is None]
    sign = -1 if order.descending else 1
    return [*sorted(known, key=lambda line: sign * (value(line) or 0)), *rest]


def _value(lines: Sequence[Line], column: str) -> Callable[[Line], float | None]:
    if column == "gaps":
        return lambda line: line.gap_count if line.content else None
    if column == "breadth":
        return lambda line: line.content["breadth"]["count"] if line.content else None
    # Calibrated and raw values are not of one kind: where some are calibrated, the others stand behind them.
    if any(line.content and calibrated(line.content["dimensions"][column]) for line in lines):
        return lambda line: _calibrated(line, column)
    return lambda line: line.content["dimensions"][column]["value"] if line.content else None


def _calibrated(line: Line, column: str) -> float | None:
    found = calibrated(line.content["dimensions"][column]) if line.content else None
    return found.value if found else None
