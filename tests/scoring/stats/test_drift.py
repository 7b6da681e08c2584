from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import ttest_ind

from scoring.stats.arrays import Bools, Floats
from scoring.stats.designs import THRESHOLDS, Design, draw_ratings, simulate
from scoring.stats.drift import Drift, drift, last_period, welch
from scoring.stats.facets import Options
from scoring.stats.layout import Terms
from scoring.stats.ratings import Ratings

pytestmark = pytest.mark.unit

# 15 sessions of each interviewer in the last of four periods.
DESIGN = Design(candidates=400, interviewers=20, raters=(3, 3), halo=0.4)
MOVED = 4


def moved(shift: float, seed: int) -> tuple[Ratings, Bools]:
    """Ratings of which the first few interviewers are stricter by `shift` in the last of four periods."""
    truth = simulate(DESIGN, seed)
    ratings = truth.ratings
    late = ratings.session_candidate >= DESIGN.candidates * 3 // 4
    severity = truth.severity[ratings.interviewer]
    severity = severity + shift * (late[ratings.session] & (ratings.interviewer < MOVED))
    psi = truth.ability[ratings.candidate] + truth.halo[ratings.session] - severity
    psi -= truth.difficulty[ratings.item * DESIGN.dimensions + ratings.dimension]
    rating = draw_ratings(psi, np.array(THRESHOLDS), np.random.default_rng(seed + 1000))
    again = Ratings.from_codes(
        ratings.candidate, ratings.interviewer, ratings.item, rating, dimension=ratings.dimension, top=[4]
    )
    return again, late


def flags(found: Drift) -> set[int]:
    return {one.interviewer for one in found.shifts}


def test_those_who_moved_are_flagged_with_how_far() -> None:
    ratings, late = moved(1.2, 1)
    found = drift(ratings, late)

    assert flags(found) >= set(range(MOVED))
    assert len(found.shifts) <= MOVED + 1
    for one in found.shifts:
        if one.interviewer < MOVED:
            assert abs(one.shift - 1.2) < 3.5 * one.shift_se
            assert one.t < 0.0 < one.shift
    names = found.calibration.ratings.labels.interviewer
    assert names[20:] == tuple(f"{names[one.interviewer]} (last period)" for one in found.shifts)


def test_nobody_is_flagged_when_nobody_moved() -> None:
    ratings, late = moved(0.0, 3)

    assert drift(ratings, late).shifts == ()


@pytest.mark.slow
@pytest.mark.parametrize(("shift", "power"), [(0.8, 0.8), (1.2, 0.97)])
def test_power_and_false_discoveries(shift: float, power: float) -> None:
    hits, false = 0, 0
    for seed in range(1, 9):
        found = flags(drift(*moved(shift, seed)))
        hits += len(found & set(range(MOVED)))
        false += len(found - set(range(MOVED)))

    assert hits / (8 * MOVED) >= power
    assert false / max(hits + false, 1) <= 0.10


@pytest.mark.slow
def test_nobody_is_flagged_in_vain_more_than_now_and_then() -> None:
    assert sum(len(drift(*moved(0.0, seed)).shifts) for seed in range(1, 9)) <= 2


def test_welch_is_scipys() -> None:
    draw = np.random.default_rng(4)
    effects, code, late = draw.normal(size=90), draw.integers(0, 3, 90), draw.random(90) < 0.4
    t, p = welch(effects, code, late, 4)

    for one in range(3):
        theirs = ttest_ind(effects[(code == one) & late], effects[(code == one) & ~late], equal_var=False)
        assert (t[one], p[one]) == pytest.approx((theirs.statistic, theirs.pvalue), abs=1e-12)
    assert np.isnan([t[3], p[3]]).all()


def test_interviewers_with_few_sessions_are_not_tested() -> None:
    ratings, _ = moved(0.0, 5)
    two = np.zeros(len(ratings.session_interviewer), bool)
    two[np.flatnonzero(ratings.session_interviewer == 7)[:2]] = True
    found = drift(ratings, two)

    assert not found.tested.any()
    assert found.shifts == ()


def test_the_last_period_is_the_last_share_of_sessions() -> None:
    time: Floats = np.array([3.0, 1.0, 2.0, 4.0, 8.0, 7.0, 6.0, 5.0])

    assert last_period(time).tolist() == [False] * 4 + [True, True, False, False]
    assert last_period(np.ones(5)).all()
    assert last_period(np.zeros(0)).tolist() == []


def test_drift_needs_the_halo() -> None:
    ratings, late = moved(0.0, 6)

    with pytest.raises(ValueError, match="halo"):
        drift(ratings, late, Options(terms=Terms(halo=False)))
    with pytest.raises(ValueError, match="each of"):
        drift(ratings, late[1:])
