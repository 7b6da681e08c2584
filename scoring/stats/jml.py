"""Joint maximum likelihood, as FACETS and immer fit it: for parity and audit, not for use.

No random effects: every capability, severity and difficulty is a free parameter, so all are biased away from zero with
few ratings, elements with only lowest or only highest ratings have no finite estimate, and standard errors are too
small wherever one conversation has a halo. Standard errors are 1 / sqrt(information) of each parameter with all others
held, as FACETS prints them (Linacre 1989).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy

from scoring.stats import crossed, elimination, likelihood, newton
from scoring.stats.arrays import Bools, Floats, Ints, count_by
from scoring.stats.connectedness import connectedness
from scoring.stats.crossed import Places, Schur, places_of
from scoring.stats.elimination import Precisions
from scoring.stats.layout import Terms, lay_out
from scoring.stats.newton import Evaluation, Model, System
from scoring.stats.ratings import Ratings, RatingsError
from scoring.stats.results import Calibration, same_everywhere
from scoring.stats.variances import Variances

FACETS = ("candidates", "interviewers", "items")
FREE = Precisions(0.0, 1.0, 1.0, 1.0, 0.0, 0.0, intercept=0.0, threshold=0.0)
NO_TERMS = Terms(dimension=False, halo=False, answer=False)
FROZEN = 1e12
SOLVED = 1e-11
MOST_STEPS = 200
EXTREME_BY = 0.3
"""Score points by which an extreme score is drawn in for a finite estimate, as FACETS does."""


@dataclass(frozen=True)
class JointOptions:
    """`center` names the two facets whose elements have mean 0; the third floats. `thresholds` holds each scale's
    thresholds, which must sum to zero, instead of estimating them."""

    center: tuple[str, str] = ("candidates", "items")
    thresholds: Sequence[Floats] | None = None


def calibrate_jointly(ratings: Ratings, options: JointOptions | None = None) -> Calibration:
    """Fit by joint maximum likelihood. Means are taken within each block that hangs together.

    Elements with extreme scores are left out of the fit and placed afterwards by their score drawn in by 0.3 points.
    A category that was never given has no threshold: raises RatingsError, as it does when nothing but extremes is left.
    """
    options = options or JointOptions()
    if len(set(options.center)) != 2 or not set(options.center) <= set(FACETS):
        raise ValueError(f"Two of {', '.join(FACETS)} can be centred, not {options.center}.")
    rows = _rows_that_inform(ratings)
    if not rows.any():
        raise RatingsError("Every candidate, interviewer or item has only lowest or only highest ratings.")
    kept = ratings.of_rows(rows)
    if options.thresholds is None:
        _check_categories(kept)
    fit = _Fit(kept, options)
    fit.run()
    return fit.result(ratings, rows)


def _rows_that_inform(ratings: Ratings) -> Bools:
    """Rows of no element, among the rows left, with only lowest or only highest ratings."""
    rows = np.ones(len(ratings), bool)
    lowest = ratings.rating == 0
    highest = ratings.rating == np.array(ratings.top)[ratings.scale]
    while True:
        bad = np.zeros(len(ratings), bool)
        for codes in (ratings.candidate, ratings.interviewer, ratings.column):
            counts = np.bincount(codes[rows], minlength=int(codes.max()) + 1)
            for extreme in (lowest, highest):
                only = np.bincount(codes[rows], extreme[rows], len(counts)) == counts
                bad |= only[codes]
        if not (bad & rows).any():
            return rows
        rows &= ~bad


def _check_categories(ratings: Ratings) -> None:
    for number, top in enumerate(ratings.top):
        given = ratings.rating[ratings.scale == number]
        never = np.setdiff1d(np.arange(top + 1), given)
        if len(given) and len(never):
            raise RatingsError(
                f"On scale {ratings.labels.scale[number]!r} the rating {never[0]} was never given, so joint maximum "
                "likelihood has no threshold for it. Close the gap, or use the Laplace model."
            )


class _Fit:
    def __init__(self, ratings: Ratings, options: JointOptions) -> None:
        self.ratings = ratings
        self.options = options
        layout = lay_out(ratings, NO_TERMS)
        self.model = Model(layout, places_of(layout), np.ones(len(ratings.top)))
        self.state = self.model.start()
        self.gauge = self._gauge()
        self.steps = 0
        self.converged = False
        self.at: Evaluation | None = None

    @property
    def places(self) -> Places:
        return self.model.places

    def _gauge(self) -> Floats:
        """What is added to the information so that directions the data say nothing of stay where they are."""
        places = self.places
        self.connected = connectedness(self.ratings)
        null_space = np.zeros((places.size, self.connected.null_space.shape[1]))
        null_space[: places.intercepts] = self.connected.null_space
        gauge = len(self.ratings) * (null_space @ null_space.T)
        frozen = np.zeros(places.size, bool)
        frozen[places.intercepts : places.thresholds] = True
        frozen[: places.interviewers][self.connected.block_of_interviewer < 0] = True
        frozen[places.interviewers : places.intercepts][self.connected.block_of_column < 0] = True
        if self.options.thresholds is not None:
            frozen[places.thresholds :] = True
            for number, (scale, tau) in enumerate(zip(places.scales, self.options.thresholds, strict=True)):
                self.state.vector[places.thresholds :][places.of_scale(number)] = scale.contrasts.T @ tau
        gauge[np.diag_indices_from(gauge)] += FROZEN * frozen
        return np.asarray(gauge)

    def run(self) -> None:
        at = newton.evaluate(self.model, self.state, FREE, None)
        while self.steps < MOST_STEPS:
            self.steps += 1
            step, _ = newton.solve(self.model, self._factorise(at), at)
            fraction = 1.0
            while True:
                moved = self.state.moved(step, fraction)
                reached = newton.evaluate(self.model, moved, FREE, None)
                if reached.objective >= at.objective - 1e-11 * abs(at.objective) or fraction < 1e-4:
                    break
                fraction *= 0.5
            self.state, at = moved, reached
            if step.furthest() < SOLVED:
                self.converged = True
                break
        self.at = at

    def _factorise(self, at: Evaluation) -> System:
        factors = []
        schur = Schur(self.places)
        for chunk, touched, weights in zip(self.model.layout, self.model.touched, at.weights, strict=True):
            factor = elimination.factorise(chunk, weights.rows, FREE)
            factors.append(factor)
            schur.add_rows(chunk, weights)
            border = crossed.borders(self.places, chunk, touched, weights)
            schur.eliminate(crossed.half_eliminated(chunk, factor, border), border.touched)
        for number, information in enumerate(at.threshold_information):
            schur.add_thresholds(number, information)
        return System(at.weights, factors, scipy.linalg.cho_factor(schur.information() + self.gauge, lower=True))

    def _centred(self) -> tuple[Floats, Floats, Floats]:
        """Capabilities, severities and difficulties with the chosen means 0 within each block."""
        layout = self.model.layout
        ability = np.zeros(self.ratings.candidates)
        for chunk, own in zip(layout, self.state.own, strict=True):
            ability[layout.people[chunk.first : chunk.first + chunk.m]] = own.core[0]
        severity = self.places.severity(self.state.vector).copy()
        difficulty = self.places.difficulty(self.state.vector).copy()
        blocks = self.connected
        values = {
            "candidates": (ability, blocks.block_of_candidate, 1.0),
            "interviewers": (severity, blocks.block_of_interviewer, -1.0),
            "items": (difficulty, blocks.block_of_column, -1.0),
        }
        (floating,) = set(FACETS) - set(self.options.center)
        for block in range(blocks.blocks):
            taken = 0.0
            for facet in self.options.center:
                array, of, sign = values[facet]
                mean = float(array[of == block].mean())
                array[of == block] -= mean
                taken += sign * mean
            array, of, sign = values[floating]
            array[of == block] += sign * taken
        return ability, severity, difficulty

    def result(self, ratings: Ratings, rows: Bools) -> Calibration:
        """Place every element, extremes too, by the codes of the ratings given."""
        places = self.places
        tau = tuple(places.tau(self.state.vector, number) for number in range(len(places.scales)))
        left = np.zeros(ratings.candidates, bool)
        left[ratings.candidate[rows]] = True
        ability = np.full(ratings.candidates, np.nan)
        ability[left], severity, difficulty = self._centred()
        severity[self.connected.block_of_interviewer < 0] = np.nan
        difficulty[self.connected.block_of_column < 0] = np.nan
        finish = _Finish(ratings, places, tau, ability, severity, difficulty)
        finish.place_extremes()
        errors, threshold_errors = finish.errors(self.options.thresholds is None)
        assert self.at is not None  # noqa: S101 - run came before
        nothing = np.zeros(0)
        vector = np.concatenate(
            [finish.severity, finish.difficulty, np.zeros(len(tau)), self.state.vector[places.thresholds :]]
        )
        return Calibration(
            ratings=ratings,
            model="jml",
            terms=NO_TERMS,
            variances=Variances(0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
            slopes=np.ones(len(tau)),
            intercepts=np.zeros(len(tau)),
            severity=finish.severity,
            severity_se=errors[1],
            difficulty=finish.difficulty,
            difficulty_se=errors[2],
            thresholds=tau,
            thresholds_se=threshold_errors,
            ability=finish.ability,
            ability_se=errors[0],
            by_dimension=same_everywhere(ratings, finish.ability),
            by_dimension_se=same_everywhere(ratings, errors[0]),
            halo=nothing,
            halo_se=nothing,
            answer=nothing,
            answer_se=nothing,
            predictor=finish.predictor(),
            predictor_variance=np.zeros(len(ratings)),
            vector=vector,
            covariance=np.zeros((places.size, places.size)),
            log_likelihood=self.at.log_likelihood,
            iterations=self.steps,
            converged=self.converged,
            laplace_term=False,
        )


@dataclass(eq=False)
class _Finish:
    """Extremes and standard errors, with everything that was fitted held."""

    ratings: Ratings
    places: Places
    tau: tuple[Floats, ...]
    ability: Floats
    severity: Floats
    difficulty: Floats

    def predictor(self) -> Floats:
        of = self.ratings
        psi: Floats = self.ability[of.candidate] - self.severity[of.interviewer] - self.difficulty[of.column]
        return psi

    def moments(self, psi: Floats) -> tuple[Floats, Floats]:
        mean, variance = np.empty((2, len(psi)))
        for number, scale in enumerate(self.places.scales):
            rows = self.ratings.scale == number
            at = likelihood.moments(scale, scale.probabilities(psi[rows], self.tau[number])[0])
            mean[rows], variance[rows] = at.mean, at.variance
        return mean, variance

    def place_extremes(self) -> None:
        """Place the elements left out, facet by facet, by Newton's method on their drawn-in scores."""
        of = self.ratings
        facets = (
            (self.ability, of.candidate, 1.0),
            (self.severity, of.interviewer, -1.0),
            (self.difficulty, of.column, -1.0),
        )
        for values, codes, sign in facets:
            extreme = np.isnan(values)
            if extreme.any():
                self._place(values, codes, sign, extreme)

    def _place(self, values: Floats, codes: Ints, sign: float, extreme: Bools) -> None:
        of = self.ratings
        values[extreme] = 0.0
        others = np.nan_to_num(self.predictor()) - sign * values[codes]
        size = len(values)
        score = count_by(codes, of.rating.astype(np.float64), size)
        most = count_by(codes, np.array(of.top, np.float64)[of.scale], size)
        score = np.clip(score, EXTREME_BY, np.maximum(most - EXTREME_BY, EXTREME_BY))
        for _ in range(MOST_STEPS):
            mean, variance = self.moments(others + sign * values[codes])
            gap = score - count_by(codes, mean, size)
            step = sign * gap / np.maximum(count_by(codes, variance, size), 1e-9)
            values[extreme] += np.clip(step, -1.0, 1.0)[extreme]
            if np.abs(step[extreme]).max() < 1e-9:
                break

    def errors(self, estimated: bool) -> tuple[list[Floats], tuple[Floats, ...]]:
        """1 / sqrt(information) of capabilities, severities and difficulties, and of thresholds."""
        of, psi = self.ratings, self.predictor()
        _, variance = self.moments(psi)
        columns = ((of.candidate, self.ability), (of.interviewer, self.severity), (of.column, self.difficulty))
        with np.errstate(divide="ignore"):
            errors = [1.0 / np.sqrt(count_by(codes, variance, len(values))) for codes, values in columns]
        thresholds = []
        for number, scale in enumerate(self.places.scales):
            p, _ = scale.probabilities(psi[of.scale == number], self.tau[number])
            at_least = np.cumsum(p[::-1], axis=0)[::-1][1:]
            information = (at_least * (1.0 - at_least)).sum(axis=1)
            with np.errstate(divide="ignore"):
                thresholds.append(1.0 / np.sqrt(information) if estimated else np.zeros(scale.top))
        return errors, tuple(thresholds)
