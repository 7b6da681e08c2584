"""Calibration: a hierarchical many-facet Rasch model of ratings, by Laplace-approximate marginal likelihood.

The model. A rating y of 0..K on scale g, given by interviewer r to candidate c on dimension d for item i, answer a:

    log P(y=k) / P(y=k-1) = a_g (b_g + theta_c + xi_cd + gamma_cr + zeta_ca - alpha_r - delta_id) - tau_gk

theta capability; xi candidate x dimension; gamma candidate x interviewer, the halo of one conversation; zeta candidate
x answer, the luck of one answer, shared by all who heard it; alpha severity (higher is stricter); delta difficulty;
tau thresholds that sum to zero; b_g intercept; a_g slope, 1 unless given. All in logits. Effects are normal with mean
0 and variances estimated from the data. After Linacre (1989, Many-facet Rasch measurement) and Andrich (1978); the
halo and answer effects as in Wang & Wilson (2005, The Rasch testlet model).

The fit. A Newton system with candidates eliminated (`newton`, `elimination`, `crossed`), variances by a fixed point
sped up by Anderson's mixing (`variances`), standard errors from the whole information (`posterior`). Many ratings
begin from a fit of a tenth of the candidates.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from scoring.stats import elimination, newton
from scoring.stats.arrays import Bools, Floats
from scoring.stats.crossed import places_of
from scoring.stats.layout import Layout, Terms, lay_out, useful_terms
from scoring.stats.newton import Evaluation, Model, Offsets, State, System
from scoring.stats.posterior import Added, add_crossed
from scoring.stats.ratings import Ratings
from scoring.stats.results import Calibration, assemble
from scoring.stats.variances import KINDS, Anderson, Learned, Variances, unsettled, weights_of

Progress = Callable[[int, float], None]
"""Called after each pass with its number and how far the variances are from settled (relative)."""

BEGIN_FROM_A_PART = 60_000
PART = 10
MOST_PASSES = 40
SETTLED = 3e-3
SOLVED, NEARLY_SOLVED = 1e-12, 1e-9
SOLVED_FOR_MANY = 1e-6
LONGEST_STEP = 3.0
MOST_TO_APPROACH, NEAR = 12, 0.02
CALM_AFTER, CALMED = 20, 0.4
"""Passes after which only part of each change is taken: ratings of which half are lowest and half highest need it."""
REFRESH_AT_ROWS = 2_000
REFRESH_AT_CHANGE = 0.3


@dataclass(frozen=True)
class Options:
    """How to fit. `terms` may switch effects off; `slopes` (G,) default to 1; `variances` start the search, or are kept
    with `hold_variances`. `begin` is a vector of crossed parameters to start from; with `hold_crossed`, their posterior
    covariance, they stay as they are and only candidates are fitted; those in `anchored` stay in any case and are taken
    as known. `offset` (n,) is added to each rating's predictor, in logits."""

    terms: Terms = field(default_factory=Terms)
    slopes: tuple[float, ...] | None = None
    variances: Variances | None = None
    hold_variances: bool = False
    begin: Floats | None = None
    hold_crossed: Floats | None = None
    anchored: Bools | None = None
    offset: Floats | None = None
    progress: Progress | None = None


def calibrate(ratings: Ratings, options: Options | None = None) -> Calibration:
    """Fit the model to `ratings` and return every estimate with its standard error.

    Raises ValueError when there are more interviewers and items than a dense system holds, or a slope is missing.
    """
    options = options or Options()
    terms = useful_terms(ratings, options.terms)
    if len(ratings) > BEGIN_FROM_A_PART and options.begin is None and options.offset is None:
        part = _Fit(ratings.of_candidates(_every_tenth(ratings)), terms, replace(options, progress=None))
        part.run(finish=False)
        options = replace(options, begin=part.state.vector, variances=part.variances)
    fit = _Fit(ratings, terms, options)
    fit.run()
    return fit.result()


def _every_tenth(ratings: Ratings) -> Bools:
    """Choose candidates evenly from those with few ratings to those with many."""
    rows = np.bincount(ratings.candidate, minlength=ratings.candidates)
    totals = np.bincount(ratings.candidate, ratings.rating, minlength=ratings.candidates)
    chosen = np.zeros(ratings.candidates, bool)
    chosen[np.lexsort((totals, rows))[PART // 2 :: PART]] = True
    return chosen


class _Fit:
    """One run of the fit: the state, the variances and the last factorised system."""

    def __init__(self, ratings: Ratings, terms: Terms, options: Options) -> None:
        self.layout: Layout = lay_out(ratings, terms)
        places = places_of(self.layout)
        slopes = np.ones(len(places.scales)) if options.slopes is None else np.array(options.slopes, np.float64)
        if len(slopes) != len(places.scales):
            raise ValueError(f"{len(slopes)} slopes were given for {len(places.scales)} scales.")
        offset = None if options.offset is None else options.offset[self.layout.order]
        self.model = Model(self.layout, places, slopes, offset, options.anchored)
        self.options = options
        self.kinds = tuple(kind for kind in KINDS if self.layout.effects.get(kind, 1) > 0)
        self.variances = _only(options.variances or Variances(), self.kinds)
        self.state = self._beginning()
        self.laplace_term, self.hold = True, options.hold_variances
        self.lagged: Offsets | None = None
        self.added: list[Added] = []
        self.held = options.hold_crossed is not None
        self.covariance: Floats = np.zeros((0, 0)) if options.hold_crossed is None else options.hold_crossed
        self.system: System | None = None
        self.refreshed_at: Floats | None = None
        self.passes = 0
        self.converged = False
        self.log_likelihood = 0.0

    def _beginning(self) -> State:
        state = self.model.start()
        if self.options.begin is not None:
            state.vector = self.options.begin.copy()
        return state

    def run(self, *, finish: bool = True) -> None:
        """Approach the mode, let the variances settle, solve for the effects to the end.

        Where hardly a rating lies in the middle of its scale the Laplace term may find no rest. Such ratings have next
        to nothing to say of variances: then the prior's medians are kept and the plain mode, a concave problem, found.
        """
        self._settle()
        solved = not finish or self._solve()
        if not (self.converged and solved):
            self.laplace_term, self.lagged, self.hold = False, None, True
            self.state = self._beginning()
            if not self.options.hold_variances:
                self.variances = _only(Variances(), self.kinds)
            self._settle()
            self.converged = self._solve()
        if finish:
            self._finish()

    def _settle(self) -> None:
        self._approach()
        mixing = Anderson()
        for number in range(1, MOST_PASSES + 1):
            self._pass(calm=number > CALM_AFTER)
            if self.hold:
                self.converged = True
                break
            here = self.variances.logs(self.kinds)
            there = self._settling().logs(self.kinds)
            distance = unsettled(self.variances, self.kinds, there - here)
            if self.options.progress is not None:
                self.options.progress(self.passes, distance)
            if distance < SETTLED:
                self.converged = True
                break
            following = here + CALMED * (there - here)
            if number <= CALM_AFTER:
                following = mixing.next(here, there, weights_of(self.variances, self.kinds))
            self.variances = self.variances.with_logs(self.kinds, following)

    def _approach(self) -> None:
        """Newton steps without the Laplace term until what is left is small beside what one candidate carries. Crossed
        parameters that come from somewhere better than nought are held meanwhile: that costs a tenth."""
        held = self.held or self.options.begin is not None
        precisions = self.variances.precisions()
        at = newton.evaluate(self.model, self.state, precisions, None)
        for _ in range(MOST_TO_APPROACH):
            system = newton.factorise(self.model, at, precisions, held=held)
            step, gain = newton.solve(self.model, system, at)
            at = self._step(at, step, None)
            if gain < NEAR * self.layout.effects["candidate"]:
                break

    def _step(self, at: Evaluation, step: State, spread: list[Floats] | None) -> Evaluation:
        """Take a step, halved until the objective does not fall."""
        precisions = self.variances.precisions()
        fraction = _fraction(step)
        while True:
            moved = self.state.moved(step, fraction)
            reached = newton.evaluate(self.model, moved, precisions, self.lagged, spread)
            if reached.objective >= at.objective - 1e-9 * abs(at.objective) or fraction < 1e-3:
                self.state = moved
                return reached
            fraction *= 0.5

    def _pass(self, *, calm: bool = False) -> float:
        """A Newton step, the Laplace term anew, and a second step from there; return what that one promised to gain."""
        self.passes += 1
        precisions = self.variances.precisions()
        at = newton.evaluate(self.model, self.state, precisions, self.lagged)
        keep = None if self._stale() or self.system is None else self.system.crossed
        system = newton.factorise(self.model, at, precisions, keep, held=self.held)
        self.system = system
        step, _ = newton.solve(self.model, system, at)
        if keep is None:
            self._refresh(system)
        at = self._step(at, step, self._row_variances(system) if self.laplace_term else None)
        self.lagged = self._calmed(at.offsets) if calm else at.offsets
        # Factorised again, crossed parameters apart: a stale factor would make the variances wander.
        self.system = newton.factorise(self.model, at, precisions, system.crossed, held=self.held)
        step, gain = newton.solve(self.model, self.system, at)
        self.state = self.state.moved(step, _fraction(step))
        return gain

    def _calmed(self, fresh: Offsets | None) -> Offsets | None:
        """Take the new Laplace term, or half of it where it has gone to and fro for long."""
        lagged = self.lagged
        if fresh is None or lagged is None:
            return fresh
        rows = [old + CALMED * (new - old) for old, new in zip(lagged.rows, fresh.rows, strict=True)]
        return Offsets(rows, lagged.thresholds + CALMED * (fresh.thresholds - lagged.thresholds))

    def _stale(self) -> bool:
        """Whether the crossed parameters' factor is to be built anew: always while that is cheap."""
        if self.refreshed_at is None or len(self.layout.ratings) < REFRESH_AT_ROWS:
            return True
        change = self.variances.logs(self.kinds) - self.refreshed_at
        return bool(unsettled(self.variances, self.kinds, change) > REFRESH_AT_CHANGE)

    def _refresh(self, system: System) -> None:
        places = self.model.places
        if not self.held:
            self.covariance = system.covariance(places)
        self.refreshed_at = self.variances.logs(self.kinds)
        self.added = [
            add_crossed(places, chunk, touched, weights, factor, self.covariance)
            for chunk, touched, weights, factor in zip(
                self.layout, self.model.touched, system.weights, system.factors, strict=True
            )
        ]

    def _row_variances(self, system: System) -> list[Floats]:
        return [
            elimination.row_variances(chunk, factor) + added.rows
            for chunk, factor, added in zip(self.layout, system.factors, self.added, strict=True)
        ]

    def _settling(self) -> Variances:
        """Where one scoring step takes the variances from here."""
        learned = Learned(self.variances)
        assert self.system is not None  # noqa: S101 - a pass came before
        for chunk, factor, own, added in zip(self.layout, self.system.factors, self.state.own, self.added, strict=True):
            learned.add_own(chunk, factor, own, added.own)
        learned.add_crossed(self.model.places, self.state.vector, self.covariance)
        return self.variances.with_logs(self.kinds, learned.next(self.kinds))

    def _solve(self) -> bool:
        """Solve for the effects with the variances held; whether that came to an end."""
        if len(self.layout.ratings) >= BEGIN_FROM_A_PART:
            return self._solved_to(SOLVED_FOR_MANY)
        near = self._solved_to(NEARLY_SOLVED)
        # What crossed parameters add to the rows' variances was computed further off: once more from here.
        self.refreshed_at = None
        return near and self._solved_to(SOLVED)

    def _solved_to(self, gain: float) -> bool:
        return any(self._pass(calm=number > CALM_AFTER) < gain for number in range(MOST_PASSES))

    def _finish(self) -> None:
        """Factorise once more, for the standard errors."""
        precisions = self.variances.precisions()
        at = newton.evaluate(self.model, self.state, precisions, self.lagged)
        self.system = newton.factorise(self.model, at, precisions, held=self.held)
        self._refresh(self.system)
        self.log_likelihood = self._marginal(at)

    def _marginal(self, at: Evaluation) -> float:
        """The Laplace-approximate log marginal likelihood of the data given variances."""
        assert self.system is not None  # noqa: S101 - called when finished
        precisions = self.variances.precisions()
        prior = self.model.prior(precisions)
        total = at.log_likelihood - 0.5 * float(prior @ self.state.vector**2)
        total += 0.5 * float(np.log(np.where(prior > 0, prior, 1.0 / newton.NOTHING)).sum())
        for chunk, own in zip(self.layout, self.state.own, strict=True):
            mine = elimination.own_precisions(chunk, precisions)
            answers = own.answer[:-1] if chunk.null_slot else own.answer
            total -= 0.5 * float(mine @ (own.core**2).sum(axis=1) + precisions.answer * (answers**2).sum())
            total += 0.5 * float(chunk.m * np.log(mine).sum() + answers.size * np.log(precisions.answer))
        return total - 0.5 * self.system.log_determinant()

    def result(self) -> Calibration:
        """Lay out what was found by the codes of the ratings."""
        assert self.system is not None  # noqa: S101 - called when finished
        return assemble(
            self.model,
            self.state,
            self.system,
            self.added,
            self.covariance,
            self.variances,
            log_likelihood=self.log_likelihood,
            laplace_term=self.laplace_term,
            iterations=self.passes,
            converged=self.converged,
        )


def _fraction(step: State) -> float:
    """How much of a step to take: the Laplace term is only good near where it was computed."""
    return min(1.0, LONGEST_STEP / max(step.furthest(), LONGEST_STEP))


def _only(variances: Variances, kinds: tuple[str, ...]) -> Variances:
    return Variances(**{kind: getattr(variances, kind) or 0.1 if kind in kinds else 0.0 for kind in KINDS})
