"""Calibrated intervals of a panel card, and how two of them lie: the one thing that may be said about an order.

The seam to the calibration: a dimension's `calibrated` is None, or has `value`, `low` and `high` (95%), in
ratings. A raw value has no interval; the range of the interviewers' values is none, and is never compared as one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


@dataclass(frozen=True, slots=True)
class Interval:
    """A calibrated value with its 95% interval, 0 to 4."""

    value: float
    low: float
    high: float


class Relation(StrEnum):
    """How an interval lies to the one it is measured against."""

    OVERLAPS = "overlaps"
    ABOVE = "above"
    BELOW = "below"


def calibrated(dimension: Mapping[str, Any]) -> Interval | None:
    """Read the interval of a panel card's dimension; None where no calibration gave one."""
    found = dimension["calibrated"]
    return Interval(found["value"], found["low"], found["high"]) if found else None


def relation(one: Interval | None, to: Interval | None) -> Relation | None:
    """Say how `one` lies to the other; intervals that touch overlap. None where either has none."""
    if one is None or to is None:
        return None
    if one.low > to.high:
        return Relation.ABOVE
    return Relation.BELOW if one.high < to.low else Relation.OVERLAPS
