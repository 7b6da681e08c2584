"""Answers that several rated: who counts, and from how many."""

from __future__ import annotations

from datetime import date

import pytest

from interviews.enums import Aim
from scoring.calibration.answers import (
    Answer,
    Asking,
    against_others,
    alpha_of,
    house_agreement,
    own_lead_effect,
    shared_answers,
)
from scoring.rules.linked import RatingRow

pytestmark = pytest.mark.unit


def row(asked: str, person: int, rating: int, aim: Aim = Aim.DEPTH) -> RatingRow:
    return RatingRow(1, person, 0, 1, "root", aim, asked, rating)


def answers(*pairs: tuple[int, int]) -> list[Answer]:
    return [Answer(str(place), Aim.DEPTH, {1: own, 2: other}) for place, (own, other) in enumerate(pairs)]


def test_answers_are_shared_by_dimension() -> None:
    found = shared_answers([row("a", 1, 3), row("a", 2, 2), row("a", 1, 1, Aim.WHY), row("b", 1, 4)])

    assert found == [Answer("a", Aim.DEPTH, {1: 3, 2: 2})]


def test_four_answers_say_nothing_of_agreement() -> None:
    four = answers((0, 0), (1, 1), (2, 3), (4, 4))

    assert (house_agreement(four), alpha_of(four), against_others(1, four)) == ({}, None, None)
    five = [*four, Answer("e", Aim.DEPTH, {1: 3, 2: 3})]
    assert house_agreement(five)["depth"]["same"] == pytest.approx(0.8)
    assert against_others(1, five) == pytest.approx(
        {"answers": 5, "same": 0.8, "within_one": 1.0, "kappa": against_others(2, five)["kappa"]}  # type: ignore[index]
    )


def test_agreement_of_all_alike_is_unknown_and_not_perfect() -> None:
    assert alpha_of(answers(*[(2, 2)] * 6)) is None
    found = house_agreement(answers(*[(2, 2)] * 6))["depth"]
    assert (found["alpha"][0], found["kappa"], found["same"]) == (None, None, 1.0)


def test_being_strict_is_no_lead_effect() -> None:
    led = [Answer(f"own{n}", Aim.DEPTH, {1: 1, 2: 2}) for n in range(10)]
    heard = [Answer(f"other{n}", Aim.DEPTH, {1: 1, 2: 2}) for n in range(10)]
    askings = {answer.asked: Asking(1 if answer in led else 2, date(2026, 1, 1)) for answer in (*led, *heard)}

    assert own_lead_effect(1, [*led, *heard], askings) == {"asking": 10, "listening": 10, "points": [0.0, 0.0, 0.0]}
    assert own_lead_effect(1, [*led[1:], *heard], askings) is None, "from few of either nothing is said"
