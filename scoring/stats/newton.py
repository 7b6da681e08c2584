"""Newton's method for all effects together, variances held.

What is solved is the score of the Laplace-approximate marginal likelihood. With psi the linear predictor, v its
posterior variance and kappa3 the third cumulant of a rating,

    sum over rows of z (a (y - E) - a^3 kappa3 v / 2)  -  precision * effect  =  0

so modes move to posterior means, and thresholds and variances are not pulled in as they are by a joint maximum
(Breslow & Lin 1995 on that bias; Tierney & Kadane 1986 for the approximation). v comes from the last factorisation,
which keeps every step a step of a concave problem.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import scipy

from scoring.stats import crossed, elimination, likelihood
from scoring.stats.arrays import Bools, Floats
from scoring.stats.crossed import Places, Schur, Touched, Weights
from scoring.stats.elimination import Factor, Own, Precisions
from scoring.stats.layout import Chunk, Layout
from scoring.stats.likelihood import Moments

NOTHING = 1e-12
"""The variance of an anchored parameter."""


@dataclass(eq=False)
class State:
    """The values of all effects: `vector` of the crossed parameters, `own` of each chunk's candidates."""

    vector: Floats
    own: list[Own]

    def moved(self, by: State, fraction: float = 1.0) -> State:
        own = [mine.moved(step, fraction) for mine, step in zip(self.own, by.own, strict=True)]
        return State(self.vector + fraction * by.vector, own)

    def furthest(self) -> float:
        """The largest value of all."""
        parts = [self.vector, *(mine.core for mine in self.own), *(mine.answer for mine in self.own)]
        return max(float(np.abs(part).max(initial=0.0)) for part in parts)


@dataclass(eq=False)
class Offsets:
    """The Laplace term: `rows` (n,) of each chunk, taken off a row's score; `thresholds` (J,), added to theirs."""

    rows: list[Floats]
    thresholds: Floats


@dataclass(eq=False)
class Model:
    """What does not change while a fit runs. `slopes` (G,) multiply the predictor of each scale. `offset` (n,), in the
    order of the layout, is added to every predictor; `anchored` are the crossed parameters that stay where they are."""

    layout: Layout
    places: Places
    slopes: Floats
    offset: Floats | None = None
    anchored: Bools | None = None
    observed: Floats = field(init=False)
    touched: list[Touched] = field(init=False)

    def __post_init__(self) -> None:
        self.touched = [Touched.of(self.places, chunk) for chunk in self.layout]
        ratings = self.layout.ratings
        self.observed = np.concatenate(
            [
                likelihood.observed_tails(scale, ratings.rating[ratings.scale == number])
                for number, scale in enumerate(self.places.scales)
            ]
        )

    def start(self) -> State:
        return State(np.zeros(self.places.size), [Own.zeros(chunk) for chunk in self.layout])

    def predictor(self, chunk: Chunk, state: State, number: int) -> Floats:
        """psi of a chunk's rows, (n,), before the slope."""
        psi = elimination.row_values(chunk, state.own[number])
        psi += crossed.crossed_values(self.places, chunk, state.vector)
        if self.offset is not None:
            psi += self.offset[chunk.rows]
        return psi

    def prior(self, precisions: Precisions) -> Floats:
        """The prior precision of each crossed parameter, 0 for anchored ones, of which nothing is estimated."""
        prior = self.places.precision(precisions)
        return prior if self.anchored is None else np.where(self.anchored, 0.0, prior)


@dataclass(eq=False)
class Rows:
    """A chunk's rows at one state: score (n,), weights and the sum of their log normalisers."""

    score: Floats
    weights: Weights
    log_normalisers: float


@dataclass(eq=False)
class Evaluation:
    """The score at one state. `objective` is the penalised log-likelihood with the offsets that were lagged."""

    objective: float
    log_likelihood: float
    own: list[Own]
    vector: Floats
    weights: list[Weights]
    offsets: Offsets | None
    threshold_information: list[Floats]


def evaluate(
    model: Model, state: State, precisions: Precisions, lagged: Offsets | None, spread: list[Floats] | None = None
) -> Evaluation:
    """Compute the score of every effect. With `spread`, the rows' posterior variances, the Laplace term is computed
    anew at this state and the score uses it; `objective` keeps to `lagged`, to be comparable with the last one."""
    places = model.places
    fresh = Offsets([], np.zeros(places.free)) if spread is not None else None
    used = fresh if fresh is not None else lagged
    at = Evaluation(
        objective=0.0,
        log_likelihood=0.0,
        own=[],
        vector=np.zeros(places.size),
        weights=[],
        offsets=fresh,
        threshold_information=[np.zeros((scale.free, scale.free)) for scale in places.scales],
    )
    tails = np.zeros(places.free)
    for number, chunk in enumerate(model.layout):
        psi = model.predictor(chunk, state, number)
        rows = _sweep(model, chunk, psi, state, spread[number] if spread is not None else None, tails, at)
        for slope, found in zip(model.slopes, chunk.scale_rows, strict=True):
            if found is not None:
                at.log_likelihood += slope * float(chunk.rating[found] @ psi[found])
        if lagged is not None:
            at.objective -= float(lagged.rows[number] @ psi)
        if used is not None:
            rows.score -= used.rows[number]
        crossed.add_crossed_sums(places, chunk, rows.score, at.vector)
        _add_own(chunk, state.own[number], rows, precisions, at)
    _add_crossed(model, state, precisions, tails, lagged, used, at)
    return at


def _add_own(chunk: Chunk, mine: Own, rows: Rows, precisions: Precisions, at: Evaluation) -> None:
    """Take in the score of a chunk's own effects, and their prior."""
    own = elimination.sum_rows(chunk, rows.score)
    prior = elimination.own_precisions(chunk, precisions)[:, None]
    own.core -= prior * mine.core
    own.answer -= precisions.answer * mine.answer
    at.objective -= 0.5 * float((prior * mine.core**2).sum() + precisions.answer * (mine.answer**2).sum())
    at.log_likelihood -= rows.log_normalisers
    at.own.append(own)
    at.weights.append(rows.weights)


def _add_crossed(
    model: Model,
    state: State,
    precisions: Precisions,
    tails: Floats,
    lagged: Offsets | None,
    used: Offsets | None,
    at: Evaluation,
) -> None:
    """Take in the score of the thresholds, and the prior of all crossed parameters."""
    thresholds = state.vector[model.places.thresholds :]
    prior = model.prior(precisions)
    at.log_likelihood -= float(thresholds @ model.observed)
    at.objective += at.log_likelihood - 0.5 * float(prior @ state.vector**2)
    if lagged is not None:
        at.objective += float(lagged.thresholds @ thresholds)
    at.vector[model.places.thresholds :] += tails - model.observed
    if used is not None:
        at.vector[model.places.thresholds :] += used.thresholds
    at.vector -= prior * state.vector
    if model.anchored is not None:
        at.vector[model.anchored] = 0.0


def _sweep(
    model: Model,
    chunk: Chunk,
    psi: Floats,
    state: State,
    variance: Floats | None,
    tails: Floats,
    into: Evaluation,
) -> Rows:
    """Go over a chunk's rows scale by scale; sums over rows are added to `tails` and `into`."""
    places = model.places
    one = len(places.scales) == 1
    n = len(psi)
    score, rows, third, bounded = np.empty((4, n))
    by_thresholds = None if not places.free else (np.empty if one else np.zeros)((places.free, n))
    log_normalisers = 0.0
    for number, (scale, found) in enumerate(zip(places.scales, chunk.scale_rows, strict=True)):
        if found is None:
            continue
        slope = float(model.slopes[number])
        p, log_total = scale.probabilities(slope * psi[found], places.tau(state.vector, number))
        at = likelihood.moments(scale, p)
        log_normalisers += float(log_total.sum())
        score[found] = slope * (chunk.rating[found] - at.mean)
        rows[found] = slope**2 * at.variance
        third[found] = slope**3 * at.third
        free = places.of_scale(number)
        tails[free] += at.tails.sum(axis=1)
        into.threshold_information[number] += likelihood.threshold_information(scale, p, at.tails)
        if by_thresholds is not None:
            by_thresholds[free, found] = slope * at.with_thresholds
        if into.offsets is not None and variance is not None:
            # No posterior variance is above what the row's own information leaves. One that comes from a state of less
            # information is, and would throw the next step out of all bounds.
            bounded[found] = np.minimum(variance[found], 1.0 / rows[found])
            into.offsets.thresholds[free] += _threshold_offset(scale, p, at, 0.5 * slope**2 * bounded[found])
    if into.offsets is not None:
        into.offsets.rows.append(0.5 * third * bounded)
    return Rows(score, Weights(rows, by_thresholds), log_normalisers)


def _threshold_offset(scale: likelihood.Scale, p: Floats, at: Moments, weights: Floats) -> Floats:
    if not scale.free:
        return np.zeros(0)
    return likelihood.threshold_third(scale, p, at, weights)


@dataclass(eq=False)
class System:
    """A factorised Newton system: what a step, and every standard error, is computed from.

    `crossed` is the Cholesky factor of the crossed parameters' information, `data` that information without their
    prior; None while they are held.
    """

    weights: list[Weights]
    factors: list[Factor]
    crossed: tuple[Floats, bool] | None
    data: Floats | None = None

    def covariance(self, places: Places) -> Floats:
        """The posterior covariance of the crossed parameters, (size, size)."""
        if self.crossed is None:
            return np.zeros((places.size, places.size))
        covariance: Floats = scipy.linalg.cho_solve(self.crossed, np.eye(places.size))
        return 0.5 * (covariance + covariance.T)

    def log_determinant(self) -> float:
        """Log determinant of the whole information, all effects."""
        total = sum(factor.log_determinant for factor in self.factors)
        if self.crossed is not None:
            total += 2.0 * float(np.log(np.diag(self.crossed[0])).sum())
        return total


def factorise(
    model: Model, at: Evaluation, precisions: Precisions, keep: Floats | None = None, *, held: bool = False
) -> System:
    """Factorise the system of an evaluation. `keep` is a `System.data` to go on with instead of a new one, which costs
    several times as much as all the rest; the prior in it is new in any case."""
    factors = [
        elimination.factorise(chunk, weights.rows, precisions)
        for chunk, weights in zip(model.layout, at.weights, strict=True)
    ]
    if held:
        return System(at.weights, factors, None)
    data = keep if keep is not None else _eliminated(model, at, factors)
    matrix = data.copy()
    matrix[np.diag_indices_from(matrix)] += model.prior(precisions)
    if model.anchored is not None:
        matrix[np.ix_(model.anchored, ~model.anchored)] = 0.0
        matrix[np.ix_(~model.anchored, model.anchored)] = 0.0
        matrix[np.ix_(model.anchored, model.anchored)] = np.eye(int(model.anchored.sum())) / NOTHING
    return System(at.weights, factors, scipy.linalg.cho_factor(matrix, lower=True), data)


def _eliminated(model: Model, at: Evaluation, factors: list[Factor]) -> Floats:
    """The information of the crossed parameters once candidates are eliminated, without their prior."""
    schur = Schur(model.places)
    for chunk, touched, weights, factor in zip(model.layout, model.touched, at.weights, factors, strict=True):
        schur.add_rows(chunk, weights)
        border = crossed.borders(model.places, chunk, touched, weights)
        schur.eliminate(crossed.half_eliminated(chunk, factor, border), border.touched)
    for number, information in enumerate(at.threshold_information):
        schur.add_thresholds(number, information)
    return schur.information()


def solve(model: Model, system: System, at: Evaluation) -> tuple[State, float]:
    """Return the Newton step from an evaluation, and the gain in the objective that it promises."""
    places, layout = model.places, model.layout
    vector = np.zeros(places.size)
    if system.crossed is not None:
        pull = np.zeros(places.size)
        for chunk, weights, factor, own in zip(layout, system.weights, system.factors, at.own, strict=True):
            crossed.borders_times(places, chunk, weights, factor.solve(own), pull)
        if model.anchored is not None:
            pull[model.anchored] = 0.0
        vector = scipy.linalg.cho_solve(system.crossed, at.vector - pull)
    steps: list[Own] = []
    gain = float(at.vector @ vector)
    for chunk, weights, factor, own in zip(layout, system.weights, system.factors, at.own, strict=True):
        right = own
        if system.crossed is not None:
            back = crossed.borders_transposed_times(places, chunk, weights, vector)
            right = Own(own.core - back.core, own.answer - back.answer)
        step = factor.solve(right)
        gain += float((own.core * step.core).sum() + (own.answer * step.answer).sum())
        steps.append(step)
    return State(vector, steps), 0.5 * gain
