from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviews.enums import Aid, Aim, EvidenceType, Outcome
from scoring.enums import Cap, StatementKind
from scoring.rules import MarkIn, Ratings, StatementIn, counted_ratings, dimension_values, number
from scoring.rules.values import evidence_types

pytestmark = pytest.mark.unit

ALL_AIMS = (Aim.DEPTH, Aim.WHY, Aim.HANDS_ON)
MARK = MarkIn(
    asked="a1",
    interview=0,
    order=1,
    tree=1,
    probe="root",
    level=1,
    aims=ALL_AIMS,
    outcome=Outcome.SUSTAINED,
    aid=Aid.UNAIDED,
    ratings=Ratings(depth=3, why=3, hands_on=3),
)
READ = {"a1": {EvidenceType.READ_ABOUT}}
BUILT = {"a1": {EvidenceType.READ_ABOUT, EvidenceType.BUILT}}


@pytest.mark.parametrize(
    ("change", "evidence", "counts", "caps"),
    [
        ({}, {}, (3, 3, 3), ((), (), ())),
        ({"outcome": Outcome.RECITED}, {}, (1, 1, 3), ((Cap.RECITED,), (Cap.RECITED,), ())),
        ({"aid": Aid.TOLD}, {}, (1, 1, 1), ((Cap.TOLD,), (Cap.TOLD,), (Cap.TOLD,))),
        ({"aid": Aid.HINTED}, {}, (3, 3, 3), ((), (), ())),
        ({}, READ, (3, 3, 1), ((), (), (Cap.READ_ABOUT,))),
        ({}, BUILT, (3, 3, 3), ((), (), ())),
        (
            {"aid": Aid.TOLD, "outcome": Outcome.RECITED},
            READ,
            (1, 1, 1),
            ((Cap.TOLD, Cap.RECITED), (Cap.TOLD, Cap.RECITED), (Cap.TOLD, Cap.READ_ABOUT)),
        ),
        ({"outcome": Outcome.NOT_SUSTAINED}, {}, (3, 3, 3), ((), (), ())),
        ({"outcome": None}, {}, (3, 3, 3), ((), (), ())),
        (
            {"outcome": Outcome.RECITED, "ratings": Ratings(depth=1, why=0, hands_on=2)},
            READ,
            (1, 0, 1),
            ((), (), (Cap.READ_ABOUT,)),
        ),
    ],
    ids=[
        "as given",
        "recited caps depth and why",
        "told caps all",
        "hinted caps nothing",
        "read about caps hands-on",
        "one thing built lifts the cap",
        "every cap is named",
        "a miss is no cap",
        "a rating without outcome counts",
        "a cap that changes nothing is not named",
    ],
)
def test_the_rating_that_counts(
    change: dict[str, object],
    evidence: dict[str, set[EvidenceType]],
    counts: tuple[int, ...],
    caps: tuple[tuple[Cap, ...], ...],
) -> None:
    ratings = counted_ratings([replace(MARK, **change)], evidence)  # type: ignore[arg-type]

    assert tuple(rating.counts for rating in ratings) == counts
    assert tuple(rating.caps for rating in ratings) == caps


@pytest.mark.parametrize(
    "change",
    [
        {"scored": False},
        {"retracted": True},
        {"voided": True},
        {"outcome": Outcome.NOT_JUDGED},
        {"ratings": Ratings()},
        {"tree": 9},
    ],
    ids=["trial", "retracted", "voided", "not judged", "not rated", "not expected"],
)
def test_what_does_not_count_gives_no_rating(change: dict[str, object]) -> None:
    assert counted_ratings([replace(MARK, **change)], {}, excluded_trees={9}) == ()  # type: ignore[arg-type]


def test_only_the_probes_own_aims_count() -> None:
    ratings = counted_ratings([replace(MARK, aims=(Aim.WHY,))], {})

    assert [rating.aim for rating in ratings] == [Aim.WHY]


def test_a_probe_asked_twice_counts_once_by_its_later_rating() -> None:
    again = replace(MARK, asked="a2", order=5, ratings=Ratings(depth=1))

    ratings = counted_ratings([again, MARK], {})

    assert [(rating.aim, rating.asked, rating.counts) for rating in ratings] == [
        (Aim.WHY, "a1", 3),
        (Aim.HANDS_ON, "a1", 3),
        (Aim.DEPTH, "a2", 1),
    ]


def test_two_own_questions_are_two_probes() -> None:
    other = replace(MARK, asked="a2", order=2, probe="adhoc:2")

    assert len(counted_ratings([replace(MARK, probe="adhoc:1"), other], {})) == 6


def test_a_value_is_the_mean_of_two_or_more() -> None:
    marks = [
        replace(MARK, asked=f"a{n}", order=n, probe=f"p{n}", ratings=Ratings(depth=depth, why=why))
        for n, (depth, why) in enumerate([(4, 3), (3, None), (3, None)])
    ]

    values = dimension_values(counted_ratings(marks, {}))

    assert {aim: value.value for aim, value in values.items()} == {
        Aim.DEPTH: Fraction(10, 3),
        Aim.WHY: None,
        Aim.HANDS_ON: None,
    }
    assert number(values[Aim.DEPTH].value) == 3.3333
    assert len(values[Aim.WHY].ratings) == 1


def test_evidence_types_leave_reasons_and_notes_out() -> None:
    statements = [
        StatementIn(1, StatementKind.EVIDENCE, "a1", "built", "unaided", "x"),
        StatementIn(2, StatementKind.EVIDENCE, "a1", "read_about", "prompted", "x"),
        StatementIn(3, StatementKind.REASON, "a2", "choice", "unaided", "x"),
        StatementIn(4, StatementKind.NOTE, "a2", "", "", "x"),
        StatementIn(5, StatementKind.NOTE, None, "", "", "x"),
    ]

    assert evidence_types(statements) == {"a1": {EvidenceType.BUILT, EvidenceType.READ_ABOUT}}


marks = st.builds(
    MarkIn,
    asked=st.uuids().map(str),
    interview=st.integers(0, 1),
    order=st.integers(1, 30),
    tree=st.integers(1, 3),
    probe=st.sampled_from("abcd"),
    level=st.integers(1, 4),
    aims=st.sampled_from([(Aim.DEPTH,), (Aim.DEPTH, Aim.WHY), ALL_AIMS]),
    scored=st.sampled_from([True, True, False]),
    outcome=st.sampled_from([None, *Outcome]),
    aid=st.sampled_from([None, *Aid]),
    ratings=st.builds(Ratings, *[st.none() | st.integers(0, 4)] * 3),
)


@given(
    st.lists(marks, max_size=12, unique_by=lambda mark: (mark.interview, mark.order)), st.randoms(use_true_random=False)
)
def test_values_stay_on_the_scale_and_know_no_order(found: list[MarkIn], random: object) -> None:
    ratings = counted_ratings(found, {})
    shuffled = list(found)
    random.shuffle(shuffled)  # type: ignore[attr-defined]

    assert counted_ratings(shuffled, {}) == ratings
    assert all(0 <= rating.counts <= rating.given <= 4 for rating in ratings)
    assert all(bool(rating.caps) == (rating.counts < rating.given) for rating in ratings)
    assert len({(rating.tree, rating.probe, rating.aim) for rating in ratings}) == len(ratings)
    for value in dimension_values(ratings).values():
        assert (value.value is None) == (len(value.ratings) < 2)
        assert value.value is None or 0 <= value.value <= 4
