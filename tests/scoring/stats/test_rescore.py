from __future__ import annotations

import time

import numpy as np
import pytest

from scoring.stats.designs import Design, simulate
from scoring.stats.facets import Options, calibrate
from scoring.stats.layout import Terms
from scoring.stats.ratings import Ratings
from scoring.stats.rescore import Stored, rescore
from scoring.stats.results import Calibration

pytestmark = pytest.mark.unit

DESIGN = Design(candidates=80, interviewers=8, pool=6, raters=(1, 3), ask="same", halo=0.4, answer=0.4)
MILLISECONDS = 2.0


@pytest.fixture(scope="module")
def found() -> Calibration:
    return calibrate(simulate(DESIGN, 1).ratings)


def only(ratings: Ratings, candidate: int) -> Ratings:
    return ratings.of_candidates(np.arange(ratings.candidates) == candidate)


def test_a_file_split_by_candidate_scores_as_the_whole_did(found: Calibration) -> None:
    stored = Stored.of(found)

    for candidate in range(0, 80, 7):
        again = rescore(stored, only(found.ratings, candidate))
        assert again.ability == pytest.approx(found.ability[candidate], abs=1e-6)
        assert again.ability_se == pytest.approx(found.ability_se[candidate], abs=1e-6)
        for dimension, (value, error) in again.by_dimension.items():
            code = found.ratings.labels.dimension.index(dimension)
            assert value == pytest.approx(found.by_dimension[candidate, code], abs=1e-6)
            assert error == pytest.approx(found.by_dimension_se[candidate, code], abs=1e-6)


def test_ratings_too_extreme_for_the_laplace_term_are_scored_again_without_it() -> None:
    people, extremes = np.repeat(np.arange(6), 6), np.random.default_rng(1).choice([0, 4], 36)
    names = (
        [str(code) for code in codes] for codes in (people, np.tile([0, 0, 0, 1, 1, 1], 6), np.tile([0, 1, 2], 12))
    )
    found = calibrate(Ratings.from_columns(*names, extremes, top={"": 4}))
    assert not found.laplace_term

    for candidate in range(6):
        again = rescore(Stored.of(found), only(found.ratings, candidate))
        assert again.ability == pytest.approx(found.ability[candidate], abs=1e-6)


def test_one_run_with_crossed_parameters_held_is_each_candidate_by_itself(found: Calibration) -> None:
    held = calibrate(
        found.ratings,
        Options(
            terms=found.terms,
            variances=found.variances,
            hold_variances=True,
            begin=found.vector,
            hold_crossed=found.covariance,
        ),
    )
    stored = Stored.of(found)

    np.testing.assert_array_equal(held.vector, found.vector)
    for candidate in range(5):
        again = rescore(stored, only(found.ratings, candidate))
        assert again.ability == pytest.approx(held.ability[candidate], abs=1e-8)
        assert again.ability_se == pytest.approx(held.ability_se[candidate], abs=1e-8)


@pytest.mark.parametrize("terms", [Terms(answer=False), Terms(halo=False), Terms(dimension=False)])
def test_terms_that_were_off_stay_off(terms: Terms) -> None:
    found = calibrate(simulate(DESIGN, 2).ratings, Options(terms=terms))
    again = rescore(Stored.of(found), only(found.ratings, 3))

    assert again.ability == pytest.approx(found.ability[3], abs=1e-6)
    assert again.by_dimension["1"][0] == pytest.approx(found.by_dimension[3, 1], abs=1e-6)


def test_strangers_are_taken_as_average_and_widen_the_interval(found: Calibration) -> None:
    stored = Stored.of(found)
    rows = {"candidate": ["new"] * 6, "item": [str(k // 3) for k in range(6)], "dimension": list("012012")}

    def score(interviewer: str) -> tuple[float, tuple[str, ...]]:
        ratings = Ratings.from_columns(
            rows["candidate"],
            [interviewer] * 6,
            rows["item"],
            [2, 3, 2, 4, 3, 3],
            dimension=rows["dimension"],
            top={"": 4},
        )
        labels = ratings.labels
        named = Ratings.from_codes(
            ratings.candidate, ratings.interviewer, ratings.item, ratings.rating, dimension=ratings.dimension, top=[4],
            labels=type(labels)(labels.candidate, labels.interviewer, labels.item, labels.dimension, ("0",)),
        )  # fmt: skip
        again = rescore(stored, named)
        return again.ability_se, again.unknown_interviewers

    known, nobody = score("1")
    strange, somebody = score("Zoe")
    assert nobody == ()
    assert somebody == ("Zoe",)
    assert strange > known


def test_several_candidates_or_another_scale_are_refused(found: Calibration) -> None:
    stored = Stored.of(found)
    with pytest.raises(ValueError, match="not of 80"):
        rescore(stored, found.ratings)
    with pytest.raises(ValueError, match="no thresholds for the scale 'other'"):
        rescore(stored, Ratings.from_columns(["a"], ["1"], ["2"], [1], scale=["other"]))


def test_the_codes_of_a_whole_calibration_may_be_those_of_the_card(found: Calibration) -> None:
    mine = only(found.ratings, 4)
    labels = found.ratings.labels
    alone = Ratings.from_columns(
        ["x"] * len(mine),
        [labels.interviewer[code] for code in mine.interviewer],
        [labels.item[code] for code in mine.item],
        mine.rating,
        dimension=[labels.dimension[code] for code in mine.dimension],
        answer=[str(code) for code in mine.answer],
        scale=["0"] * len(mine),
        top={"0": 4},
    )

    assert rescore(Stored.of(found), alone).ability == pytest.approx(found.ability[4], abs=1e-6)


def test_scoring_again_takes_less_than_two_milliseconds(found: Calibration) -> None:
    stored, card = Stored.of(found), only(found.ratings, 5)
    taken = []
    for _ in range(30):
        before = time.process_time()
        rescore(stored, card)
        taken.append(1000.0 * (time.process_time() - before))

    assert min(taken) < MILLISECONDS
