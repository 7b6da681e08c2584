"""A candidate's own effects taken out of the Newton system, for all candidates of a chunk at once.

The information of one candidate's effects, given weights w of its rows, is an arrow:

    [ T  U' ]     T (q, q): candidate, dimensions, sessions; U (A, q): sums of w by answer and core effect
    [ U  W  ]     W diagonal: sums of w by answer, plus the answers' precision

so answers go first by division, and T - U'W^-1 U, with q of 2 to 9, by a small Cholesky factor.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from scoring.stats.arrays import Floats, count_by
from scoring.stats.layout import Chunk

BY_VECTORS_UP_TO = 14


@dataclass(frozen=True)
class Precisions:
    """1 / variance of each kind of effect: of the candidate's own, then of the crossed ones.

    Intercepts and thresholds have a standard deviation of 4.5 logits: wide, but finite for a scale barely used.
    """

    candidate: float
    dimension: float
    halo: float
    answer: float
    severity: float
    difficulty: float
    intercept: float = 1.0 / 4.5**2
    threshold: float = 1.0 / 4.5**2


@dataclass(eq=False)
class Own:
    """Values of a chunk's own effects: `core` (q, m) and `answer` (A, m)."""

    core: Floats
    answer: Floats

    @classmethod
    def zeros(cls, chunk: Chunk) -> Own:
        return cls(np.zeros((chunk.q, chunk.m)), np.zeros((chunk.A, chunk.m)))

    def moved(self, by: Own, fraction: float) -> Own:
        return Own(self.core + fraction * by.core, self.answer + fraction * by.answer)


@dataclass(frozen=True, eq=False)
class Factor:
    """The factorised information of a chunk's own effects.

    `lower_inverse` (q, q, m) inverts the Cholesky factor of the reduced core, `core` (q, q, m) is the reduced core's
    inverse: the covariance of the core effects. `per_answer` (A, q, m) is U, `answer` (A, m) is W^-1.
    """

    lower_inverse: Floats
    core: Floats
    per_answer: Floats
    answer: Floats
    log_determinant: float

    def solve(self, score: Own) -> Own:
        """Solve the arrow system for every candidate."""
        if not len(self.answer):
            return Own(np.einsum("ijm,jm->im", self.core, score.core), score.answer)
        by_answer = self.answer * score.answer
        core = np.einsum("ijm,jm->im", self.core, score.core - np.einsum("aqm,am->qm", self.per_answer, by_answer))
        return Own(core, by_answer - self.answer * np.einsum("aqm,qm->am", self.per_answer, core))


def core_sums(chunk: Chunk, by_cell: Floats) -> Floats:
    """Sums by core effect (q, m) from sums by cell (D1, S1, m)."""
    sums = np.empty((chunk.q, chunk.m))
    by_dimension = by_cell.sum(axis=1)
    sums[0] = by_dimension.sum(axis=0)
    if chunk.D:
        sums[1 : 1 + chunk.D] = by_dimension
    if chunk.S:
        sums[1 + chunk.D :] = by_cell.sum(axis=0)
    return sums


def cell_values(chunk: Chunk, core: Floats) -> Floats:
    """The sum of a candidate's core effects in each cell, (D1, S1, m): the transpose of `core_sums`."""
    table = np.repeat(core[None, None, 0], chunk.S1, axis=1)
    if chunk.S:
        table = table + core[None, 1 + chunk.D :]
    if chunk.D:
        table = table + core[1 : 1 + chunk.D, None]
    return table


def sum_rows(chunk: Chunk, values: Floats) -> Own:
    """Z' values: sums of row values (n,) by own effect."""
    by_cell = count_by(chunk.cell, values, chunk.D1 * chunk.S1 * chunk.m).reshape(chunk.D1, chunk.S1, chunk.m)
    if not chunk.A:
        return Own(core_sums(chunk, by_cell), np.zeros((0, chunk.m)))
    by_answer = count_by(chunk.heard, values, chunk.A * chunk.m).reshape(chunk.A, chunk.m)
    if chunk.null_slot:
        by_answer[-1] = 0.0
    return Own(core_sums(chunk, by_cell), by_answer)


def row_values(chunk: Chunk, own: Own) -> Floats:
    """Z own: the sum of a candidate's effects in each row, (n,)."""
    values: Floats = cell_values(chunk, own.core).ravel().take(chunk.cell)
    if chunk.A:
        values += own.answer.ravel().take(chunk.heard)
    return values


def own_precisions(chunk: Chunk, precisions: Precisions) -> Floats:
    """The prior precision of each core effect, (q,)."""
    return np.array(
        [precisions.candidate, *[precisions.dimension] * chunk.D, *[precisions.halo] * chunk.S], dtype=np.float64
    )


def factorise(chunk: Chunk, weights: Floats, precisions: Precisions) -> Factor:
    """Build and factorise the information of a chunk's own effects from row weights (n,)."""
    d1, s1, m, q = chunk.D1, chunk.S1, chunk.m, chunk.q
    by_cell = count_by(chunk.cell, weights, d1 * s1 * m).reshape(d1, s1, m)
    sums = core_sums(chunk, by_cell)
    core = np.zeros((q, q, m))
    place = np.arange(q)
    core[place, place] = sums + own_precisions(chunk, precisions)[:, None]
    core[1:, 0] = sums[1:]
    if chunk.D and chunk.S:
        core[1 + chunk.D :, 1 : 1 + chunk.D] = by_cell.transpose(1, 0, 2)
    per_answer, answer = np.zeros((0, q, m)), np.zeros((0, m))
    log_determinant = 0.0
    if chunk.A:
        per_answer, answer = _answers(chunk, weights, precisions.answer)
        real = answer[:-1] if chunk.null_slot else answer
        log_determinant = -float(np.log(real).sum())
        root = per_answer * np.sqrt(answer)[:, None]
        for i in range(q):
            core[i, : i + 1] -= np.einsum("am,ajm->jm", root[:, i], root[:, : i + 1])
    lower_inverse, diagonal = _inverse_factor(core)
    log_determinant += 2.0 * float(np.log(diagonal).sum())
    return Factor(lower_inverse, _gram(lower_inverse), per_answer, answer, log_determinant)


def _answers(chunk: Chunk, weights: Floats, precision: float) -> tuple[Floats, Floats]:
    a, d1, s1, m = chunk.A, chunk.D1, chunk.S1, chunk.m
    per_answer = np.empty((a, chunk.q, m))
    per_answer[:, 0] = count_by(chunk.heard, weights, a * m).reshape(a, m)
    if chunk.D:
        per_answer[:, 1 : 1 + chunk.D] = count_by(chunk.heard_dimension, weights, a * d1 * m).reshape(a, d1, m)
    if chunk.S:
        per_answer[:, 1 + chunk.D :] = count_by(chunk.heard_session, weights, a * s1 * m).reshape(a, s1, m)
    inverse = 1.0 / (per_answer[:, 0] + precision)
    if chunk.null_slot:
        per_answer[-1] = 0.0
        inverse[-1] = 0.0
    return per_answer, inverse


def _inverse_factor(core: Floats) -> tuple[Floats, Floats]:
    """Invert the Cholesky factor of each (q, q) matrix, whose lower triangles are given; and the factor's diagonal."""
    q = len(core)
    if q > BY_VECTORS_UP_TO:
        stacked = np.linalg.cholesky(core.transpose(2, 0, 1))
        inverse = np.linalg.inv(stacked).transpose(1, 2, 0)
        return np.ascontiguousarray(inverse), np.diagonal(stacked, axis1=1, axis2=2).T
    lower = np.zeros_like(core)
    inverse = np.zeros_like(core)
    diagonal = np.empty((q, core.shape[2]))
    for j in range(q):
        column = core[j:, j]
        if j:
            column = column - np.einsum("ikm,km->im", lower[j:, :j], lower[j, :j])
        diagonal[j] = np.sqrt(column[0])
        lower[j:, j] = column / diagonal[j]
        inverse[j, j] = 1.0 / diagonal[j]
        if j:
            inverse[j, :j] = -np.einsum("km,kim->im", lower[j, :j], inverse[:j, :j]) * inverse[j, j]
    return inverse, diagonal


def _gram(lower_inverse: Floats) -> Floats:
    """L^-T L^-1 of each lower triangular (q, q) matrix."""
    q = len(lower_inverse)
    product = np.empty_like(lower_inverse)
    for i in range(q):
        product[i, : i + 1] = np.einsum("km,kjm->jm", lower_inverse[i:, i], lower_inverse[i:, : i + 1])
        product[: i + 1, i] = product[i, : i + 1]
    return product


def row_variances(chunk: Chunk, factor: Factor) -> Floats:
    """Variance of the sum of a candidate's effects in each row, (n,), crossed parameters held.

    With e the core effects of a row and u / W its answer's part, it is 1/W + (e - u/W)' C (e - u/W).
    """
    c, d, s = factor.core, chunk.D, chunk.S
    table = np.broadcast_to(c[0, 0], (chunk.D1, chunk.S1, chunk.m)).copy()
    place = np.arange(chunk.q)
    own = c[place, place] + 2.0 * c[0]
    if d:
        table += own[1 : 1 + d, None]
    if s:
        table += own[None, 1 + d :]
    if d and s:
        table += 2.0 * c[1 : 1 + d, 1 + d :]
    values: Floats = table.ravel().take(chunk.cell)
    if not chunk.A:
        return values
    reach = np.einsum("ijm,ajm->aim", c, factor.per_answer) * factor.answer[:, None]
    spread = factor.answer + np.einsum("aim,aim->am", reach, factor.per_answer) * factor.answer
    values += (spread - 2.0 * reach[:, 0]).ravel().take(chunk.heard)
    if d:
        values -= 2.0 * reach[:, 1 : 1 + d].reshape(-1).take(chunk.heard_dimension)
    if s:
        values -= 2.0 * reach[:, 1 + d :].reshape(-1).take(chunk.heard_session)
    return values


def effect_variances(chunk: Chunk, factor: Factor) -> Own:
    """Variance of each own effect, crossed parameters held: of the core (q, m) and of answers (A, m)."""
    place = np.arange(chunk.q)
    core = factor.core[place, place]
    if not chunk.A:
        return Own(core, np.zeros((0, chunk.m)))
    reach = np.einsum("ijm,ajm->aim", factor.core, factor.per_answer)
    spread = np.einsum("aim,aim->am", reach, factor.per_answer) * factor.answer**2
    return Own(core, factor.answer + spread)
