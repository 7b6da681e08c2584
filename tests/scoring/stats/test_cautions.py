from __future__ import annotations

import pytest

from scoring.stats.cautions import Caution, cautions, interviewers_met, linked
from scoring.stats.connectedness import connectedness
from scoring.stats.designs import DESIGNS, simulate
from scoring.stats.facets import calibrate
from scoring.stats.ratings import Ratings

pytestmark = pytest.mark.unit


def told(ratings: Ratings) -> tuple[Caution, ...]:
    return cautions(calibrate(ratings), connectedness(ratings))


def test_a_sound_design_needs_no_caution() -> None:
    assert told(simulate(DESIGNS["R2"], 1).ratings) == ()


def test_one_interviewer_each_leaves_the_halo_to_the_prior() -> None:
    assert Caution.HALO_FROM_PRIOR in told(simulate(DESIGNS["R1"], 1).ratings)


def test_degenerate_ratings_are_said_to_be() -> None:
    equal = told(Ratings.from_codes([0, 0], [0, 1], [0, 0], [2, 2], top=[4]))
    assert {Caution.ALL_RATINGS_EQUAL, Caution.ONE_CANDIDATE} <= set(equal)
    lone = told(Ratings.from_codes([0, 1, 2], [0, 0, 0], [0, 0, 0], [1, 2, 3], top=[4]))
    assert Caution.ONE_INTERVIEWER in lone
    ends = told(Ratings.from_codes([0] * 10, list(range(10)), [0] * 10, [0, 4] * 5))
    assert Caution.VARIANCES_FROM_PRIOR in ends


def test_linked_ratings_are_those_on_candidates_others_rated() -> None:
    ratings = Ratings.from_codes([0, 0, 1, 1, 2, 0], [0, 1, 0, 2, 0, 0], [0] * 5 + [1], [1, 2, 3, 4, 0, 1])
    counts, people = linked(ratings)

    assert interviewers_met(ratings).tolist() == [2, 2, 1]
    assert counts.tolist() == [3, 1, 1]
    assert people.tolist() == [2, 1, 1]
