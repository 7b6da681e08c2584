"""What a reader of a calibration must be told, as codes that the product and the command put into words."""

from __future__ import annotations

from enum import StrEnum

import numpy as np

from scoring.stats.arrays import Ints, count_met
from scoring.stats.connectedness import Connectedness
from scoring.stats.ratings import Ratings
from scoring.stats.results import Calibration


class Caution(StrEnum):
    NOT_SETTLED = "not_settled"
    """The fit did not come to an end; the estimates are finite and rough."""
    VARIANCES_FROM_PRIOR = "variances_from_prior"
    """The ratings are too few or too extreme to estimate variances."""
    HALO_FROM_PRIOR = "halo_from_prior"
    """Every candidate met one interviewer, so halo and capability are told apart by the prior alone."""
    ONE_CANDIDATE = "one_candidate"
    ONE_INTERVIEWER = "one_interviewer"
    ALL_RATINGS_EQUAL = "all_ratings_equal"
    UNIDENTIFIED = "unidentified"
    """The design leaves contrasts free; comparisons across their groups rest on the prior."""


def cautions(found: Calibration, connected: Connectedness) -> tuple[Caution, ...]:
    """All that apply, gravest first."""
    ratings = found.ratings
    seen = {
        Caution.NOT_SETTLED: not found.converged,
        Caution.VARIANCES_FROM_PRIOR: found.model == "laplace" and not found.laplace_term,
        Caution.ALL_RATINGS_EQUAL: bool((ratings.rating == ratings.rating[0]).all()),
        Caution.ONE_CANDIDATE: len(np.unique(ratings.candidate)) == 1,
        Caution.ONE_INTERVIEWER: len(np.unique(ratings.interviewer)) == 1,
        Caution.HALO_FROM_PRIOR: found.terms.halo and bool((interviewers_met(ratings) <= 1).all()),
        Caution.UNIDENTIFIED: connected.unidentified > 0,
    }
    return tuple(caution for caution, applies in seen.items() if applies)


def interviewers_met(ratings: Ratings) -> Ints:
    """How many interviewers rated each candidate, (C,)."""
    return count_met(ratings.candidate, ratings.interviewer, ratings.candidates)


def linked(ratings: Ratings) -> tuple[Ints, Ints]:
    """Ratings and candidates of each interviewer that other interviewers rated too, (R,) and (R,): what a severity
    rests on. Few of them, and the severity is taken as average."""
    shared = interviewers_met(ratings) > 1
    rows = shared[ratings.candidate]
    counts = np.bincount(ratings.interviewer[rows], minlength=ratings.interviewers)
    return counts, count_met(ratings.interviewer[rows], ratings.candidate[rows], ratings.interviewers)
