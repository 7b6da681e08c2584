"""How well estimates recover simulated truth: the figures the engine is judged on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from scoring.stats.arrays import Floats
from scoring.stats.crossed import places_of
from scoring.stats.designs import Design, Simulated, simulate
from scoring.stats.facets import Options, calibrate
from scoring.stats.layout import Terms, lay_out
from scoring.stats.results import Calibration
from scoring.stats.variances import Variances

Z = 1.959964


@dataclass(frozen=True)
class Recovery:
    """Over several data sets: coverage of 95% intervals of capability (share), RMSE centred (logits), and the ratio of
    RMSE to the raw mean's, each after its own best linear map onto the truth."""

    coverage: float
    rmse: float
    to_raw: float


def linear_rmse(estimate: Floats, truth: Floats) -> float:
    """RMSE after the best linear map of the estimate onto the truth."""
    slope, level = np.polyfit(estimate, truth, 1)
    return float(np.sqrt(np.mean((slope * estimate + level - truth) ** 2)))


def raw_means(truth: Simulated) -> Floats:
    """The mean rating of each candidate."""
    ratings = truth.ratings
    sums = np.bincount(ratings.candidate, ratings.rating, ratings.candidates)
    return np.asarray(sums / np.bincount(ratings.candidate, minlength=ratings.candidates))


def centred_errors(found: Calibration, truth: Simulated) -> Floats:
    """Errors of capability less their mean."""
    errors = found.ability - truth.ability
    return np.asarray(errors - errors.mean())


def recovery(design: Design, seeds: Sequence[int], terms: Terms | None = None) -> Recovery:
    """Fit a data set for each seed and pool."""
    hits, squares, ours, raw = [], [], [], []
    for seed in seeds:
        truth = simulate(design, seed)
        found = calibrate(truth.ratings, Options(terms=terms or Terms()))
        errors = centred_errors(found, truth)
        hits.append(np.abs(errors) < Z * found.ability_se)
        squares.append(np.mean(errors**2))
        ours.append(linear_rmse(found.ability, truth.ability))
        raw.append(linear_rmse(raw_means(truth), truth.ability))
    return Recovery(
        coverage=float(np.concatenate(hits).mean()),
        rmse=float(np.sqrt(np.mean(squares))),
        to_raw=float(np.mean(ours) / np.mean(raw)),
    )


def oracle(design: Design, truth: Simulated) -> Calibration:
    """What someone finds who knows severities, difficulties, thresholds and variances."""
    ratings = truth.ratings
    places = places_of(lay_out(ratings, Terms()))
    vector = np.zeros(places.size)
    vector[: places.interviewers] = truth.severity
    vector[places.interviewers : places.intercepts] = truth.difficulty[
        ratings.column_item * design.dimensions + ratings.column_dimension
    ]
    vector[places.thresholds :] = places.scales[0].contrasts.T @ np.array(design.thresholds)
    known = Variances(
        design.ability**2,
        design.by_dimension**2,
        design.halo**2,
        design.answer**2,
        design.severity**2,
        design.difficulty**2,
    )
    terms = Terms(dimension=design.by_dimension > 0, halo=design.halo > 0, answer=design.answer > 0)
    held = np.zeros((places.size, places.size))
    return calibrate(
        ratings, Options(terms=terms, variances=known, hold_variances=True, begin=vector, hold_crossed=held)
    )
