"""The second step of a run: severity, difficulty and fit of whoever must move no one, measured against what stands.

Each source is fitted by itself, with every candidate's posterior, every interviewer, item and threshold held as the
first step left them (scoring.stats.aside): so nobody's figures, its own apart, depend on whether it is there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from scoring.calibration.report import number
from scoring.calibration.rows import ratings_of
from scoring.rules.aside import Aside, Source
from scoring.rules.linked import RatingRow
from scoring.stats.arrays import Floats, Ints
from scoring.stats.aside import measure_aside
from scoring.stats.fit import Fit, fit_by, row_statistics
from scoring.stats.ratings import Ratings
from scoring.stats.results import Calibration

Row = dict[str, Any]
ASIDE = "aside: "
"""Before the name of a shadow or a judge: whoever is an interviewer elsewhere has another severity there."""


def second_step(
    found: Calibration, sources: Mapping[Source, Sequence[RatingRow]], wordings: Mapping[str, str]
) -> dict[str, list[Row]]:
    """Return `second_step` of the run's JSON: for each kind of source rows of `id, estimate, se, infit, outfit, n`.

    Ratings of candidates that `found` has no estimate for are passed over, and so are items that it has measured.
    """
    told: dict[str, list[Row]] = {kind.value: [] for kind in Aside}
    candidates = set(found.ratings.labels.candidate)
    measured = set(found.ratings.labels.item)
    for source, rows in sources.items():
        own = [row for row in rows if str(row.application) in candidates]
        if not own or (source.kind == Aside.ITEMS and source.id in measured):
            continue
        ratings = ratings_of(own, wordings)
        told[source.kind] += (
            _items(found, source, ratings) if source.kind == Aside.ITEMS else _rater(found, source, ratings)
        )
    return told


def _rater(found: Calibration, source: Source, ratings: Ratings) -> list[Row]:
    labels = ratings.labels
    named = replace(ratings, labels=replace(labels, interviewer=tuple(ASIDE + name for name in labels.interviewer)))
    aside = measure_aside(found, named)
    fit = fit_by(row_statistics(aside), aside.ratings.interviewer, 1)
    return [{"id": source.id, **_measure(aside.severity, aside.severity_se, fit, 0), "candidates": ratings.candidates}]


def _items(found: Calibration, source: Source, ratings: Ratings) -> list[Row]:
    """One row for each dimension the item was rated on."""
    aside = measure_aside(found, ratings)
    fit = fit_by(row_statistics(aside), aside.ratings.column, ratings.columns)
    return [
        {
            "id": source.id,
            "dimension": ratings.labels.dimension[ratings.column_dimension[code]],
            **_measure(aside.difficulty, aside.difficulty_se, fit, code),
            "candidates": _met(ratings, code),
        }
        for code in range(ratings.columns)
    ]


def _measure(estimates: Floats, errors: Floats, fit: Fit, code: int) -> Row:
    return {
        "estimate": number(estimates[code]),
        "se": number(errors[code]),
        "infit": number(fit.infit[code]),
        "outfit": number(fit.outfit[code]),
        "infit_z": number(fit.infit_z[code]),
        "outfit_z": number(fit.outfit_z[code]),
        "n": int(fit.n[code]),
    }


def _met(ratings: Ratings, column: int) -> int:
    who: Ints = ratings.candidate[ratings.column == column]
    return len(np.unique(who))
