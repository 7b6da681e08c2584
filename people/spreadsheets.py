"""Tables as files for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

Cell: TypeAlias = str | int | float | None

# Spreadsheets take a cell that begins so for a formula, and run it; the wide forms count as the same signs.
FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "＝", "＋", "－", "＠")


def as_csv(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Return CSV with a byte order mark (spreadsheets take it for another encoding without); None is an empty cell."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(head)
    writer.writerows([safe(cell) for cell in row] for row in rows)
    return "\ufeff" + stream.getvalue()


def safe(cell: Cell) -> Cell:
    """Return a cell that no spreadsheet runs: a text that begins like a formula gets an apostrophe before it."""
    if isinstance(cell, str) and cell.lstrip(" \n").startswith(FORMULA):
        return f"'{cell}"
    return cell
