"""One candidate's calibrated values: what an average interviewer would give on a position's reference set.

`ability` on a dimension becomes the rating to be expected on the reference set, which is the same for every candidate
of a position. What lies between the panel's raw value and that is said in three steps, which add up: who asked, what
was asked, how little was seen.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

import numpy as np

from scoring.rules.values import FEWEST_RATINGS
from scoring.stats.arrays import Bools, Floats
from scoring.stats.fair import Z95
from scoring.stats.likelihood import Scale
from scoring.stats.ratings import Ratings
from scoring.stats.rescore import Stored, rescore

Item = str
AVERAGE = "taken as average: "


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A dimension's value on the scale of ratings, with its 95% interval, and how it came from `raw`:
    raw + severity + difficulty + shrinkage = value. `logits`: ability on the dimension and its standard error."""

    value: float
    low: float
    high: float
    raw: float
    severity: float
    difficulty: float
    shrinkage: float
    logits: tuple[float, float]


def calibrate_candidate(
    stored: Stored,
    ratings: Ratings,
    *,
    raw: Mapping[str, float],
    reference: Collection[Item],
    average: Collection[str] = (),
) -> dict[str, Calibrated]:
    """Return the calibrated value of each dimension of `raw` that was rated and that the reference set reaches.

    `ratings`: of this one candidate, on the one scale of the calibration. `reference`: items; those that the
    calibration has not met are passed over. `average`: interviewers whose severity is taken as average, with the whole
    uncertainty of a stranger, since too little is known of them.
    Raises ValueError for ratings of several candidates, or on several scales.
    """
    if len(ratings.labels.scale) != 1:
        raise ValueError("Calibrated values are for ratings on one scale.")
    card = _Card(stored, _with_strangers(ratings, average))
    return {
        dimension: card.value(dimension, raw[dimension], known)
        for dimension in card.rated
        if dimension in raw and len(known := card.difficulties(reference, dimension))
    }


def _with_strangers(ratings: Ratings, average: Collection[str]) -> Ratings:
    names = tuple(AVERAGE + name if name in average else name for name in ratings.labels.interviewer)
    return replace(ratings, labels=replace(ratings.labels, interviewer=names))


def points_stricter(stored: Stored, interviewer: str, reference: Collection[Item]) -> float:
    """How many points lower than an average interviewer this one marks the average candidate on the reference set;
    negative where higher. 0 where the calibration has met neither them nor anything of the set. On its first scale."""
    raters, columns, _ = stored.numbers
    places, vector = stored.places, stored.vector
    known = [
        code for (item, _dimension, scale), code in columns.items() if item in reference and scale == stored.scales[0]
    ]
    if interviewer not in raters or not known:
        return 0.0
    level = places.intercept(vector)[0] - places.difficulty(vector)[known]
    severity = places.severity(vector)[raters[interviewer]]
    average, theirs = (_expected(stored, 0, level - lower).mean() for lower in (0.0, severity))
    return float(average - theirs)


def _expected(stored: Stored, number: int, predictor: Floats) -> Floats:
    """Ratings to be expected on a scale."""
    return Scale(stored.tops[number]).expected(float(stored.slopes[number]) * predictor, stored.taus[number])


class _Card:
    """The ratings of one candidate beside what the calibration knows of who gave them, and on what."""

    def __init__(self, stored: Stored, ratings: Ratings) -> None:
        self.stored, self.ratings = stored, ratings
        self.found = rescore(stored, ratings)
        self.rated = tuple(self.found.by_dimension)
        raters, self.columns, scales = stored.numbers
        self.scale = scales[ratings.labels.scale[0]]
        self.intercept = float(stored.places.intercept(stored.vector)[self.scale])
        severity, self.difficulty = stored.places.severity(stored.vector), stored.places.difficulty(stored.vector)
        by_rater = [severity[raters[name]] if name in raters else 0.0 for name in ratings.labels.interviewer]
        keys = ratings.column_names()
        by_column = [self.difficulty[self.columns[key]] if key in self.columns else 0.0 for key in keys]
        self.severities = np.array(by_rater)[ratings.interviewer]
        self.asked = np.array(by_column)[ratings.column]

    def difficulties(self, items: Collection[Item], dimension: str) -> Floats:
        """Difficulties of the items on a dimension, as far as the calibration has met them."""
        scale = self.ratings.labels.scale[0]
        keys = [(item, dimension, scale) for item in sorted(items)]
        return np.array([self.difficulty[self.columns[key]] for key in keys if key in self.columns])

    def expected(self, ability: float, lower: Floats) -> Floats:
        """Ratings to be expected of an ability where `lower` logits stand against it."""
        return _expected(self.stored, self.scale, self.intercept + ability - lower)

    def value(self, dimension: str, raw: float, reference: Floats) -> Calibrated:
        ability, error = self.found.by_dimension[dimension]
        rows = self.ratings.dimension == self.ratings.labels.dimension.index(dimension)
        given = self._mean(rows, self.expected(ability, (self.severities + self.asked)[rows]))
        by_average = self._mean(rows, self.expected(ability, self.asked[rows]))
        value = float(self.expected(ability, reference).mean())
        low, high = (float(self.expected(ability + off, reference).mean()) for off in (-Z95 * error, Z95 * error))
        return Calibrated(
            value=value,
            low=low,
            high=high,
            raw=raw,
            severity=by_average - given,
            difficulty=value - by_average,
            shrinkage=given - raw,
            logits=(ability, error),
        )

    def _mean(self, rows: Bools, values: Floats) -> float:
        """The mean of the raters' means: each person counts once, and who rated too little not at all, as in the raw
        value. Where everybody did, all of them."""
        who = self.ratings.interviewer[rows]
        many = np.bincount(who)
        counted = many >= min(FEWEST_RATINGS, many.max())
        means = np.bincount(who, values)[counted] / many[counted]
        return float(means.mean())
