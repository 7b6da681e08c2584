"""Beginning where the last calibration ended.

`refresh` keeps its variances and solves for everything else on ratings that may have grown: new candidates,
interviewers and items begin at nought. It costs a fraction of a calibration, and is no substitute for one where the
mix of people has changed.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scoring.stats.arrays import Floats
from scoring.stats.crossed import Places
from scoring.stats.facets import Options, calibrate
from scoring.stats.likelihood import Scale
from scoring.stats.ratings import Ratings
from scoring.stats.rescore import Stored
from scoring.stats.results import Calibration


def begin_from(stored: Stored, ratings: Ratings) -> Floats:
    """The crossed parameters of `ratings` as the calibration left those it knew, matched by name; others 0.

    Raises ValueError where a scale had another number of categories.
    """
    places = Places(ratings.interviewers, ratings.columns, tuple(Scale(top) for top in ratings.top))
    raters, columns, scales = stored.numbers
    names, known = ratings.labels, stored.places
    vector = np.zeros(places.size)
    old = [raters.get(name, -1) for name in names.interviewer]
    old += [known.interviewers + columns[key] if key in columns else -1 for key in ratings.column_names()]
    old += [known.intercepts + scales[name] if name in scales else -1 for name in names.scale]
    place = np.array(old)
    vector[: places.thresholds][place >= 0] = stored.vector[place[place >= 0]]
    for number, name in enumerate(names.scale):
        if name not in scales:
            continue
        if stored.tops[scales[name]] != ratings.top[number]:
            raise ValueError(
                f"The scale {name!r} had {stored.tops[scales[name]] + 1} categories, not {ratings.top[number] + 1}."
            )
        free = stored.vector[known.thresholds :][known.of_scale(scales[name])]
        vector[places.thresholds :][places.of_scale(number)] = free
    return vector


def refresh(stored: Stored, ratings: Ratings, options: Options | None = None) -> Calibration:
    """Calibrate `ratings` again from where `stored` ended, its variances and terms kept."""
    return calibrate(
        ratings,
        replace(
            options or Options(),
            terms=stored.terms,
            variances=stored.variances,
            hold_variances=True,
            begin=begin_from(stored, ratings),
        ),
    )
