"""What enters the second step of a run, and that a source moves by five applications or not at all."""

from __future__ import annotations

from dataclasses import replace

import pytest

from interviews.enums import Aim, Role
from scoring.rules.aside import (
    Aside,
    JudgedIn,
    Source,
    applications_of,
    judged_rows,
    shadow_rows,
    taken_by_fives,
    trial_rows,
)
from scoring.rules.linked import RatingRow, digest_of, rating_rows
from tests.support.panel_inputs import ANA, BO, CHEN, mark, panel, rater, revision

pytestmark = pytest.mark.unit

SHADOW = Source(Aside.INTERVIEWERS, "13")


def rows(*applications: int) -> list[RatingRow]:
    return [RatingRow(one, CHEN, 0, 1, "p1", Aim.DEPTH, f"{one}", 3) for one in applications]


def test_trial_probes_are_measured_by_interviewers_alone_and_never_enter() -> None:
    inputs = panel(
        rater(ANA, revision(1, mark(1, "1+d4"), mark(1, "2rd3", scored=False))),
        rater(BO, revision(2, mark(1, "1+d2"), mark(1, "2+d2", scored=False)), role=Role.SHADOW),
    )

    assert [(row.person, row.probe, row.rating) for row in trial_rows(inputs)] == [(ANA, "p2", 1)]  # capped: recited
    assert {row.probe for row in rating_rows(inputs)} == {"p1"}


def test_shadows_are_read_as_interviewers_and_only_where_independent() -> None:
    shadow = rater(CHEN, revision(3, mark(1, "1+d4"), mark(1, "2Td3")), role=Role.SHADOW)
    late = replace(shadow, last_independent=())
    inputs = panel(rater(ANA, revision(1, mark(1, "1+d4"), mark(1, "2+d3"))))

    assert sorted((row.probe, row.rating) for row in shadow_rows(inputs, [shadow])) == [("p1", 4), ("p2", 1)]
    assert list(shadow_rows(inputs, [late])) == []


def test_judges_ratings_count_on_scored_answers_that_stand_the_later_of_two() -> None:
    first, again = mark(1, "1+d4"), replace(mark(1, "1+d4", interview=1), asked="again")
    trial, void = mark(1, "2+d4", scored=False), mark(1, "3+d4", voided=True)
    inputs = panel(rater(ANA, revision(1, first, again, trial, void)))
    said = [
        JudgedIn(number, 5, asked, aim, 2)
        for number, (asked, aim) in enumerate(
            [
                ("again", Aim.DEPTH),
                (first.asked, Aim.DEPTH),
                (first.asked, Aim.WHY),
                (trial.asked, Aim.DEPTH),
                (void.asked, Aim.DEPTH),
                ("gone", Aim.DEPTH),
            ]
        )
    ]

    assert [(row.person, row.asked, row.aim) for row in judged_rows(inputs, said)] == [(5, "again", Aim.DEPTH)]


def test_source_waits_for_five_new_applications_and_keeps_what_it_stood_on() -> None:
    assert taken_by_fives({SHADOW: rows(1, 2, 3, 4)}, {}) == {}
    five = taken_by_fives({SHADOW: rows(1, 2, 3, 4, 5)}, {})
    assert applications_of(five) == {"interviewers 13": [1, 2, 3, 4, 5]}
    known = applications_of(five)
    assert taken_by_fives({SHADOW: rows(1, 2, 3, 4, 5, 6, 7)}, known) == five
    assert len(taken_by_fives({SHADOW: rows(*range(1, 11))}, known)[SHADOW]) == 10


def test_digest_moves_with_what_is_measured_aside_in_any_order() -> None:
    plain = digest_of(rows(1), [])

    assert digest_of(rows(1), [], [("a", rows(1, 2))]) == digest_of(rows(1), [], [("a", rows(2, 1))]) != plain
    assert digest_of(rows(1), [], []) == plain
