"""How far estimates can be told apart, what ratings vary by, and what more interviewers would bring.

Reliability is the share of the variance of estimates that is not error. Of a Laplace fit it is
1 - mean(se^2) / sigma^2; of a joint fit (Var(estimates) - mean(se^2)) / Var(estimates), as FACETS prints. Separation is
sqrt(reliability / (1 - reliability)). The study of variance components and of designs follows generalizability theory
(Cronbach, Gleser, Nanda & Rajaratnam 1972; Brennan 2001), in logits: a rating's own noise is 1 / its mean information.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.stats.arrays import Bools, Floats
from scoring.stats.fit import row_statistics
from scoring.stats.results import Calibration
from scoring.stats.variances import KINDS

MOST_INTERVIEWERS = 20


@dataclass(frozen=True)
class Reliability:
    """Reliability (0 to 1), separation (in error standard deviations) and how many elements they are of."""

    reliability: float
    separation: float
    elements: int


@dataclass(frozen=True)
class Component:
    """A variance component: its kind ("rating" is a single rating's own noise), logits squared, share of the sum."""

    kind: str
    variance: float
    share: float


@dataclass(frozen=True)
class Expected:
    """What a panel of so many interviewers would reach: reliability and the 95% interval's half width (logits), of
    calibrated values and, to compare, the reliability of raw means."""

    interviewers: int
    reliability: float
    half_width: float
    raw_reliability: float


def reliability(estimates: Floats, errors: Floats, variance: float | None, chosen: Bools | None = None) -> Reliability:
    """Reliability of estimates (m,) with standard errors (m,). `variance` is that of the effects, None after a joint
    fit. `chosen` (m,) leaves out, for instance, elements without ratings."""
    if chosen is not None:
        estimates, errors = estimates[chosen], errors[chosen]
    if not len(estimates):
        return Reliability(float("nan"), float("nan"), 0)
    error = float(np.mean(errors**2))
    whole = variance if variance is not None else (float(np.var(estimates, ddof=1)) if len(estimates) > 1 else 0.0)
    share = min(max(1.0 - error / whole, 0.0), 1.0) if whole > 0 else 0.0
    separation = float(np.sqrt(share / (1.0 - share))) if share < 1.0 else float("inf")
    return Reliability(share, separation, len(estimates))


def reliabilities(found: Calibration) -> dict[str, Reliability]:
    """Reliability of candidates, interviewers and items (difficulty columns) that have ratings."""
    ratings, of = found.ratings, found.variances
    joint = found.model == "jml"
    facets = {
        "candidates": (found.ability, found.ability_se, of.candidate, ratings.candidate),
        "interviewers": (found.severity, found.severity_se, of.severity, ratings.interviewer),
        "items": (found.difficulty, found.difficulty_se, of.difficulty, ratings.column),
    }
    return {
        name: reliability(
            estimates, errors, None if joint else variance, np.bincount(codes, minlength=len(estimates)) > 0
        )
        for name, (estimates, errors, variance, codes) in facets.items()
    }


def rating_noise(found: Calibration) -> float:
    """The variance of a single rating's own noise in logits squared: 1 / mean information."""
    return float(1.0 / np.mean(found.slopes[found.ratings.scale] ** 2 * row_statistics(found).variance))


def components(found: Calibration) -> list[Component]:
    """The variance components of a single rating, in the order of `variances.KINDS`, then "rating"."""
    variances = {kind: getattr(found.variances, kind) for kind in KINDS}
    variances["rating"] = rating_noise(found)
    whole = sum(variances.values())
    return [Component(kind, value, value / whole) for kind, value in variances.items()]


def decision_study(
    found: Calibration,
    interviewers: range = range(1, 9),
    *,
    answers: int = 3,
    dimensions: int | None = None,
    shared: bool = False,
) -> list[Expected]:
    """What panels of each number of interviewers would reach, each rating `answers` answers on `dimensions` dimensions
    (as many as the data have); `shared`: all rate the same answers."""
    noise = rating_noise(found)
    rated = dimensions or len(found.ratings.labels.dimension)
    return [_expected(found, noise, number, answers, rated, shared=shared) for number in interviewers]


def interviewers_needed(found: Calibration, wanted: float, *, answers: int = 3, shared: bool = False) -> int | None:
    """The fewest interviewers, up to 20, whose calibrated values reach a reliability; None if none do."""
    study = decision_study(found, range(1, MOST_INTERVIEWERS + 1), answers=answers, shared=shared)
    return next((expected.interviewers for expected in study if expected.reliability >= wanted), None)


def _expected(
    found: Calibration, noise: float, interviewers: int, answers: int, dimensions: int, *, shared: bool
) -> Expected:
    of = found.variances
    rater, answer, dimension = (
        places.ravel() for places in np.meshgrid(range(interviewers), range(answers), range(dimensions), indexing="ij")
    )
    heard = answer if shared else rater * answers + answer
    item = heard * dimensions + dimension

    def same(codes: np.ndarray[tuple[int], np.dtype[np.int64]]) -> Floats:
        return np.equal.outer(codes, codes).astype(np.float64)

    luck = noise * np.eye(len(rater)) + of.dimension * same(dimension) + of.halo * same(rater) + of.answer * same(heard)
    told = float(np.mean(found.severity_se**2)) * same(rater) + float(np.mean(found.difficulty_se**2)) * same(item)
    error = luck + told
    # The best weighting of the ratings, as the fit gives them.
    precision = 1.0 / of.candidate + float(np.linalg.solve(error, np.ones(len(rater))).sum())
    raw = luck + of.severity * same(rater) + of.difficulty * same(item)
    raw_error = float(raw.sum()) / len(rater) ** 2
    return Expected(
        interviewers=interviewers,
        reliability=1.0 - 1.0 / (precision * of.candidate),
        half_width=1.96 / float(np.sqrt(precision)),
        raw_reliability=of.candidate / (of.candidate + raw_error),
    )
