"""Whom to seat beside whom: what is foretold comes true, islands are joined first, and newcomers are met."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.stats.connectedness import connectedness
from scoring.stats.designs import Design, draw_ratings, simulate
from scoring.stats.facets import calibrate
from scoring.stats.pairing import Prospect
from scoring.stats.ratings import Ratings
from scoring.stats.reliability import rating_noise
from scoring.stats.rescore import Stored
from scoring.stats.results import Calibration
from scoring.stats.warm import refresh

pytestmark = pytest.mark.unit

DESIGN = Design(candidates=80, interviewers=6, pool=6, raters=(2, 3), ask="same", halo=0.4, answer=0.3)
TRUTH = simulate(DESIGN, 3)


@pytest.fixture(scope="module")
def found() -> Calibration:
    return calibrate(TRUTH.ratings)


def prospect(found: Calibration) -> Prospect:
    names = found.ratings.labels.interviewer
    groups = connectedness(found.ratings).interviewer_group
    return Prospect(Stored.of(found), rating_noise(found), dict(zip(names, map(int, groups), strict=True)))


def with_newcomer(sessions: int) -> Ratings:
    """The same ratings, and candidates whom "0" and a newcomer "9" heard answer the first three items."""
    old, draw = TRUTH.ratings, np.random.default_rng(1)
    rows = [
        (80 + person, rater, item, dimension)
        for person in range(sessions)
        for rater in (0, 6)
        for item in range(3)
        for dimension in range(3)
    ]
    person, rater, item, dimension = np.array(rows).T
    psi = draw.normal(0, 1, sessions)[person - 80] - TRUTH.difficulty.reshape(-1, 3)[item, dimension]
    values = draw_ratings(psi, np.array(DESIGN.thresholds), draw)
    both = [np.concatenate(pair) for pair in (
        (old.candidate, person), (old.interviewer, rater), (old.item, item), (old.rating, values),
    )]  # fmt: skip
    answers = np.concatenate([old.answer, old.answer.max() + 1 + (person - 80) * 3 + item])
    return Ratings.from_codes(*both, dimension=np.concatenate([old.dimension, dimension]), answer=answers, top=[4])


@pytest.mark.parametrize("sessions", [1, 3])
def test_what_is_foretold_of_a_newcomer_comes_true(found: Calibration, sessions: int) -> None:
    grown = with_newcomer(sessions)
    after = refresh(Stored.of(found), grown)

    told = prospect(found).gain("9", ("0", "9"), ("0", "1", "2"))

    assert told.before == pytest.approx(np.sqrt(found.variances.severity))
    if sessions == 1:
        assert after.severity_se[6] == pytest.approx(told.after, rel=0.15)
    else:
        assert after.severity_se[6] < told.after < told.before


def test_more_answers_and_better_known_company_tell_more(found: Calibration) -> None:
    ask = prospect(found)
    one, three = (ask.gain("9", ("0", "9"), items).after for items in (("0",), ("0", "1", "2")))
    alone, strangers = (ask.gain("9", raters, ("0", "1")).after for raters in (("9",), ("9", "8")))
    known = ask.gain("9", ("9", "0"), ("0", "1")).after

    assert three < one < ask.sd("9")
    assert known < strangers < alone  # alone, strictness can't be told from the candidate
    assert ask.gain("9", ("0", "9"), ("never asked",)).share == 0.0
    assert ask.gain("0", ("1", "2"), ("0", "1")).after < ask.sd("0") + 1e-12


def test_a_newcomer_is_seated_beside_the_panel(found: Calibration) -> None:
    chosen = prospect(found).pairing(["0", "1"], ["2", "9", "3"], ("0", "1", "2"))

    assert chosen is not None
    assert (chosen.who, chosen.beside, chosen.known, chosen.joins) == ("9", ("0", "1"), False, False)
    assert chosen.gain.share > 0.2


def test_with_nobody_seated_two_are_named(found: Calibration) -> None:
    chosen = prospect(found).pairing([], ["1", "2", "9"], ("0", "1", "2"))

    assert chosen is not None
    assert chosen.who == "9"
    assert set(chosen.beside) < {"1", "2"}


def test_where_the_panel_is_the_least_known_whoever_tells_most_of_it_is_chosen(found: Calibration) -> None:
    chosen = prospect(found).pairing(["9"], ["0", "8"], ("0", "1", "2"))

    assert chosen is not None
    assert (chosen.who, chosen.gain.who) in {("0", "9"), ("8", "8")}


def test_islands_are_joined_before_anything_else() -> None:
    one, other = (simulate(DESIGN, seed).ratings for seed in (1, 2))
    apart = Ratings.from_codes(
        np.concatenate([one.candidate, other.candidate[:300] + 80]),
        np.concatenate([one.interviewer, other.interviewer[:300] + 6]),
        np.concatenate([one.item, other.item[:300] + 6]),
        np.concatenate([one.rating, other.rating[:300]]),
        dimension=np.concatenate([one.dimension, other.dimension[:300]]),
        top=[4],
    )
    ask = prospect(calibrate(apart))

    chosen = ask.pairing(["0", "1"], ["2", "3", "7", "new"], ("0", "1", "2"))

    assert chosen is not None
    assert (chosen.who, chosen.joins) == ("7", True)


def test_nothing_is_said_where_nothing_stands_out(found: Calibration) -> None:
    ask = prospect(found)

    assert ask.pairing(["0"], [], ("0",)) is None
    assert ask.pairing([], ["0"], ("0",)) is None
    assert ask.pairing(["0", "1"], ["9"], ()) is None


def test_the_tree_that_tells_most_is_the_anchor(found: Calibration) -> None:
    ask = prospect(found)

    best = ask.anchor("9", ("0", "9"), {4: ("0",), 5: ("1", "2", "3"), 6: ("never",)})

    assert best is not None
    assert (best[0], best[1].who) == (5, "9")
    assert ask.anchor("9", ("0", "9"), {6: ("never",)}) is None
    assert ask.anchor("9", ("0", "9"), {}) is None
