"""What the uncertainty of severities, difficulties and thresholds adds to a candidate's own effects and to each row.

With A the information of a candidate's own effects, B its border and C the covariance of the crossed parameters, the
joint posterior has covariance A^-1 + K C K' for own effects, K = A^-1 B, and -K C between own and crossed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.stats import crossed
from scoring.stats.arrays import Floats
from scoring.stats.crossed import Borders, Places, Touched, Weights
from scoring.stats.elimination import Factor, Own
from scoring.stats.layout import Chunk


@dataclass(frozen=True, eq=False)
class Added:
    """What is added: to the variance of each row's predictor (n,), to each own effect's variance, and to the
    covariance of the candidate's effect with each dimension's, (D, m)."""

    rows: Floats
    own: Own
    dimensions: Floats


def add_crossed(
    places: Places, chunk: Chunk, touched: Touched, weights: Weights, factor: Factor, covariance: Floats
) -> Added:
    """Compute what `covariance` (size, size) of the crossed parameters adds in a chunk."""
    border = crossed.borders(places, chunk, touched, weights)
    pulls = _pulls(chunk, factor, border)
    wide = np.zeros((places.size + 1, places.size + 1))
    wide[:-1, :-1] = covariance
    codes = touched.codes.astype(np.int64)
    mine = wide.ravel().take((codes * (places.size + 1))[:, :, None] + codes[:, None, :])
    with_crossed = pulls @ mine
    among = with_crossed @ pulls.transpose(0, 2, 1)
    q = chunk.q
    variance = np.diagonal(among, axis1=1, axis2=2)
    own = Own(np.ascontiguousarray(variance[:, :q].T), np.ascontiguousarray(variance[:, q:].T))
    rows = _rows(places, chunk, border, with_crossed, among, covariance)
    return Added(rows, own, np.ascontiguousarray(among[:, 0, 1 : 1 + chunk.D].T))


def _pulls(chunk: Chunk, factor: Factor, border: Borders) -> Floats:
    """K (m, q+A, p): how the posterior means of own effects move with the crossed parameters, but for the sign."""
    core_covariance = np.ascontiguousarray(factor.core.transpose(2, 0, 1))
    if not chunk.A:
        return core_covariance @ border.core
    per_answer = np.ascontiguousarray((factor.per_answer * factor.answer[:, None]).transpose(2, 0, 1))
    core = core_covariance @ (border.core - per_answer.transpose(0, 2, 1) @ border.answer)
    answer = factor.answer.T[:, :, None] * border.answer - per_answer @ core
    return np.concatenate([core, answer], axis=1)


def _rows(
    places: Places, chunk: Chunk, border: Borders, with_crossed: Floats, among: Floats, covariance: Floats
) -> Floats:
    touched = border.touched
    _, effects, p = with_crossed.shape
    places_of_effects = [np.zeros(len(chunk.person), np.int64)]
    if chunk.D:
        places_of_effects.append(1 + chunk.dimension_rank)
    if chunk.S:
        places_of_effects.append(1 + chunk.D + chunk.session_rank)
    if chunk.A:
        places_of_effects.append(chunk.q + chunk.answer_rank)
    shared = touched.interviewers + touched.columns
    intercept = np.full(len(chunk.person), shared)
    level = np.full(len(chunk.person), places.intercepts)
    if len(places.scales) > 1:
        for number, found in enumerate(chunk.scale_rows):
            if found is not None:
                intercept[found] += number
                level[found] += number
    rater, column = chunk.interviewer, places.interviewers + chunk.column
    diagonal = np.diag(covariance)
    rows: Floats = diagonal.take(rater) + diagonal.take(column) + diagonal.take(level)
    flat = covariance.ravel()
    size = places.size
    rows += 2.0 * (
        flat.take(rater * size + column) - flat.take(rater * size + level) - flat.take(column * size + level)
    )
    flat, square = with_crossed.ravel(), among.ravel()
    for number, effect in enumerate(places_of_effects):
        at = (chunk.person * effects + effect) * p
        rows += 2.0 * flat.take(at + touched.interviewer_rank)
        rows += 2.0 * flat.take(at + touched.interviewers + touched.column_rank)
        rows -= 2.0 * flat.take(at + intercept)
        at = (chunk.person * effects + effect) * effects
        rows += square.take(at + effect)
        for other in places_of_effects[:number]:
            rows += 2.0 * square.take(at + other)
    return rows
