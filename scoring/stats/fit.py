"""Whether ratings behave as the model says: infit and outfit, and the ratings nobody would have expected.

For residuals r = y - E with model variance W and fourth central moment C (Wright & Masters 1982, ch. 5):

    outfit = mean r^2 / W,   infit = sum r^2 / sum W,   both 1 when ratings vary as they should

above 1 noisy, below 1 muted. Standardised by Wilson & Hilferty's cube root: z = (MS^(1/3) - 1) 3/q + q/3 with
q^2 = sum (C/W^2 - 1) / n^2 for outfit and sum (C - W^2) / (sum W)^2 for infit. A posterior mean has already been drawn
towards its ratings, so residuals of a Laplace fit are expected to vary by W (1 - W v) only, v the posterior variance of
the row's predictor; that is what they are held against. z of someone with few ratings is not normal: flag by both.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.stats.arrays import Floats, Ints, count_by
from scoring.stats.likelihood import Scale
from scoring.stats.results import Calibration

MOST_DRAWN = 0.95
ROWS_AT_ONCE = 200_000
UNEXPECTED = 3.0


@dataclass(frozen=True, eq=False)
class RowStatistics:
    """Of each rating, (n,) as the rows came: the expected rating, its variance W, what residuals are held against
    (`against`, W (1 - W v)), its fourth central moment, the residual and the residual in standard deviations."""

    expected: Floats
    variance: Floats
    against: Floats
    fourth: Floats
    residual: Floats
    standardised: Floats


@dataclass(frozen=True, eq=False)
class Fit:
    """Fit of the elements of one facet, by code; NaN for an element without ratings. `n` counts its ratings."""

    n: Ints
    infit: Floats
    infit_z: Floats
    outfit: Floats
    outfit_z: Floats


@dataclass(frozen=True)
class Unexpected:
    """A rating far from what was expected: its row, the rating, what was expected, standard deviations between."""

    row: int
    rating: int
    expected: float
    standardised: float


def row_statistics(found: Calibration) -> RowStatistics:
    """Compare each rating with what the calibration expects of it."""
    ratings = found.ratings
    expected, variance, fourth = np.empty((3, len(ratings)))
    for number, top in enumerate(ratings.top):
        rows = np.flatnonzero(ratings.scale == number)
        scale, slope = Scale(top), float(found.slopes[number])
        for start in range(0, len(rows), ROWS_AT_ONCE):
            some = rows[start : start + ROWS_AT_ONCE]
            p, _ = scale.probabilities(slope * found.predictor[some], found.thresholds[number])
            expected[some] = scale.categories @ p
            square = (scale.categories[:, None] - expected[some]) ** 2
            variance[some] = np.einsum("kn,kn->n", p, square)
            fourth[some] = np.einsum("kn,kn->n", p, square**2)
    drawn = np.minimum(found.slopes[ratings.scale] ** 2 * variance * found.predictor_variance, MOST_DRAWN)
    against = np.maximum(variance * (1.0 - drawn), 1e-12)
    residual = ratings.rating - expected
    return RowStatistics(expected, variance, against, fourth, residual, residual / np.sqrt(against))


def fit_by(rows: RowStatistics, codes: Ints, size: int) -> Fit:
    """Gather infit and outfit of the `size` elements of a facet, given each row's code (n,)."""
    n = np.bincount(codes, minlength=size)
    drawn = rows.against / rows.variance
    with np.errstate(invalid="ignore", divide="ignore"):
        weight = count_by(codes, rows.against, size)
        outfit = count_by(codes, rows.standardised**2, size) / n
        infit = count_by(codes, rows.residual**2, size) / weight
        excess = np.maximum(rows.fourth / rows.variance**2 - 1.0, 0.0)
        outfit_q = np.sqrt(count_by(codes, excess, size)) / n
        infit_q = np.sqrt(count_by(codes, excess * (rows.variance * drawn) ** 2, size)) / weight
        return Fit(n, infit, _wilson_hilferty(infit, infit_q), outfit, _wilson_hilferty(outfit, outfit_q))


def unexpected(rows: RowStatistics, ratings: Ints, beyond: float = UNEXPECTED) -> list[Unexpected]:
    """Ratings further than `beyond` standard deviations from what was expected, the furthest first."""
    found = np.flatnonzero(np.abs(rows.standardised) > beyond)
    found = found[np.argsort(-np.abs(rows.standardised[found]), kind="stable")]
    return [
        Unexpected(int(row), int(ratings[row]), float(rows.expected[row]), float(rows.standardised[row]))
        for row in found
    ]


def _wilson_hilferty(mean_square: Floats, q: Floats) -> Floats:
    return np.asarray((np.cbrt(mean_square) - 1.0) * 3.0 / q + q / 3.0)
