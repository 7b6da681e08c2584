"""Drawing, picking, blotting names out, and comparing a marking with the panel. Pure."""

from __future__ import annotations

import pytest

from scoring.enums import MarkingCause
from scoring.rules.blind import WHOLE, agreement, cause_of, draw, pick, without_names
from tests.support.panel_inputs import ANA, BO, mark, panel, rater, revision

pytestmark = pytest.mark.unit


def test_a_draw_is_the_same_for_the_same_seed_and_spreads_evenly() -> None:
    numbers = [draw("seed", application) for application in range(2000)]

    assert numbers == [draw("seed", application) for application in range(2000)]
    assert numbers != [draw("another", application) for application in range(2000)]
    assert all(0 <= number < WHOLE for number in numbers)
    assert 60 <= sum(number < 500 for number in numbers) <= 140, "about five of a hundred"


@pytest.mark.parametrize(
    ("number", "percent", "disagrees", "cause"),
    [
        (499, 5, False, MarkingCause.RANDOM),
        (499, 5, True, MarkingCause.RANDOM),
        (500, 5, False, None),
        (500, 5, True, MarkingCause.DISAGREEMENT),
        (0, 0, False, None),
        (WHOLE - 1, 100, False, MarkingCause.RANDOM),
    ],
)
def test_the_cause_follows_from_number_percentage_and_panel(
    number: int, percent: int, disagrees: bool, cause: MarkingCause | None
) -> None:
    assert cause_of(number, percent, disagrees=disagrees) == cause


def test_a_pick_depends_on_the_seed_and_not_on_the_order() -> None:
    assert pick("seed", 7, [1, 2, 3]) == pick("seed", 7, [3, 1, 2])
    assert {pick(f"seed {number}", 7, [1, 2, 3]) for number in range(40)} == {1, 2, 3}


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("Ana Berg asked, ana again; an analysis stays.", "[...] asked, [...] again; an analysis stays."),
        ("Kim's cluster", "[...]'s cluster"),
        ("候选人李娜说过三次", "候选人[...]说过三次"),
        ("Nothing to hide.", "Nothing to hide."),
        ("小明追问之后，建国同学答得更清楚，王小明也同意", "[...]追问之后，[...]同学答得更清楚，[...]也同意"),
        ("欧阳晓峰说，晓峰", "[...]说，[...]"),
        ("José asked, Jose\u0301 again; Joséphine did not.", "[...] asked, [...] again; Joséphine did not."),
        ("O’Brien’s and O'Brien's", "[...]’s and [...]'s"),
        ("A. J. St. Clair left", "[...] left"),
    ],
)
def test_names_are_blotted_out(words: str, found: str) -> None:
    names = {
        "Ana Berg",
        "Kim Lindqvist",
        "李娜",
        "B",
        "王小明",
        "李建国",
        "欧阳晓峰",
        "José",
        "Ann O'Brien",
        "A. J. St. Clair",
    }
    assert without_names(words, names) == found


def test_agreement_is_over_the_answers_both_rated() -> None:
    inputs = panel(
        rater(ANA, revision(1, mark(1, "1+d4"), mark(1, "2pd2"), mark(1, "3-d1"))),
        rater(BO, revision(2, mark(1, "1+d3"), mark(1, "2-d2"), mark(1, "4+"))),
    )
    own = [mark(1, "1+d3"), mark(1, "2+d4"), mark(1, "3-d0"), mark(1, "4+d4")]

    found = agreement(own, inputs)

    # Own 3, 4, 0 beside the panel's 3.5, 2, 1; nobody of the panel rated the fourth answer.
    assert found["dimensions"]["depth"] == {
        "pairs": 3,
        "own": 2.3333,
        "panel": 2.1667,
        "difference": 0.1667,
        "distance": 1.1667,
    }
    nothing = dict.fromkeys(("own", "panel", "difference", "distance"))
    assert found["dimensions"]["why"] == {"pairs": 0, **nothing}
    # Of the second answer the panel itself is even.
    assert found["outcomes"] == {"same": 3, "of": 3}


def test_caps_hold_and_who_saw_others_is_no_measure() -> None:
    inputs = panel(
        rater(ANA, revision(1, mark(1, "1+d1"))),
        rater(BO, revision(2, mark(1, "1+d0"), independent=False)),
    )

    depth = agreement([mark(1, "1Td4")], inputs)["dimensions"]["depth"]

    assert (depth["own"], depth["panel"], depth["pairs"]) == (1.0, 1.0, 1)


def test_voided_answers_are_not_compared() -> None:
    inputs = panel(rater(ANA, revision(1, mark(1, "1+d1"), mark(1, "2+d1", voided=True))))

    assert agreement([mark(1, "1+d4"), mark(1, "2+d4")], inputs)["dimensions"]["depth"]["pairs"] == 1
