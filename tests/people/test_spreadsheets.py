"""Tables for spreadsheets: what they can't run, and what stays as it is."""

from __future__ import annotations

import pytest

from people.spreadsheets import as_csv, safe

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("words", ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx", "  =x", "\n=x", "＝x"])
def test_text_that_begins_like_a_formula_is_kept_from_being_one(words: str) -> None:
    assert safe(words) == f"'{words}"


@pytest.mark.parametrize("cell", ["a=b", "", 7, -1.5, None, "1-2"])
def test_other_cells_stay(cell: str | float | None) -> None:
    assert safe(cell) == cell


def test_table_says_its_encoding_and_leaves_nothing_empty_that_is_zero() -> None:
    assert as_csv(("a", "b"), [(0, None), ("x, y", "=z")]) == '\ufeffa,b\r\n0,\r\n"x, y",\'=z\r\n'
