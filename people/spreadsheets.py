"""Tables as files for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
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


def csv_in_parts(head: Sequence[str], rows: Iterable[Sequence[Cell]], *, lines: int = 200) -> Iterator[str]:
    """The same text as `as_csv`, `lines` rows at a time: for tables too long to hold."""
    stream = io.StringIO()
    stream.write("\ufeff")
    writer = csv.writer(stream, lineterminator="\r\n")
    writer.writerow(head)
    for number, row in enumerate(rows, start=1):
        writer.writerow([safe(cell) for cell in row])
        if number % lines == 0:
            yield stream.getvalue()
            stream.seek(0)
            stream.truncate()
    yield stream.getvalue()


def safe(cell: Cell) -> Cell:
    """Return a cell that no spreadsheet runs: a text that begins like a formula gets an apostrophe before it."""
    if isinstance(cell, str) and cell.lstrip(" \n").startswith(FORMULA):
        return f"'{cell}"
    return cell
