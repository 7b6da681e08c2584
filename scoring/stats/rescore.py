"""One candidate scored again, at once, with everything shared held as the last calibration left it.

Severities, difficulties, thresholds and variances stay; the candidate's own effects are solved for by Newton's method,
with the same Laplace term as in `newton` where the calibration has it. The uncertainty of what is held enters every
standard error through its stored covariance. On the calibration's own ratings this gives the calibration's own
estimates.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scoring.stats import likelihood
from scoring.stats.arrays import Floats, Ints
from scoring.stats.crossed import Places
from scoring.stats.layout import Terms
from scoring.stats.likelihood import Scale
from scoring.stats.ratings import NO_ANSWER, Ratings
from scoring.stats.results import Calibration
from scoring.stats.variances import Variances

MOST_STEPS = 60
SOLVED = 1e-9
LONGEST_STEP = 2.0


@dataclass(frozen=True, eq=False)
class Stored:
    """What re-scoring needs of a calibration; plain arrays and names, to be kept in a database or a file.

    `columns` names the difficulties: (item, dimension, scale) of each. `vector` and `covariance` are those of
    `Calibration`; `tops` the highest category of each scale; `laplace_term` whether estimates have it.
    """

    interviewers: tuple[str, ...]
    columns: tuple[tuple[str, str, str], ...]
    scales: tuple[str, ...]
    tops: tuple[int, ...]
    slopes: Floats
    terms: Terms
    variances: Variances
    vector: Floats
    covariance: Floats
    laplace_term: bool

    @classmethod
    def of(cls, found: Calibration) -> Stored:
        """Keep what is needed of a calibration."""
        ratings, labels = found.ratings, found.ratings.labels
        return cls(
            interviewers=labels.interviewer,
            columns=ratings.column_names(),
            scales=labels.scale,
            tops=ratings.top,
            slopes=found.slopes,
            terms=found.terms,
            variances=found.variances,
            vector=found.vector,
            covariance=found.covariance,
            laplace_term=found.laplace_term,
        )

    @cached_property
    def places(self) -> Places:
        return Places(len(self.interviewers), len(self.columns), tuple(Scale(top) for top in self.tops))

    @cached_property
    def taus(self) -> tuple[Floats, ...]:
        return tuple(self.places.tau(self.vector, number) for number in range(len(self.tops)))

    @cached_property
    def numbers(self) -> tuple[dict[str, int], dict[tuple[str, str, str], int], dict[str, int]]:
        """Codes by name: of interviewers, of difficulty columns, of scales."""
        return (
            {name: code for code, name in enumerate(self.interviewers)},
            {name: code for code, name in enumerate(self.columns)},
            {name: code for code, name in enumerate(self.scales)},
        )


@dataclass(frozen=True, eq=False)
class Rescored:
    """One candidate: `ability`, `ability_se` and, by dimension label, theta + xi with its standard error (logits).

    `unknown_interviewers`, `unknown_items`: ids the calibration had not met; they were taken as average, with the
    whole uncertainty of a stranger.
    """

    ability: float
    ability_se: float
    by_dimension: dict[str, tuple[float, float]]
    unknown_interviewers: tuple[str, ...]
    unknown_items: tuple[str, ...]
    steps: int


def rescore(stored: Stored, ratings: Ratings) -> Rescored:
    """Score the one candidate of `ratings`. Names, not codes, tie the ratings to the calibration.

    Raises ValueError for ratings of several candidates or on a scale the calibration has no thresholds for.
    """
    if ratings.candidates != 1:
        raise ValueError(f"Ratings of one candidate are scored again at a time, not of {ratings.candidates}.")
    card = _Card(stored, ratings)
    effects, covariance, steps = card.solve()
    by_dimension = {}
    for code, name in enumerate(ratings.labels.dimension):
        if code not in card.dimension_effects:
            continue
        place = card.dimension_effects[code]
        both = [0] if place == 0 else [0, place]
        value, variance = effects[both].sum(), covariance[np.ix_(both, both)].sum()
        by_dimension[name] = (float(value), float(np.sqrt(variance)))
    return Rescored(
        ability=float(effects[0]),
        ability_se=float(np.sqrt(covariance[0, 0])),
        by_dimension=by_dimension,
        unknown_interviewers=card.unknown_interviewers,
        unknown_items=card.unknown_items,
        steps=steps,
    )


class _Card:
    """Dense matrices of one candidate: Z (n, e) of own effects, X (n, p) of the crossed parameters touched."""

    def __init__(self, stored: Stored, ratings: Ratings) -> None:
        self.stored, self.ratings = stored, ratings
        _, _, scales = stored.numbers
        missing = [name for name in ratings.labels.scale if name not in scales]
        if missing:
            raise ValueError(f"The calibration has no thresholds for the scale {missing[0]!r}.")
        self.scale = np.array([scales[name] for name in ratings.labels.scale], np.int64)[ratings.scale]
        self._touched()
        self._own_effects()

    def _touched(self) -> None:
        """Lay out X over what this candidate met; the codes of its ratings may be those of a whole calibration."""
        ratings, names, places = self.ratings, self.ratings.labels, self.stored.places
        raters, columns, _ = self.stored.numbers
        met, rater_place = np.unique(ratings.interviewer, return_inverse=True)
        asked, column_place = np.unique(ratings.column, return_inverse=True)
        rater_names = [names.interviewer[code] for code in met]
        column_names = ratings.column_names(asked)
        self.unknown_interviewers = tuple(name for name in rater_names if name not in raters)
        self.unknown_items = tuple(key[0] for key in column_names if key not in columns)
        known = [raters.get(name, -1) for name in rater_names]
        known += [columns[key] + places.interviewers if key in columns else -1 for key in column_names]
        codes = np.array([*known, *range(places.intercepts, places.size)], np.int64)
        self.design = np.zeros((len(ratings), len(codes)))
        rows = np.arange(len(ratings))
        self.design[rows, rater_place] = -1.0
        self.design[rows, len(met) + column_place] = -1.0
        self.design[rows, len(known) + self.scale] = 1.0
        self.free = len(known) + len(places.scales)
        self.crossed = self.stored.covariance[np.ix_(codes, codes)]
        self._meet_strangers(codes, len(met))
        values = np.where(codes >= 0, self.stored.vector[codes], 0.0)
        self.base = self.design[:, : self.free] @ values[: self.free]

    def _meet_strangers(self, codes: Ints, raters: int) -> None:
        """Whoever the calibration has not met is as uncertain as the prior."""
        strange = np.flatnonzero(codes < 0)
        self.crossed[strange] = 0.0
        self.crossed[:, strange] = 0.0
        spread = self.stored.variances
        self.crossed[strange, strange] = np.where(strange < raters, spread.severity, spread.difficulty)

    def _own_effects(self) -> None:
        terms, spread, ratings = self.stored.terms, self.stored.variances, self.ratings
        effects = [np.zeros(len(ratings), np.int64)]
        precision = [1.0 / spread.candidate]
        self.dimension_effects = {int(code): 0 for code in np.unique(ratings.dimension)}
        if terms.dimension:
            code, rank = np.unique(ratings.dimension, return_inverse=True)
            effects.append(1 + rank)
            precision += [1.0 / spread.dimension] * len(code)
            self.dimension_effects = {int(value): 1 + place for place, value in enumerate(code)}
        if terms.halo:
            effects.append(len(precision) + ratings.session)
            precision += [1.0 / spread.halo] * (int(ratings.session.max()) + 1)
        self.own = np.zeros((len(ratings), len(precision)))
        for place in effects:
            self.own[np.arange(len(ratings)), place] = 1.0
        heard = ratings.answer != NO_ANSWER
        if terms.answer and heard.any():
            answers = np.zeros((len(ratings), int(ratings.answer.max()) + 1))
            answers[np.flatnonzero(heard), ratings.answer[heard]] = 1.0
            self.own = np.hstack([self.own, answers])
            precision += [1.0 / spread.answer] * answers.shape[1]
        self.precision = np.array(precision)

    def moments(self, psi: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        """Score, weight, third cumulant (n,) and covariance with the thresholds' contrasts (n, J) of each row."""
        places = self.stored.places
        score, weights, third = np.empty((3, len(psi)))
        thresholds = np.zeros((len(psi), places.free))
        for number in range(len(places.scales)):
            rows = np.flatnonzero(self.scale == number)
            if not len(rows):
                continue
            slope, scale = float(self.stored.slopes[number]), places.scales[number]
            p, _ = scale.probabilities(slope * psi[rows], self.stored.taus[number])
            at = likelihood.moments(scale, p)
            score[rows] = slope * (self.ratings.rating[rows] - at.mean)
            weights[rows] = slope**2 * at.variance
            third[rows] = slope**3 * at.third
            thresholds[rows, places.of_scale(number)] = slope * at.with_thresholds.T
        return score, weights, third, thresholds

    def solve(self) -> tuple[Floats, Floats, int]:
        """Posterior means (e,) and covariance (e, e) of the own effects, and how many steps they took."""
        effects = np.zeros(len(self.precision))
        covariance = np.diag(1.0 / self.precision)
        steps = 0
        while steps < MOST_STEPS:
            steps += 1
            score, weights, third, thresholds = self.moments(self.base + self.own @ effects)
            weighted = self.own.T * weights
            inverse = np.linalg.inv(weighted @ self.own + np.diag(self.precision))
            border = weighted @ self.design
            border[:, self.free :] -= self.own.T @ thresholds
            pulls = inverse @ border
            left = self.design - self.own @ pulls
            left[:, self.free :] = -(self.own @ pulls[:, self.free :])
            if self.stored.laplace_term:
                spread = np.einsum("ne,ef,nf->n", self.own, inverse, self.own, optimize=True)
                spread += np.einsum("np,pq,nq->n", left, self.crossed, left, optimize=True)
                score = score - 0.5 * third * spread
            gradient = self.own.T @ score - self.precision * effects
            step = inverse @ gradient
            effects = effects + np.clip(step, -LONGEST_STEP, LONGEST_STEP)
            covariance = inverse + pulls @ self.crossed @ pulls.T
            if np.abs(step).max() < SOLVED:
                break
        return effects, covariance, steps
