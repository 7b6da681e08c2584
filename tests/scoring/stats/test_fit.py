from __future__ import annotations

import numpy as np
import pytest

from scoring.stats.designs import Design, simulate
from scoring.stats.facets import calibrate
from scoring.stats.fit import fit_by, row_statistics, unexpected
from scoring.stats.jml import calibrate_jointly
from scoring.stats.ratings import Ratings
from tests.scoring.stats.guilford import guilford, published

pytestmark = pytest.mark.unit

DESIGN = Design(candidates=200, interviewers=12, raters=(2, 4), halo=0.4)


def test_ratings_that_follow_the_model_fit_it() -> None:
    found = calibrate(simulate(DESIGN, 1).ratings)
    rows = row_statistics(found)
    people = fit_by(rows, found.ratings.candidate, 200)
    interviewers = fit_by(rows, found.ratings.interviewer, 12)

    assert interviewers.infit.mean() == pytest.approx(1.0, abs=0.03)
    assert interviewers.outfit.mean() == pytest.approx(1.0, abs=0.04)
    assert people.infit.mean() == pytest.approx(1.0, abs=0.05)
    assert np.abs(interviewers.infit_z).max() < 3.5
    assert people.infit_z.std() == pytest.approx(1.0, abs=0.25)
    assert people.n.sum() == len(found.ratings)


def test_an_interviewer_who_rates_at_random_stands_out() -> None:
    ratings = simulate(DESIGN, 2).ratings
    rating = ratings.rating.copy()
    noisy = ratings.interviewer == 4
    rating[noisy] = np.random.default_rng(0).integers(0, 5, noisy.sum())
    found = calibrate(
        Ratings.from_codes(ratings.candidate, ratings.interviewer, ratings.item, rating, dimension=ratings.dimension)
    )
    fit = fit_by(row_statistics(found), found.ratings.interviewer, 12)

    assert fit.outfit.argmax() == fit.infit.argmax() == 4
    assert fit.infit[4] > 1.4
    assert fit.infit_z[4] > 4.0
    assert fit.infit[np.arange(12) != 4].max() < 1.2


def test_a_single_absurd_rating_is_named_first() -> None:
    ratings = simulate(DESIGN, 3).ratings
    found = calibrate(ratings)
    strange = int(np.argmax(found.predictor))
    rating = ratings.rating.copy()
    rating[strange] = 0
    found = calibrate(
        Ratings.from_codes(ratings.candidate, ratings.interviewer, ratings.item, rating, dimension=ratings.dimension)
    )
    first, *_ = unexpected(row_statistics(found), rating)

    assert (first.row, first.rating) == (strange, 0)
    assert first.expected > 3.0
    assert first.standardised < -3.0


def test_the_largest_interaction_of_guilfords_ratings_is_the_published_one() -> None:
    theirs = published("facets_published")
    found = calibrate_jointly(guilford())
    rows, labels = row_statistics(found), found.ratings.labels
    brahe, edward = labels.interviewer.index("Brahe"), labels.candidate.index("Edward")
    cell = found.ratings.candidate * 3 + found.ratings.interviewer
    residual = np.bincount(cell, rows.residual)

    assert np.abs(residual).argmax() == edward * 3 + brahe
    assert residual[edward * 3 + brahe] == pytest.approx(
        theirs["facets_bias_table9"]["largest_score_residual_of_main_analysis"], abs=0.05
    )
    # A joint fit makes every element's residuals sum to nothing.
    np.testing.assert_allclose(np.bincount(found.ratings.candidate, rows.residual), 0.0, atol=1e-7)


def test_an_element_without_ratings_has_no_fit() -> None:
    found = calibrate(Ratings.from_codes([0, 2, 2, 0], [0, 0, 2, 2], [0, 0, 0, 0], [1, 2, 3, 4]))
    fit = fit_by(row_statistics(found), found.ratings.interviewer, 3)

    assert fit.n.tolist() == [2, 0, 2]
    assert np.isnan(fit.infit).tolist() == [False, True, False]
