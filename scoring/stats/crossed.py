"""The crossed parameters, shared by all candidates, and their Newton system once candidates are eliminated.

They lie in one vector: severities (R), difficulties (I), an intercept for each scale (G), free thresholds of each
scale (sum of K_g - 1). In the linear predictor severities and difficulties enter with -1, the intercept with +1;
a threshold's contrast t enters eta through tau = Q t.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from scoring.stats.arrays import Floats, Ints, SmallInts, count_by
from scoring.stats.elimination import Factor, Own, Precisions, row_values, sum_rows
from scoring.stats.layout import Chunk, Layout, dense_ranks
from scoring.stats.likelihood import Scale


@dataclass(frozen=True)
class Places:
    """Where each kind of crossed parameter lies in the vector."""

    interviewers: int
    columns: int
    scales: tuple[Scale, ...]

    @property
    def intercepts(self) -> int:
        return self.interviewers + self.columns

    @property
    def thresholds(self) -> int:
        return self.intercepts + len(self.scales)

    @property
    def size(self) -> int:
        return self.thresholds + self.free

    @property
    def free(self) -> int:
        return sum(scale.free for scale in self.scales)

    def of_scale(self, number: int) -> slice:
        """Where the free thresholds of a scale lie, counted from the first threshold of all."""
        start = sum(scale.free for scale in self.scales[:number])
        return slice(start, start + self.scales[number].free)

    def severity(self, vector: Floats) -> Floats:
        return vector[: self.interviewers]

    def difficulty(self, vector: Floats) -> Floats:
        return vector[self.interviewers : self.intercepts]

    def intercept(self, vector: Floats) -> Floats:
        return vector[self.intercepts : self.thresholds]

    def tau(self, vector: Floats, number: int) -> Floats:
        """The K thresholds of a scale, which sum to zero."""
        tau: Floats = self.scales[number].contrasts @ vector[self.thresholds :][self.of_scale(number)]
        return tau

    def precision(self, precisions: Precisions) -> Floats:
        """The prior precision of each parameter, (size,)."""
        vector = np.full(self.size, precisions.threshold)
        vector[: self.interviewers] = precisions.severity
        vector[self.interviewers : self.intercepts] = precisions.difficulty
        vector[self.intercepts : self.thresholds] = precisions.intercept
        return vector


def crossed_values(places: Places, chunk: Chunk, vector: Floats) -> Floats:
    """What severities, difficulties and intercepts add to each row's predictor, (n,)."""
    values: Floats = places.severity(vector).take(chunk.interviewer)
    values += places.difficulty(vector).take(chunk.column)
    np.negative(values, out=values)
    intercept = places.intercept(vector)
    for rows, level in zip(chunk.scale_rows, intercept, strict=True):
        if rows is not None:
            values[rows] += level
    return values


def add_crossed_sums(places: Places, chunk: Chunk, rows: Floats, sums: Floats) -> None:
    """Add X' rows: sums of row values (n,) by severity, difficulty and intercept, with their signs, to `sums`."""
    sums[: places.interviewers] -= count_by(chunk.interviewer, rows, places.interviewers)
    sums[places.interviewers : places.intercepts] -= count_by(chunk.column, rows, places.columns)
    for number, found in enumerate(chunk.scale_rows):
        if found is not None:
            sums[places.intercepts + number] += rows[found].sum()


@dataclass(eq=False)
class Weights:
    """What the information needs of each chunk's rows: `rows` (n,), and `thresholds` (J, n), the covariances of a
    row's rating with the thresholds' contrasts (None where no scale has a free threshold)."""

    rows: Floats
    thresholds: Floats | None


def borders_times(places: Places, chunk: Chunk, weights: Weights, own: Own, sums: Floats) -> None:
    """Add B' own to `sums`: how own effects pull on the crossed parameters."""
    values = row_values(chunk, own)
    add_crossed_sums(places, chunk, weights.rows * values, sums)
    if weights.thresholds is not None:
        sums[places.thresholds :] -= weights.thresholds @ values


def borders_transposed_times(places: Places, chunk: Chunk, weights: Weights, vector: Floats) -> Own:
    """B vector: how crossed parameters pull on a chunk's own effects."""
    values = weights.rows * crossed_values(places, chunk, vector)
    if weights.thresholds is not None:
        values -= vector[places.thresholds :] @ weights.thresholds
    return sum_rows(chunk, values)


@dataclass(frozen=True, eq=False)
class Touched:
    """The crossed parameters that the candidates of a chunk touch, numbered within each candidate.

    `interviewer_rank`, `column_rank` (n,); `codes` (m, p): each candidate's parameters, `places.size` for padding.
    """

    interviewer_rank: SmallInts
    column_rank: SmallInts
    codes: SmallInts
    interviewers: int
    columns: int
    column_dimension: SmallInts | None

    @classmethod
    def of(cls, places: Places, chunk: Chunk) -> Touched:
        interviewer_rank, interviewers = dense_ranks(chunk.person, chunk.interviewer, chunk.m, places.interviewers)
        column_rank, columns = dense_ranks(chunk.person, chunk.column, chunk.m, places.columns)
        dimension = None
        if chunk.D:
            dimension = np.zeros((chunk.m, len(columns)), np.int64)
            dimension[chunk.person, column_rank] = chunk.dimension_rank
        shared = np.arange(places.intercepts, places.size)
        codes = np.concatenate(
            [
                np.where(interviewers < 0, places.size, interviewers).T,
                np.where(columns < 0, places.size, columns + places.interviewers).T,
                np.broadcast_to(shared, (chunk.m, len(shared))),
            ],
            axis=1,
        )
        # Kept for the whole fit, so kept small.
        return cls(
            interviewer_rank.astype(np.int32),
            column_rank.astype(np.int32),
            codes.astype(np.int32),
            len(interviewers),
            len(columns),
            dimension if dimension is None else dimension.astype(np.int16),
        )


@dataclass(frozen=True, eq=False)
class Borders:
    """B of each candidate over the parameters it touches: `core` (m, q, p) and `answer` (m, A, p)."""

    touched: Touched
    core: Floats
    answer: Floats


def borders(places: Places, chunk: Chunk, touched: Touched, weights: Weights) -> Borders:
    """Sum row weights by own effect and touched parameter."""
    m, q, a = chunk.m, chunk.q, chunk.A
    d, s = chunk.D, chunk.S
    raters, columns = touched.interviewers, touched.columns
    p = touched.codes.shape[1]
    core = np.zeros((m, q, p))
    answer = np.zeros((m, a, p))
    of_raters, of_columns = slice(0, raters), slice(raters, raters + columns)

    by = count_by(
        (chunk.person * chunk.S1 + chunk.session_rank) * columns + touched.column_rank,
        -weights.rows,
        m * chunk.S1 * columns,
    ).reshape(m, chunk.S1, columns)
    core[:, 0, of_columns] = by.sum(axis=1)
    if s:
        core[:, 1 + d :, of_columns] = by
    if touched.column_dimension is not None:
        of_dimension = touched.column_dimension[:, None, :] == np.arange(d)[:, None]
        core[:, 1 : 1 + d, of_columns] = of_dimension * core[:, :1, of_columns]
    by = count_by(
        (chunk.person * chunk.D1 + chunk.dimension_rank) * raters + touched.interviewer_rank,
        -weights.rows,
        m * chunk.D1 * raters,
    ).reshape(m, chunk.D1, raters)
    core[:, 0, of_raters] = by.sum(axis=1)
    if d:
        core[:, 1 : 1 + d, of_raters] = by
    if s:
        core[:, 1 + d :, of_raters] = _by(chunk, chunk.session_rank, s, touched.interviewer_rank, raters, weights.rows)
    if a:
        answer[:, :, of_raters] = _by(chunk, chunk.answer_rank, a, touched.interviewer_rank, raters, weights.rows)
        answer[:, :, of_columns] = _by(chunk, chunk.answer_rank, a, touched.column_rank, columns, weights.rows)
    for number, values in enumerate(_shared_rows(places, chunk, weights)):
        own = sum_rows(chunk, values)
        core[:, :, raters + columns + number] = own.core.T
        answer[:, :, raters + columns + number] = own.answer.T
    if chunk.null_slot:
        answer[:, -1] = 0.0
    return Borders(touched, core, answer)


def _by(chunk: Chunk, effect: Ints, effects: int, parameter: SmallInts, parameters: int, rows: Floats) -> Floats:
    index = (chunk.person * effects + effect) * parameters + parameter
    return -count_by(index, rows, chunk.m * effects * parameters).reshape(chunk.m, effects, parameters)


def _shared_rows(places: Places, chunk: Chunk, weights: Weights) -> Sequence[Floats]:
    """Row weights for the parameters that every candidate touches: intercepts, then thresholds."""
    rows: list[Floats] = []
    for found in chunk.scale_rows:
        if len(places.scales) == 1:
            rows.append(weights.rows)
            continue
        masked = np.zeros_like(weights.rows)
        if found is not None:
            masked[found] = weights.rows[found]
        rows.append(masked)
    if weights.thresholds is not None:
        rows.extend(-weights.thresholds)
    return rows


def half_eliminated(chunk: Chunk, factor: Factor, border: Borders) -> Floats:
    """F (m, A+q, p) with F'F = B' A^-1 B: the half of the elimination that the Schur complement squares."""
    m, a, q = chunk.m, chunk.A, chunk.q
    half = np.empty((m, a + q, border.core.shape[2]))
    lower_inverse = np.ascontiguousarray(factor.lower_inverse.transpose(2, 0, 1))
    core = border.core
    if a:
        per_answer = np.ascontiguousarray((factor.per_answer * factor.answer[:, None]).transpose(2, 1, 0))
        core = core - per_answer @ border.answer
        np.multiply(np.sqrt(factor.answer.T)[:, :, None], border.answer, out=half[:, :a])
    np.matmul(lower_inverse, core, out=half[:, a:])
    return half


@dataclass(eq=False)
class Schur:
    """The information of the crossed parameters with candidates eliminated, gathered chunk by chunk.

    `half` holds half of the symmetric matrix in no particular triangle: half + half' is the information.
    """

    places: Places
    half: Floats = field(init=False)

    def __post_init__(self) -> None:
        self.half = np.zeros((self.places.size + 1, self.places.size + 1))

    def add_rows(self, chunk: Chunk, weights: Weights) -> None:
        """Add the rows' own information X'WX, thresholds among themselves left out."""
        places, half = self.places, self.half
        raters, columns = places.interviewers, places.columns
        rows = weights.rows
        diagonal = np.concatenate([count_by(chunk.interviewer, rows, raters), count_by(chunk.column, rows, columns)])
        place = np.arange(places.intercepts)
        half[place, place] += 0.5 * diagonal
        both = count_by(chunk.interviewer * columns + chunk.column, rows, raters * columns)
        half[:raters, raters : places.intercepts] += both.reshape(raters, columns)
        for number, found in enumerate(chunk.scale_rows):
            if found is None:
                continue
            at = places.intercepts + number
            by_rater = count_by(chunk.interviewer[found], rows[found], raters)
            half[at, at] += 0.5 * by_rater.sum()
            half[at, :raters] -= by_rater
            half[at, raters : places.intercepts] -= count_by(chunk.column[found], rows[found], columns)
        if weights.thresholds is None:
            return
        for number, values in enumerate(weights.thresholds, places.thresholds):
            half[number, :raters] += count_by(chunk.interviewer, values, raters)
            half[number, raters : places.intercepts] += count_by(chunk.column, values, columns)
            for scale, found in enumerate(chunk.scale_rows):
                if found is not None:
                    half[number, places.intercepts + scale] -= values[found].sum()

    def add_thresholds(self, number: int, information: Floats) -> None:
        """Add a scale's information on its thresholds among themselves."""
        at = self.places.of_scale(number)
        place = slice(self.places.thresholds + at.start, self.places.thresholds + at.stop)
        self.half[place, place] += 0.5 * information

    def eliminate(self, half: Floats, touched: Touched) -> None:
        """Take B' A^-1 B off."""
        product = half.transpose(0, 2, 1) @ half
        p = half.shape[2]
        upper, right = np.triu_indices(p)
        # take() along an axis gathers several times faster than indexing with arrays.
        values = product.reshape(len(product), -1).take(upper * p + right, axis=1)
        values[:, np.flatnonzero(upper == right)] *= 0.5
        size = self.places.size + 1
        codes = touched.codes.astype(np.int64)
        index = (codes * size).take(upper, axis=1) + codes.take(right, axis=1)
        self.half -= np.bincount(index.ravel(), values.ravel(), size * size).reshape(size, size)

    def information(self) -> Floats:
        """The whole matrix, (size, size), without prior precisions."""
        half = self.half[:-1, :-1]
        return half + half.T


def places_of(layout: Layout) -> Places:
    """Where the crossed parameters of a layout's ratings lie."""
    ratings = layout.ratings
    return Places(ratings.interviewers, ratings.columns, tuple(Scale(top) for top in ratings.top))
