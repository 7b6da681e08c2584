"""Severity in points of the scale, in words: how much lower or higher somebody marks than the average interviewer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from scoring.queries.calibrated import LINKED_CANDIDATES, LINKED_RATINGS
from scoring.reports.sentences import one_decimal

HARDLY = 0.05
"""Points of the scale below which nothing is said to differ."""


def known(severity: Mapping[str, Any]) -> bool:
    """Whether a severity is tied to the others' and rests on enough linked ratings; else it is taken as average."""
    ratings, candidates = severity["linked"]
    return bool(severity["tied"] and ratings >= LINKED_RATINGS and candidates >= LINKED_CANDIDATES)


def lower_or_higher(points: float) -> str:
    """0.4 points lower; 0.2 points higher; like the others."""
    if abs(points) < HARDLY:
        return _("like the others")
    words = _("%(points)s points lower") if points > 0 else _("%(points)s points higher")
    return words % {"points": one_decimal(abs(points))}


def between(points: Sequence[float]) -> str:
    """An interval whose ends may lie on different sides: "0.1 lower to 0.7 lower"."""
    _value, low, high = points
    return _("%(low)s to %(high)s") % {"low": _end(low), "high": _end(high)}


def _end(points: float) -> str:
    if abs(points) < HARDLY:
        return one_decimal(0)
    words = _("%(points)s lower") if points > 0 else _("%(points)s higher")
    return words % {"points": one_decimal(abs(points))}


def beyond_chance(points: Sequence[float]) -> bool:
    """Whether the interval leaves out that nothing differs."""
    _value, low, high = points
    return low > 0 or high < 0
