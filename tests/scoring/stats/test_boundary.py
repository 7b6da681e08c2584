from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring.stats.boundary import Depth, calibrate_fused, expand, fuse, held_out_gain
from scoring.stats.designs import Design, Simulated, simulate
from scoring.stats.facets import Options, calibrate
from scoring.stats.ratings import Ratings, RatingsError
from tests.scoring.stats.recovery import centred_errors

pytestmark = pytest.mark.unit

DESIGN = Design(candidates=200, interviewers=12, pool=12, raters=(2, 3), asked=2, halo=0.4)
STEPS = np.array([-1.6, -0.8, 0.0, 0.8, 1.6])


def climb(truth: Simulated, seed: int, slope: float = 1.0, trees: int = 3, time: float = 0.1) -> list[Depth]:
    """Each interviewer climbs trees with each candidate until a level is failed or time runs out."""
    draw = np.random.default_rng(seed)
    ratings, depths = truth.ratings, []
    for session, (person, rater) in enumerate(zip(ratings.session_candidate, ratings.session_interviewer, strict=True)):
        psi = truth.ability[person] + truth.halo[session] - truth.severity[rater]
        for tree in draw.permutation(6)[:trees]:
            passed, failed = 0, False
            while passed < 5 and not failed and draw.random() > time:
                failed = bool(draw.random() > 1.0 / (1.0 + np.exp(-slope * (psi - STEPS[passed]))))
                passed += not failed
            depths.append(Depth(str(person), str(rater), f"tree {tree}", 1, passed, failed))
    return depths


def test_levels_tried_are_rows_and_levels_not_tried_are_none() -> None:
    rows = expand(
        [
            Depth("a", "r", "t", 1, 2, True),
            Depth("a", "r", "t", 1, 2, False),
            Depth("a", "r", "t", 3, 2, True),
            Depth("a", "r", "t", 2, 4, False),
            Depth("a", "r", "t", 1, 0, False),
        ]
    )

    assert rows == [(0, 1, 1), (0, 2, 1), (0, 3, 0), (1, 1, 1), (1, 2, 1), (2, 3, 0), (3, 2, 1), (3, 3, 1), (3, 4, 1)]


def test_impossible_boundaries_and_strangers_are_refused_with_their_rows() -> None:
    with pytest.raises(RatingsError) as refused:
        expand([Depth("a", "r", "t", 1, 2, True), Depth("a", "r", "t", 3, 1, True)])
    assert refused.value.rows == (1,)
    ratings = Ratings.from_columns(["a"], ["r"], ["i"], [2], top={"": 4})
    with pytest.raises(RatingsError, match="without ratings") as refused:
        fuse(ratings, [Depth("a", "r", "t", 1, 1, True), Depth("b", "r", "t", 1, 1, True)])
    assert refused.value.rows == (1,)
    assert fuse(ratings, [Depth("a", "r", "t", 1, 0, False)]) is ratings


def test_boundaries_share_the_session_even_with_a_severity_of_their_own() -> None:
    truth = simulate(DESIGN, 1)
    fused = fuse(truth.ratings, climb(truth, 1), own_severity=True)

    assert fused.interviewers == 24
    assert fused.session.max() == truth.ratings.session.max()
    assert fused.labels.interviewer[12] == "0#boundary"
    assert fused.top == (4, 1)


def test_fusing_independent_boundaries_brings_estimates_nearer_the_truth() -> None:
    alone, fused = [], []
    for seed in range(1, 4):
        truth = simulate(DESIGN, seed)
        together = fuse(truth.ratings, climb(truth, seed))
        alone.append(np.mean(centred_errors(calibrate(truth.ratings), truth) ** 2))
        fused.append(np.mean(centred_errors(calibrate(together), truth) ** 2))

    assert np.sqrt(np.mean(fused)) < 0.97 * np.sqrt(np.mean(alone))


def test_the_slope_of_the_boundary_is_found() -> None:
    truth = simulate(replace(DESIGN, candidates=300, raters=(3, 3)), 4)
    steep = calibrate_fused(fuse(truth.ratings, climb(truth, 4, slope=1.5)))
    flat = calibrate_fused(fuse(truth.ratings, climb(truth, 4, slope=0.7)))

    assert steep.slopes[0] == 1.0
    assert 1.2 < steep.slopes[1] < 1.65
    assert 0.58 < flat.slopes[1] < 0.85
    assert steep.log_likelihood > calibrate(steep.ratings, Options(slopes=(1.0, 1.0))).log_likelihood


def test_held_out_error_tells_boundaries_that_help_from_noise() -> None:
    truth = simulate(replace(DESIGN, raters=(3, 3)), 5)
    helpful = held_out_gain(fuse(truth.ratings, climb(truth, 5)))
    shuffled = [replace(depth, candidate=str(n % 200)) for n, depth in enumerate(climb(truth, 5))]
    noise = held_out_gain(fuse(truth.ratings, shuffled))

    assert helpful.worth_it
    assert helpful.fused < helpful.without
    assert not noise.worth_it


def following(truth: Simulated, seed: int, agreement: float = 0.9) -> list[Depth]:
    """One tree of one level an answer, passed as its first rating says (2 or more) nine times in ten: no news."""
    draw = np.random.default_rng(seed)
    ratings, depths = truth.ratings, []
    for row in np.flatnonzero(ratings.dimension == 0):
        passed = bool(ratings.rating[row] >= 2) == bool(draw.random() < agreement)
        person, rater = str(ratings.candidate[row]), str(ratings.interviewer[row])
        depths.append(Depth(person, rater, f"tree {ratings.item[row]}", 1, int(passed), not passed))
    return depths


def test_boundaries_that_repeat_the_ratings_bring_nothing() -> None:
    alone, fused = [], []
    for seed in range(1, 4):
        truth = simulate(DESIGN, seed)
        together = fuse(truth.ratings, following(truth, seed))
        alone.append(np.mean(centred_errors(calibrate(truth.ratings), truth) ** 2))
        fused.append(np.mean(centred_errors(calibrate(together), truth) ** 2))

    assert np.sqrt(np.mean(fused)) > 0.99 * np.sqrt(np.mean(alone))


@pytest.mark.slow
def test_time_outs_read_as_stops_do_harm() -> None:
    exact, as_stops = [], []
    for seed in range(1, 11):
        truth = simulate(DESIGN, seed)
        depths = climb(truth, seed, time=0.2)
        stops = [replace(depth, failed=True) if depth.passed < 5 else depth for depth in depths]
        for found, read in ((exact, depths), (as_stops, stops)):
            found.append(np.mean(centred_errors(calibrate(fuse(truth.ratings, read)), truth) ** 2))

    assert np.mean(exact) < np.mean(as_stops)
