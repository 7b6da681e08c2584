"""Rows of an automatic judge: read whole, or refused with their number and a remedy."""

from __future__ import annotations

import contextlib
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviews.enums import Aim
from scoring.rules.judging import Refusal, digest_of, read_key, read_row, read_rows

pytestmark = pytest.mark.unit

CODE = "0b7a1c5e-7a8e-4a53-9a0c-3a1f6a2b9c10"
GOOD: dict[str, Any] = {"reference": CODE, "probe": "data-parallel/root", "dimension": "depth", "rating": "3"}


def test_a_row_is_read_from_a_files_cells_and_from_json_alike() -> None:
    row = read_row(2, {**GOOD, "note": " Names NCCL. ", "time": "2026-11-30T15:05:00+01:00"})

    assert (row.tree, row.probe, row.aim, row.rating, row.note) == (
        "data-parallel",
        "root",
        Aim.DEPTH,
        3,
        "Names NCCL.",
    )
    assert row.at == datetime(2026, 11, 30, 14, 5, tzinfo=UTC)
    assert read_row(2, {**GOOD, "rating": 3, "note": None}) == read_row(2, {**GOOD, "note": "", "time": ""})


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({"reference": "ana"}, "Row 7: The reference 'ana' is no code. Give the code"),
        ({"reference": None}, "Row 7: The reference '' is no code."),
        ({"reference": 7}, "Row 7: The reference is no text. Put it in quotation marks."),
        ({"probe": "root"}, "Row 7: The probe 'root' can't be read. Write tree/probe"),
        ({"probe": "/root"}, "can't be read"),
        ({"dimension": "width"}, "Row 7: The dimension 'width' is unknown. There are depth, why, hands_on."),
        ({"rating": ""}, "Row 7: The rating is missing."),
        ({"rating": "5"}, "Row 7: The rating '5' is not on the scale. Give a whole number from 0 to 4."),
        ({"rating": "-1"}, "is not on the scale"),
        ({"rating": "3.0"}, "is not on the scale"),
        ({"rating": "³"}, "is not on the scale"),
        ({"rating": 2.5}, "is not on the scale"),
        ({"rating": float("nan")}, "is not on the scale"),
        ({"rating": True}, "is not on the scale"),
        ({"rating": "9" * 5000}, "is not on the scale"),
        ({"rating": [3]}, "is not on the scale"),
        ({"note": "x" * 2001}, "Row 7: The note has 2,001 characters. 2,000 are the most: shorten it."),
        ({"note": "a\0b"}, "Row 7: The note holds characters that no text has."),
        ({"note": "\ud800"}, "Row 7: The note holds characters that no text has."),
        ({"time": "yesterday"}, "Row 7: The time 'yesterday' can't be read."),
        ({"time": "2026-11-30T14:05:00"}, "with its zone"),
        ({"time": "0001-01-01T00:00:00+14:00"}, "can't be read"),
    ],
)
def test_what_is_wrong_is_said_with_its_row_and_a_remedy(cells: dict[str, Any], said: str) -> None:
    with pytest.raises(Refusal, match="Row 7") as refused:
        read_row(7, {**GOOD, **cells})

    assert said in str(refused.value)
    assert all(problem.remedy for problem in refused.value.problems)


def test_every_row_that_is_wrong_is_named() -> None:
    with pytest.raises(Refusal) as refused:
        read_rows([(2, GOOD), (3, {**GOOD, "rating": "9"}), (4, {})])

    assert [problem.row for problem in refused.value.problems] == [3, 4]
    with pytest.raises(Refusal, match="There is not one rating"):
        read_rows([])


@given(st.dictionaries(st.sampled_from([*GOOD, "note", "time"]), st.one_of(st.text(), st.integers(), st.none())))
def test_no_cell_is_a_traceback(cells: dict[str, Any]) -> None:
    with contextlib.suppress(Refusal):
        read_row(2, {**GOOD, **cells})


@pytest.mark.parametrize("key", [None, "", " ", "k" * 81, "a\nb", 7, "\ud800"])
def test_a_batch_needs_a_name(key: object) -> None:
    with pytest.raises(Refusal, match="key"):
        read_key(key)


def test_digest_is_of_what_was_said_and_when_it_stands_where() -> None:
    one, other = (read_row(2, {**GOOD, "rating": rating}) for rating in (3, 4))

    assert digest_of([one]) == digest_of([read_row(2, dict(GOOD))]) != digest_of([other])
