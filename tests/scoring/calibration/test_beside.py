"""What a calibration says beside its estimates, on ratings whose truth is known."""

from __future__ import annotations

import pytest

from scoring.calibration.beside import Beside
from tests.support.calibrations import Ratings

pytestmark = pytest.mark.unit

PEOPLE = list(range(101, 109))
SEVERITY = [1.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.2]


@pytest.fixture(scope="module")
def beside() -> Beside:
    return Ratings(PEOPLE, 120, SEVERITY, stricter=frozenset({102}), kinder=0.8).beside()


def test_severity_is_said_in_points_of_the_scale(beside: Beside) -> None:
    strict, average, mild = (beside.people[person]["severity"]["points"] for person in (101, 104, 108))

    assert strict[0] > 0.5 > abs(average[0])
    assert mild[0] < -0.5
    for value, low, high in (strict, average, mild):
        assert low < value < high
    ratings, candidates = beside.people[101]["severity"]["linked"]
    assert ratings == 6 * candidates, "each met the others with every candidate"
    assert beside.people[101]["severity"]["tied"] is True


def test_who_became_stricter_is_found_and_nobody_else(beside: Beside) -> None:
    drifts = {person: beside.people[person]["drift"]["points"] for person in PEOPLE}

    assert [person for person, points in drifts.items() if points] == [102]
    assert drifts[102][0] > 0.4
    assert beside.house["drift"] == {"since": "2026-04", "tested": 8, "moved": 1}


def test_lead_effect_is_of_asking_and_not_of_being_strict(beside: Beside) -> None:
    _value, low, high = beside.house["lead_effect"]["points"]
    assert 0.2 < low < high < 1.0
    own = [beside.people[person]["lead_effect"] for person in PEOPLE]
    assert sum(one["points"][0] > 0 for one in own) >= 7, "strict and mild alike"
    assert all(one["asking"] * 2 == one["listening"] for one in own)


def test_agreement_is_of_the_same_answers(beside: Beside) -> None:
    found = beside.house["agreement"]["depth"]

    assert found["answers"] == 120 * 6
    assert found["alpha"][1] < found["alpha"][0] < found["alpha"][2]
    assert found["same"] < found["within_one"] < 1
    assert set(beside.probes) == {f"1/p{number}/h-p{number}" for number in range(6)}
    assert all(-1 < alphas["depth"] < 1 for alphas in beside.probes.values())


def test_halo_is_told_from_five_conversations_on(beside: Beside) -> None:
    halo = beside.people[101]["halo"]
    assert halo["talks"] >= 20
    assert 0.6 < halo["of_usual"] < 1.5

    few = Ratings(PEOPLE, 12).beside()
    assert None in [few.people[person]["halo"] for person in PEOPLE]


def test_who_shares_nothing_with_the_others_is_tied_to_nobody() -> None:
    found = Ratings(PEOPLE, 60, apart=3).beside()

    assert [person for person in PEOPLE if not found.people[person]["severity"]["tied"]] == PEOPLE[-3:]


def test_one_day_makes_no_two_periods() -> None:
    ratings = Ratings(PEOPLE, 30)
    ratings.askings = dict.fromkeys(ratings.askings, ratings.askings["0.0"])

    found = ratings.beside()

    assert found.house["drift"] is None
    assert {figures["drift"] for figures in found.people.values()} == {None}
