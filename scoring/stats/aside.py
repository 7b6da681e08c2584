"""Ratings that are measured but move no one: of shadows, on trial probes, by judges from outside.

Every candidate's posterior is held as a calibration left it, and so is every interviewer, item and threshold it knew.
What is new - a shadow's severity, a trial probe's difficulty - is estimated under the calibration's own variances, with
the halo of the new conversations and the candidates' remaining uncertainty as a random effect of each session.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scoring.stats.arrays import Bools, Floats, Ints
from scoring.stats.crossed import Places
from scoring.stats.facets import Options, calibrate
from scoring.stats.layout import Terms
from scoring.stats.likelihood import Scale
from scoring.stats.ratings import Labels, Ratings, RatingsError
from scoring.stats.rescore import Stored
from scoring.stats.results import Calibration
from scoring.stats.warm import begin_from


def measure_aside(found: Calibration, aside: Ratings) -> Calibration:
    """Estimate what is new in `aside` against `found`, which stays as it is.

    The result's `severity` and `difficulty` are by the codes of `aside`: those `found` knew unchanged with standard
    error 0, new ones with theirs; `fit.row_statistics` of it tells how the new ones fit. Its "candidates" are sessions.
    Raises RatingsError for candidates without an estimate, and for a scale `found` does not have.
    """
    stored = Stored.of(found)
    strange = [name for name in aside.labels.scale if name not in found.ratings.labels.scale]
    if strange:
        raise RatingsError(f"The calibration has no thresholds for the scale {strange[0]!r}.")
    ability, spread = _held(found, aside)
    sessions = _by_session(aside)
    of = found.variances
    halo = of.halo if of.halo > 0 else 0.0
    variances = replace(of, candidate=halo + float(np.mean(spread)), dimension=0.0, halo=0.0)
    return calibrate(
        sessions,
        Options(
            terms=Terms(dimension=False, halo=False, answer=found.terms.answer),
            slopes=tuple(found.slopes[[found.ratings.labels.scale.index(name) for name in aside.labels.scale]]),
            variances=variances,
            hold_variances=True,
            begin=begin_from(stored, aside),
            anchored=_known(stored, aside),
            offset=ability,
        ),
    )


def _held(found: Calibration, aside: Ratings) -> tuple[Floats, Floats]:
    """The posterior mean and variance of each row's candidate on its dimension, (n,)."""
    people = {name: code for code, name in enumerate(found.ratings.labels.candidate)}
    dimensions = {name: code for code, name in enumerate(found.ratings.labels.dimension)}
    person = np.array([people.get(name, -1) for name in aside.labels.candidate], np.int64)[aside.candidate]
    if (person < 0).any():
        raise RatingsError("A candidate has no estimate in the calibration.", np.flatnonzero(person < 0))
    dimension = np.array([dimensions.get(name, -1) for name in aside.labels.dimension], np.int64)[aside.dimension]
    value, error = found.by_dimension[person, dimension], found.by_dimension_se[person, dimension]
    known = (dimension >= 0) & np.isfinite(value)
    return (
        np.where(known, value, found.ability[person]),
        np.where(known, error, found.ability_se[person]) ** 2,
    )


def _by_session(aside: Ratings) -> Ratings:
    """The same ratings with each session a candidate of its own."""
    sessions = len(aside.session_candidate)
    who: Ints = aside.session
    names = aside.labels
    return Ratings.from_codes(
        who,
        aside.interviewer,
        aside.item,
        aside.rating,
        dimension=aside.dimension,
        answer=aside.answer,
        scale=aside.scale,
        top=aside.top,
        labels=Labels(
            tuple(str(code) for code in range(sessions)), names.interviewer, names.item, names.dimension, names.scale
        ),
    )


def _known(stored: Stored, aside: Ratings) -> Bools:
    """Which crossed parameters of `aside` the calibration knew."""
    raters, columns, _ = stored.numbers
    places = Places(aside.interviewers, aside.columns, tuple(Scale(top) for top in aside.top))
    known = np.ones(places.size, bool)
    known[: places.interviewers] = [name in raters for name in aside.labels.interviewer]
    known[places.interviewers : places.intercepts] = [key in columns for key in aside.column_names()]
    return known
