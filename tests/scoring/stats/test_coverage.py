"""Whether intervals cover what they say, in the designs of `designs.py`. Errors are centred for a common shift.

The tests marked slow run 20 data sets of every design; their twins run a few of some, with a tolerance to match.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring.stats.designs import DESIGNS, Design, simulate
from scoring.stats.facets import Options, calibrate
from scoring.stats.layout import Terms
from tests.scoring.stats.recovery import Z, centred_errors, oracle, recovery

pytestmark = pytest.mark.unit

SEEDS = range(1, 21)
FEW = range(1, 4)
LEAST, MOST = 0.94, 0.965
# What twenty simulated data sets of 30 to 300 candidates scatter by (two standard errors), on top of the goal.
SCATTER = {"D": 0.014, "F": 0.008, "R1": 0.007}
NO_HALO = Terms(halo=False)
NO_ANSWER = Terms(answer=False)
WITHOUT_HALO = {"B": 0.87, "C": 0.87, "E": 0.88, "R2": 0.88, "R3": 0.87, "R4": 0.87, "R5": 0.87}
WITHOUT_HALO |= {"D": 0.935, "F": 0.92, "R1": 0.92}
TO_RAW = {"A": 0.63, "C": 0.63, "B": 0.79, "E": 0.76, "R2": 0.78, "R3": 0.78, "R4": 0.76, "R5": 0.76}
TO_RAW |= {"D": 0.87, "F": 0.88, "R1": 0.85}


@pytest.mark.slow
@pytest.mark.parametrize("name", list(DESIGNS))
def test_intervals_cover_in_every_design(name: str) -> None:
    found = recovery(DESIGNS[name], SEEDS)
    scatter = SCATTER.get(name, 0.002)

    assert LEAST - scatter <= found.coverage <= MOST + scatter
    assert found.to_raw <= TO_RAW.get(name, 1.0)


@pytest.mark.slow
@pytest.mark.parametrize("name", list(WITHOUT_HALO))
def test_without_the_halo_intervals_are_too_narrow(name: str) -> None:
    # With an answer effect left in, it would take the halo's place in part.
    assert recovery(DESIGNS[name], SEEDS, Terms(halo=False, answer=False)).coverage < WITHOUT_HALO[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["P2", "P3"])
def test_without_the_answer_effect_panels_are_too_sure(name: str) -> None:
    assert recovery(DESIGNS[name], SEEDS, NO_ANSWER).coverage < 0.88


@pytest.mark.slow
@pytest.mark.parametrize("name", ["A", "B", "C", "E", "R2", "R3", "R4", "R5"])
def test_estimates_are_nearly_those_of_someone_who_knows_all_but_the_candidates(name: str) -> None:
    ours, known = [], []
    for seed in SEEDS:
        truth = simulate(DESIGNS[name], seed)
        ours.append(np.mean(centred_errors(calibrate(truth.ratings), truth) ** 2))
        known.append(np.mean(centred_errors(oracle(DESIGNS[name], truth), truth) ** 2))

    assert np.sqrt(np.mean(ours) / np.mean(known)) < (1.04 if name == "R2" else 1.03)


def test_intervals_cover_and_fail_to_without_the_halo() -> None:
    with_halo = recovery(DESIGNS["R3"], FEW)
    without = recovery(DESIGNS["R3"], FEW, Terms(halo=False, answer=False))

    assert 0.93 < with_halo.coverage < 0.98
    assert without.coverage < 0.90
    assert with_halo.to_raw < 0.80


def test_intervals_cover_and_fail_to_without_the_answer_effect() -> None:
    with_answer = recovery(DESIGNS["P3"], FEW)
    without = recovery(DESIGNS["P3"], FEW, NO_ANSWER)

    assert 0.92 < with_answer.coverage < 0.98
    assert without.coverage < 0.80
    assert with_answer.rmse < without.rmse


def test_sparse_designs_cover() -> None:
    assert 0.90 < recovery(DESIGNS["F"], FEW).coverage < 0.985
    assert 0.90 < recovery(DESIGNS["D"], range(1, 9)).coverage < 0.99


def test_dimensions_of_a_candidate_cover() -> None:
    hits = []
    for seed in FEW:
        truth = simulate(replace(DESIGNS["R3"], by_dimension=0.5), seed)
        found = calibrate(truth.ratings)
        errors = found.by_dimension - truth.ability[:, None] - truth.by_dimension
        hits.append(np.abs(errors - errors.mean()) < Z * found.by_dimension_se)

    assert np.mean(hits) == pytest.approx(0.955, abs=0.025)


def newcomers(seed: int) -> tuple[float, float]:
    """Squared errors of the severity of 30 interviewers with one session of nine ratings each, and of guessing nothing;
    their candidates met three others on average. A session's halo and the candidate's own error leave about .75 of the
    spread to anyone."""
    truth = simulate(Design(candidates=200, interviewers=50, raters=(8, 8), halo=0.4), seed)
    ratings = truth.ratings
    kept = np.ones(len(ratings), bool)
    for rater in range(30):
        sessions = np.unique(ratings.session[ratings.interviewer == rater])
        kept &= ~np.isin(ratings.session, sessions[1:])
    found = calibrate(ratings.of_rows(kept))
    errors = found.severity - truth.severity
    errors = errors[:30] - errors[30:].mean()
    return float(np.mean(errors**2)), float(np.mean(truth.severity[:30] ** 2))


def test_a_newcomers_severity_is_shrunken_not_wild() -> None:
    ours, nothing = np.mean([newcomers(seed) for seed in FEW], axis=0)

    assert np.sqrt(ours) <= 0.85 * np.sqrt(nothing)


@pytest.mark.slow
def test_newcomers_beat_guessing_nothing() -> None:
    ours, nothing = np.mean([newcomers(seed) for seed in range(1, 9)], axis=0)

    assert np.sqrt(ours) <= 0.82 * np.sqrt(nothing)


def test_switching_the_halo_off_is_what_narrows_intervals() -> None:
    ratings = simulate(DESIGNS["R3"], 1).ratings

    assert calibrate(ratings, Options(terms=NO_HALO)).ability_se.mean() < calibrate(ratings).ability_se.mean()
