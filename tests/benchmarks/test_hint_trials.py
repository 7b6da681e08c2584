"""What hints save, in simulated interviews: never more questions than in order, most of what a free choice saves.

The candidates are the same in every run, so the twin with few of them is no less certain, only less exact.
"""

from __future__ import annotations

import pytest

from interviews.hints import may_come
from interviews.rules.boundaries import Credit
from tests.benchmarks.hint_trials import (
    SHAPES,
    TREES,
    Curve,
    compare,
    curve,
    curves,
    free,
    hinted,
    in_order,
    trials,
    walk,
)

pytestmark = pytest.mark.unit

ORDERS = ("in order, one miss", "in order, two misses")
PROMISED = [shape for shape in SHAPES if shape != "bare chain"]


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("shape", PROMISED)
def test_hints_save_most_of_what_a_free_choice_saves(shape: str) -> None:
    found = curves(shape, candidates=1000)

    for order in ORDERS:
        done = compare(found[order], found["hinted"], found["free choice"], minutes=False)
        assert done.most_more <= 0, order
        assert done.share >= 0.8, order
    for name, one in found.items():
        # What the estimates expect of themselves is the error they have, so the comparison is about the error.
        assert one.expected == pytest.approx(one.rmse, rel=0.06), name


def test_hints_save_with_few_candidates_too() -> None:
    found = curves("deep chain", candidates=30)

    for order in ORDERS:
        done = compare(found[order], found["hinted"], found["free choice"], minutes=False)
        assert done.most_more <= 0, order
        assert done.share >= 0.75, order


def test_all_ways_meet_the_same_candidates_and_answers() -> None:
    one, two = (list(trials("mixed", candidates=3, seed=5, misses=misses)) for misses in (1, 2))

    assert [trial.truth for trial in one] == [trial.truth for trial in two]
    assert [trial.answers for trial in one] == [trial.answers for trial in two]
    assert next(trials("mixed", candidates=3, seed=6)).truth != one[0].truth
    assert set(one[0].answers.values()) <= set(Credit)
    assert len(one[0].trees) == TREES


@pytest.mark.parametrize("shape", SHAPES)
def test_a_walk_in_order_stops_at_the_rule_and_hints_stay_within_what_may_come(shape: str) -> None:
    trial = next(trials(shape, candidates=1, seed=3))
    trees = list(trial.trees)

    assert in_order(trees, "") == trees[0].probes[0].id
    assert hinted(trees, "") in {probe.id for tree in trees for probe in may_come(tree)}
    assert free(trees, "") in trial.answers
    steps = walk(trial, in_order)
    assert [step.minutes for step in steps] == sorted(step.minutes for step in steps)
    assert len(walk(trial, free)) >= len(steps) / 2


def test_the_cost_of_an_error_lies_between_two_steps() -> None:
    falling = Curve(probes=(0, 1, 2), minutes=(0, 3, 8), rmse=(1, 1, 1), expected=(1.0, 0.8, 0.4))

    assert falling.cost(0.9) == pytest.approx(0.5)
    assert falling.cost(0.6, minutes=True) == pytest.approx(5.5)
    assert falling.cost(0.4) == 2
    assert falling.cost(0.3) == float("inf")


def test_whoever_has_ended_stays_where_they_are() -> None:
    drawn = list(trials("bushy", candidates=2, seed=4))
    short, long = walk(drawn[0], lambda trees, current: None), walk(drawn[1], in_order)

    both = curve([short, long])

    assert len(both.probes) == len(long)
    assert both.probes[-1] == (len(long) - 1) / 2
    assert both.minutes[-1] == long[-1].minutes / 2
