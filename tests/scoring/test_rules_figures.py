"""The counting behind the bank's figures, by hand."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from interviews.enums import Aid, Outcome
from scoring.rules.figures import STEP, AskedOnce, Heard, Wording, figures_of, next_batches

pytestmark = pytest.mark.unit

ROOT, NEXT, REWORDED = Wording(1, "root", "a"), Wording(1, "l2", "b"), Wording(1, "root", "c")


def asked(application: int, wording: Wording, seq: int = 1, minutes: float = 2.0) -> AskedOnce:
    return AskedOnce(
        f"{application}.{seq}", application, wording, (application, seq), date(2026, 10, 17), timedelta(minutes=minutes)
    )


def test_batch_waits_for_five_applications() -> None:
    four = [asked(application, ROOT) for application in range(STEP - 1)]

    assert next_batches(four, {}) == {}
    assert next_batches([*four, asked(3, ROOT, seq=2)], {}) == {}, "the same application twice is one"
    assert next_batches([*four, asked(9, ROOT)], {}) == {ROOT: {0, 1, 2, 3, 9}}


def test_batch_holds_only_what_is_new_and_each_wording_waits_by_itself() -> None:
    nine = [asked(application, ROOT) for application in range(9)]

    assert next_batches(nine, {ROOT: set(range(5))}) == {}
    assert next_batches([*nine, asked(9, ROOT)], {ROOT: set(range(5))}) == {ROOT: {5, 6, 7, 8, 9}}
    assert next_batches([*nine, asked(9, REWORDED)], {ROOT: set(range(5))}) == {}


def test_figures_count_the_later_mark_and_where_the_tree_stopped() -> None:
    askings = [
        asked(1, ROOT, 1, minutes=2.2),
        asked(1, NEXT, 2),
        asked(2, ROOT, 1, minutes=3.6),
        asked(2, ROOT, 2, minutes=2.9),
        asked(3, Wording(2, "root", "x"), 1),
    ]
    heard = {
        "1.1": [Heard("1.1", 7, Outcome.SUSTAINED, Aid.UNAIDED), Heard("1.1", 8, None, Aid.HINTED)],
        "2.1": [Heard("2.1", 7, Outcome.NOT_SUSTAINED, None)],
        "2.2": [Heard("2.2", 7, Outcome.PARTIAL, Aid.HINTED), Heard("2.2", 9, Outcome.SUSTAINED, None)],
    }

    figures = figures_of(ROOT, {1, 2, 3}, askings, heard)

    assert (figures.asked, figures.stopped, figures.minutes) == (2, 1, 3)
    assert figures.outcomes == {Outcome.SUSTAINED: 2, Outcome.PARTIAL: 1}
    assert figures.aids == {Aid.UNAIDED: 1, Aid.HINTED: 1}
    assert figures.last_used == date(2026, 10, 1)
