"""The `mirt` package as a second opinion: marginal maximum likelihood on an exact grid, without halo or shrinkage."""

from __future__ import annotations

from typing import Any

import numpy as np
from mirt.estimation.mfrm_mml import fit_mfrm
from mirt.models.mfrm import Facet, PolytomousMFRM

from scoring.stats.arrays import Floats
from scoring.stats.ratings import Ratings


def fit_by_mirt(ratings: Ratings) -> Any:
    """Fit the plain many-facet model by mirt: persons normal, interviewers and difficulty columns fixed effects."""
    order = np.argsort(ratings.candidate, kind="stable")
    counts = np.bincount(ratings.candidate, minlength=ratings.candidates)
    person = ratings.candidate[order]
    place = np.arange(len(order)) - np.repeat(np.cumsum(counts) - counts, counts)
    shape = (ratings.candidates, int(counts.max()))

    def wide(values: Floats, empty: int) -> Any:
        table = np.full(shape, empty)
        table[person, place] = values[order]
        return table

    model = PolytomousMFRM(ratings.columns, ratings.top[0] + 1, [Facet("interviewer", ratings.interviewers)])
    return fit_mfrm(
        model,
        wide(ratings.rating, -1),
        {"interviewer": wide(ratings.interviewer, 0)},
        item_indices=wide(ratings.column, 0),
    )
