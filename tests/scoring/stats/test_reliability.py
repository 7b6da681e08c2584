from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring.stats.designs import DESIGNS, simulate
from scoring.stats.facets import calibrate
from scoring.stats.fair import fair_by_dimension, fair_candidates, fair_interviewers
from scoring.stats.jml import calibrate_jointly
from scoring.stats.reliability import components, decision_study, interviewers_needed, reliabilities, reliability
from scoring.stats.results import Calibration
from scoring.stats.variances import KINDS
from tests.scoring.stats.guilford import guilford

pytestmark = pytest.mark.unit

PUBLISHED = (0.69, 0.85, 0.90, 0.92, 0.94)
"""Reliability found by simulation with 1 to 5 interviewers, three questions on three dimensions each, halo .4."""


@pytest.fixture(scope="module")
def found() -> Calibration:
    return calibrate(simulate(DESIGNS["R3"], 1).ratings)


def test_the_study_of_designs_foretells_what_simulations_found(found: Calibration) -> None:
    study = decision_study(found, range(1, 6))

    np.testing.assert_allclose([expected.reliability for expected in study], PUBLISHED, atol=0.04)
    assert all(expected.raw_reliability < expected.reliability for expected in study)
    np.testing.assert_allclose([expected.half_width for expected in study], (1.09, 0.75, 0.62, 0.54, 0.49), atol=0.08)


def test_interviewers_needed_is_the_first_that_reaches(found: Calibration) -> None:
    assert interviewers_needed(found, 0.5) == 1
    assert interviewers_needed(found, 0.88) in {3, 4}
    assert interviewers_needed(found, 0.9999) is None


def test_raters_of_the_same_answers_bring_less() -> None:
    found = calibrate(simulate(DESIGNS["P3"], 1).ratings)
    (own,) = decision_study(found, range(3, 4), answers=6)
    (same,) = decision_study(found, range(3, 4), answers=6, shared=True)

    assert same.reliability < own.reliability
    assert same.reliability == pytest.approx(reliabilities(found)["candidates"].reliability, abs=0.02)


def test_components_are_shares_of_one(found: Calibration) -> None:
    parts = components(found)

    assert [part.kind for part in parts] == [*KINDS, "rating"]
    assert sum(part.share for part in parts) == pytest.approx(1.0)
    assert parts[-1].variance > 1.0


def test_reliability_is_one_less_error_over_variance() -> None:
    estimates, errors = np.array([-1.0, 0.0, 1.0]), np.full(3, 0.5)

    assert reliability(estimates, errors, 1.0).reliability == pytest.approx(0.75)
    assert reliability(estimates, errors, 1.0).separation == pytest.approx(np.sqrt(3.0))
    assert reliability(estimates, errors, None).reliability == pytest.approx(0.75)
    assert reliability(estimates, 2.0 * errors, 1.0).reliability == 0.0
    assert reliability(estimates, errors, 1.0, np.zeros(3, bool)).elements == 0


def test_joint_and_laplace_fits_both_say_how_far_elements_are_apart(found: Calibration) -> None:
    for fit in (found, calibrate_jointly(guilford())):
        for name, told in reliabilities(fit).items():
            assert 0.0 <= told.reliability <= 1.0, name
            assert told.elements > 0


def test_fair_averages_lie_on_the_scale_around_the_raw_ones(found: Calibration) -> None:
    fair = fair_candidates(found)
    ratings = found.ratings
    raw = np.bincount(ratings.candidate, ratings.rating) / np.bincount(ratings.candidate)

    assert (fair.low < fair.value).all()
    assert (fair.value < fair.high).all()
    assert fair.low.min() >= 0.0
    assert fair.high.max() <= 4.0
    assert fair.value.mean() == pytest.approx(raw.mean(), abs=0.05)
    assert np.corrcoef(fair.value, raw)[0, 1] > 0.8


def test_a_strict_interviewers_fair_average_is_lower(found: Calibration) -> None:
    fair = fair_interviewers(found)

    assert fair.value.argmin() == found.severity.argmax()
    assert fair.value.mean() == pytest.approx(found.ratings.rating.mean(), abs=0.2)


def test_dimensions_have_fair_averages_at_their_own_level() -> None:
    ratings = simulate(replace(DESIGNS["R3"], by_dimension=0.5), 2).ratings
    found = calibrate(ratings)
    fair = fair_by_dimension(found)
    raw = np.bincount(ratings.dimension, ratings.rating) / np.bincount(ratings.dimension)

    assert fair.value.shape == (300, 3)
    np.testing.assert_allclose(fair.value.mean(axis=0), raw, atol=0.1)
