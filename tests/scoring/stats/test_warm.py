from __future__ import annotations

import numpy as np
import pytest

from scoring.stats.designs import Design, simulate
from scoring.stats.facets import Options, calibrate
from scoring.stats.ratings import Ratings
from scoring.stats.rescore import Stored
from scoring.stats.warm import begin_from, refresh

pytestmark = pytest.mark.unit

DESIGN = Design(candidates=120, interviewers=8, pool=6, raters=(2, 3), halo=0.4)


def named(ratings: Ratings, prefix: str = "") -> Ratings:
    """The same ratings under names that sort otherwise."""
    return Ratings.from_columns(
        [f"c{code}" for code in ratings.candidate],
        [f"{prefix}r{code}" for code in ratings.interviewer],
        [f"i{code}" for code in ratings.item],
        ratings.rating,
        dimension=[f"d{code}" for code in ratings.dimension],
        top={"": 4},
    )


def test_refreshing_the_same_ratings_gives_the_same() -> None:
    found = calibrate(simulate(DESIGN, 1).ratings)
    again = refresh(Stored.of(found), found.ratings)

    np.testing.assert_allclose(again.ability, found.ability, atol=2e-5)
    np.testing.assert_allclose(again.severity_se, found.severity_se, atol=2e-5)
    assert again.variances == found.variances
    assert again.iterations < found.iterations


def test_new_candidates_and_interviewers_join_what_was_known() -> None:
    ratings = named(simulate(DESIGN, 2).ratings)
    first = ratings.of_candidates(np.arange(120) < 80)
    stored = Stored.of(calibrate(first))
    again = refresh(stored, ratings)
    whole = calibrate(ratings, Options(variances=stored.variances, hold_variances=True))

    np.testing.assert_allclose(again.ability, whole.ability, atol=2e-5)


def test_parameters_are_matched_by_name_and_strangers_begin_at_nought() -> None:
    found = calibrate(named(simulate(DESIGN, 3).ratings))
    stored = Stored.of(found)
    ratings = named(simulate(DESIGN, 4).ratings, prefix="new ")

    vector = begin_from(stored, ratings)
    same = begin_from(stored, found.ratings)

    np.testing.assert_array_equal(same, found.vector)
    np.testing.assert_array_equal(vector[:8], 0.0)
    assert np.abs(vector[8:26]).max() > 0.2


def test_another_number_of_categories_is_refused() -> None:
    stored = Stored.of(calibrate(simulate(DESIGN, 5).ratings))
    with pytest.raises(ValueError, match="had 5 categories, not 7"):
        begin_from(stored, Ratings.from_codes([0], [0], [0], [6]))
