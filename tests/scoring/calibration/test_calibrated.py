"""Calibrated values: one set for everybody, steps that add up, and an average stranger where little is known."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.calibration.calibrated import Calibrated, calibrate_candidate
from scoring.calibration.kept import pack, unpack
from scoring.stats.designs import Design, simulate
from scoring.stats.facets import calibrate
from scoring.stats.ratings import Ratings
from scoring.stats.rescore import Stored
from scoring.stats.results import Calibration

pytestmark = pytest.mark.unit

DESIGN = Design(candidates=80, interviewers=8, pool=6, raters=(1, 3), ask="same", severity=1.0, halo=0.4, answer=0.4)


@pytest.fixture(scope="module")
def found() -> Calibration:
    return calibrate(simulate(DESIGN, 1).ratings)


@pytest.fixture(scope="module")
def stored(found: Calibration) -> Stored:
    return unpack(pack(Stored.of(found)))


def only(ratings: Ratings, candidate: int) -> Ratings:
    return ratings.of_candidates(np.arange(ratings.candidates) == candidate)


def raw_of(ratings: Ratings) -> dict[str, float]:
    """Mean of the interviewers' means, by dimension."""
    values = {}
    for code, name in enumerate(ratings.labels.dimension):
        rows = ratings.dimension == code
        who = ratings.interviewer[rows]
        values[name] = float(np.mean([ratings.rating[rows][who == one].mean() for one in np.unique(who)]))
    return values


def values(stored: Stored, ratings: Ratings, **more: object) -> dict[str, Calibrated]:
    return calibrate_candidate(stored, ratings, raw=raw_of(ratings), reference=ratings.labels.item, **more)  # type: ignore[arg-type]


def test_kept_calibration_is_the_calibration(found: Calibration, stored: Stored) -> None:
    whole = Stored.of(found)
    np.testing.assert_array_equal(stored.covariance, whole.covariance)
    np.testing.assert_array_equal(stored.vector, whole.vector)
    assert (stored.interviewers, stored.columns, stored.terms) == (whole.interviewers, whole.columns, whole.terms)
    assert (stored.variances, stored.laplace_term) == (whole.variances, whole.laplace_term)


def test_steps_add_up_and_the_interval_stays_on_the_scale(found: Calibration, stored: Stored) -> None:
    for candidate in range(0, 80, 9):
        for one in values(stored, only(found.ratings, candidate)).values():
            assert one.raw + one.severity + one.difficulty + one.shrinkage == pytest.approx(one.value, abs=1e-12)
            assert 0 <= one.low < one.value < one.high <= 4


def test_strict_interviewers_lift_the_value_and_mild_ones_lower_it(found: Calibration, stored: Stored) -> None:
    for candidate in range(80):
        card = only(found.ratings, candidate)
        severity = found.severity[np.unique(card.interviewer)]
        for one in values(stored, card).values():
            if (severity > 0.2).all():
                assert one.severity > 0
            if (severity < -0.2).all():
                assert one.severity < 0


def test_order_of_values_is_that_of_abilities_whoever_asked(found: Calibration, stored: Stored) -> None:
    ability = [found.by_dimension[candidate, 0] for candidate in range(80)]
    value = [values(stored, only(found.ratings, candidate))["0"].value for candidate in range(80)]
    assert np.argsort(value).tolist() == np.argsort(ability).tolist()


def test_interviewer_taken_as_average_moves_nothing_and_widens_the_interval(found: Calibration, stored: Stored) -> None:
    card = only(found.ratings, 4)
    known = values(stored, card)["0"]
    taken = values(stored, card, average=card.labels.interviewer)["0"]

    assert taken.severity == 0.0
    assert taken.high - taken.low > known.high - known.low


def test_reference_that_nobody_has_met_gives_no_value(found: Calibration, stored: Stored) -> None:
    card = only(found.ratings, 4)
    assert calibrate_candidate(stored, card, raw=raw_of(card), reference=["never asked"]) == {}
    met = calibrate_candidate(stored, card, raw=raw_of(card), reference=["never asked", card.labels.item[0]])
    assert set(met) == {"0", "1", "2"}
