"""Fair averages: estimates said on the scale people rate on.

A candidate's fair average is the rating they would be expected to get from an average interviewer on an average item
(Linacre 1989); "average" weighs interviewers and items by their ratings, so that fair averages lie where raw averages
do. Intervals are those in logits, carried over the same curve; they stay inside the scale.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.stats.arrays import Floats
from scoring.stats.likelihood import Scale
from scoring.stats.results import Calibration

Z95 = 1.959964


@dataclass(frozen=True, eq=False)
class Fair:
    """Expected ratings on the scale 0..K with 95% intervals; arrays of one shape, NaN where there is no estimate."""

    value: Floats
    low: Floats
    high: Floats


def fair_candidates(found: Calibration, scale: int = 0) -> Fair:
    """Fair averages of candidates over all dimensions, (C,)."""
    return _carried(found, scale, found.ability, found.ability_se, _level(found, scale))


def fair_by_dimension(found: Calibration, scale: int = 0) -> Fair:
    """Fair averages of candidates by dimension, (C, D): on an average item of that dimension."""
    dimensions = len(found.ratings.labels.dimension)
    levels = np.array([_level(found, scale, dimension) for dimension in range(dimensions)])
    return _carried(found, scale, found.by_dimension, found.by_dimension_se, levels)


def fair_interviewers(found: Calibration, scale: int = 0) -> Fair:
    """The average an interviewer would be expected to give to average candidates on average items, (R,)."""
    level = _level(found, scale) + _mean(found, found.severity[found.ratings.interviewer], scale)
    return _carried(found, scale, -found.severity, found.severity_se, level)


def _carried(found: Calibration, scale: int, values: Floats, errors: Floats, level: Floats | float) -> Fair:
    curve = Scale(found.ratings.top[scale])
    slope = float(found.slopes[scale])

    def expected(logits: Floats) -> Floats:
        known = np.isfinite(logits)
        ratings = np.full(logits.shape, np.nan)
        ratings[known] = curve.expected(slope * logits[known], found.thresholds[scale])
        return ratings

    middle = values + level
    return Fair(expected(middle), expected(middle - Z95 * errors), expected(middle + Z95 * errors))


def _level(found: Calibration, scale: int, dimension: int | None = None) -> float:
    """The predictor of an average candidate with an average interviewer on an average item (of a dimension)."""
    severity = _mean(found, found.severity[found.ratings.interviewer], scale)
    difficulty = _mean(found, found.difficulty[found.ratings.column], scale, dimension)
    return float(found.intercepts[scale]) - severity - difficulty


def _mean(found: Calibration, values: Floats, scale: int, dimension: int | None = None) -> float:
    rows = found.ratings.scale == scale
    if dimension is not None:
        rows = rows & (found.ratings.dimension == dimension)
    return float(values[rows].mean()) if rows.any() else 0.0
