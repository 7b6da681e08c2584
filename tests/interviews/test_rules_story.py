"""Which question was current when, and how a mark stood."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviews.rules.story import Asking, Spell, current_spells, history_of

pytestmark = pytest.mark.unit

START = datetime(2026, 11, 30, 10, 42, tzinfo=UTC)


def at(seconds: int) -> datetime:
    return START + timedelta(seconds=seconds)


def test_each_asking_is_current_until_the_next() -> None:
    spells = current_spells([Asking("a", at(0)), Asking("b", at(60))])

    assert spells == [Spell("a", at(0), at(60)), Spell("b", at(60), None)]


def test_taking_back_makes_the_one_before_current_again() -> None:
    spells = current_spells([Asking("a", at(0)), Asking("b", at(60), gone_at=at(65)), Asking("c", at(90))])

    assert [(spell.key, spell.since) for spell in spells] == [("a", at(0)), ("b", at(60)), ("a", at(65)), ("c", at(90))]


def test_taking_back_the_only_one_leaves_none_and_an_older_one_changes_nothing() -> None:
    alone = current_spells([Asking("a", at(0), gone_at=at(5))])
    older = current_spells([Asking("a", at(0), gone_at=at(9)), Asking("b", at(5))])

    assert [spell.key for spell in alone] == ["a", None]
    assert [spell.key for spell in older] == ["a", "b"]


def test_a_late_asking_never_was_current() -> None:
    assert current_spells([Asking("a", at(0)), Asking("late", at(10), late=True)]) == [Spell("a", at(0), None)]


@given(
    st.lists(st.tuples(st.integers(0, 90), st.booleans(), st.none() | st.integers(0, 90)), max_size=12).map(
        lambda rows: [
            Asking(index, at(second), late, None if gone is None else at(second + gone))
            for index, (second, late, gone) in enumerate(sorted(rows, key=lambda row: row[0]))
        ]
    )
)
def test_spells_follow_each_other_without_gaps_and_differ(askings: list[Asking[int]]) -> None:
    spells = current_spells(askings)

    for one, following in pairwise(spells):
        assert one.until == following.since
        assert one.key != following.key
    assert all(spell.until is None for spell in spells[-1:])
    standing = [one.key for one in askings if not one.late and one.gone_at is None]
    if spells:
        assert spells[-1].key == (standing[-1] if standing else None)


def test_a_mark_keeps_what_is_not_mentioned_and_null_clears() -> None:
    history = history_of(
        [
            (at(1), {"asked": "x", "outcome": "partial", "ratings": {"depth": 2}, "version": 1}),
            (at(5), {"asked": "x", "aid": "hinted", "ratings": {"why": 3}, "version": 2}),
            (at(9), {"asked": "x", "outcome": None, "ratings": {"depth": None}, "version": 3}),
        ]
    )

    assert [stood.values for stood in history] == [
        {"outcome": "partial", "depth": 2},
        {"outcome": "partial", "aid": "hinted", "depth": 2, "why": 3},
        {"aid": "hinted", "why": 3},
    ]
    assert [(stood.since, stood.until) for stood in history] == [(at(1), at(5)), (at(5), at(9)), (at(9), None)]


def test_a_mark_of_another_device_that_comes_late_stands_after_what_the_log_has_before_it() -> None:
    history = history_of([(at(9), {"outcome": "partial"}), (at(3), {"outcome": "recited"})])

    assert [(stood.values["outcome"], stood.since, stood.until) for stood in history] == [
        ("partial", at(9), at(9)),
        ("recited", at(9), None),
    ]
