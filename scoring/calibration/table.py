"""Reading a delimited text file into coded columns, row by row, so that a file may be larger than the memory for it."""

from __future__ import annotations

import csv
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import numpy as np

from scoring.calibration.problems import BadInput, counted, printable, rows_said
from scoring.stats.arrays import Ints

DELIMITERS = (",", "\t", ";", "|")
LONGEST_LINE = 1_000_000
ROWS_AT_ONCE = 20_000
MOST_COLUMNS = 5_000
UTF8_MARK = b"\xef\xbb\xbf"
OTHER_FILES = {
    b"PK\x03\x04": "an Excel or OpenDocument workbook: save the sheet as CSV (UTF-8)",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook: save the sheet as CSV (UTF-8)",
    b"\xff\xfe": "UTF-16 text: save it as UTF-8",
    b"\xfe\xff": "UTF-16 text: save it as UTF-8",
    b"\x1f\x8b": "compressed by gzip: unpack it first",
    b"%PDF": "a PDF: export the ratings as CSV (UTF-8)",
}

Choose = Callable[[Sequence[str]], Sequence[int]]
"""Which columns to keep, given the header; raises BadInput."""
Tell = Callable[[int], None]
"""Called now and then with the rows read so far."""


@dataclass(frozen=True, eq=False)
class Coded:
    """A column: `codes` (n,) number its distinct cells, `values`, in the order they came."""

    codes: Ints
    values: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Table:
    """The columns kept, by their place in the header. `rows` (n,) are the rows as a spreadsheet counts them, the
    header being row 1; `blank` rows were left out."""

    header: tuple[str, ...]
    columns: dict[int, Coded]
    rows: Ints
    blank: int


def read_table(
    path: Path, choose: Choose, *, delimiter: str = "", most_rows: int | None = None, tell: Tell | None = None
) -> Table:
    """Read a file with a header: UTF-8, with or without byte order mark, separated by comma, tab, semicolon or bar.

    Raises BadInput for whatever cannot be read, with its row, and when there are more than `most_rows`.
    """
    try:
        with path.open("rb") as file:
            return _Reading(file, choose, delimiter, most_rows, tell).table()
    except OSError as error:
        raise BadInput(f"{path} can't be read: {error.strerror or error}.") from None


class _Reading:
    def __init__(
        self, file: BinaryIO, choose: Choose, delimiter: str, most_rows: int | None, tell: Tell | None
    ) -> None:
        self.most_rows, self.tell = most_rows, tell
        self.lines = _lines(file)
        first = next(self.lines, "")
        if not first.strip():
            raise BadInput("The file is empty: its first row must name the columns.")
        self.reader = csv.reader(self._from(first), delimiter=delimiter or guess_delimiter(first), strict=True)
        header = tuple(cell.strip() for cell in self._next(1)[0])
        while header and not header[-1]:
            header = header[:-1]
        if len(header) > MOST_COLUMNS:
            raise BadInput(f"The first row has {len(header):,} cells; {MOST_COLUMNS:,} columns are the most.")
        self.header = header
        self.chosen = sorted(set(choose(header)))
        self.numbers: dict[int, dict[str, int]] = {place: {} for place in self.chosen}
        self.codes = {place: array("i") for place in self.chosen}
        self.rows = array("q")
        self.row, self.blank = 1, 0
        self.ragged: list[int] = []

    def _from(self, first: str) -> Iterator[str]:
        yield first
        yield from self.lines

    def _next(self, most: int) -> list[list[str]]:
        try:
            return list(islice(self.reader, most))
        except csv.Error as error:
            line = self.reader.line_num
            raise BadInput(f"Line {line} can't be read as a table: {error}. Look for a stray quotation mark.") from None

    def table(self) -> Table:
        while records := self._next(ROWS_AT_ONCE):
            self._take(records)
            if self.most_rows is not None and len(self.rows) > self.most_rows:
                raise BadInput(too_many(self.most_rows))
            if self.tell is not None:
                self.tell(len(self.rows))
        if self.ragged:
            raise BadInput(
                f"{rows_said(self.ragged).capitalize()}: not as many cells as the {len(self.header)} columns of the "
                "first row. A cell that holds the separator itself must stand in quotation marks."
            )
        if not len(self.rows):
            raise BadInput("The file has a header and not one row below it.")
        columns = {
            place: Coded(np.array(self.codes[place], np.int64), tuple(self.numbers[place])) for place in self.chosen
        }
        return Table(self.header, columns, np.array(self.rows, np.int64), self.blank)

    def _take(self, records: list[list[str]]) -> None:
        first, width = self.row + 1, len(self.header)
        self.row += len(records)
        rows: Sequence[int] = range(first, first + len(records))
        if set(map(len, records)) != {width} or not all(map(any, records)):
            records, rows = self._evened(records, rows, width)
        self.rows.extend(rows)
        if not records:
            return
        cells = list(zip(*records, strict=True))
        for place in self.chosen:
            number = self.numbers[place]
            self.codes[place].extend([number.setdefault(cell, len(number)) for cell in cells[place]])

    def _evened(
        self, records: list[list[str]], rows: Sequence[int], width: int
    ) -> tuple[list[list[str]], Sequence[int]]:
        """Leave blank rows out and note those of another width; empty cells beyond the last column are no matter."""
        kept, numbers = [], []
        for record, row in zip(records, rows, strict=True):
            if not any(cell.strip() for cell in record):
                self.blank += 1
            elif len(record) < width or any(record[width:]):
                self.ragged.append(row)
            else:
                kept.append(record[:width])
                numbers.append(row)
        return kept, numbers


def _lines(file: BinaryIO) -> Iterator[str]:
    """The lines of a file as text, none longer than a table's line can sensibly be."""
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        if number == 1:
            for mark, what in OTHER_FILES.items():
                if line.startswith(mark):
                    raise BadInput(f"The file is {what}.")
            line = line.removeprefix(UTF8_MARK)
        if len(line) > LONGEST_LINE:
            raise BadInput(f"Line {number} is longer than {LONGEST_LINE:,} bytes: this is no table of ratings.")
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise BadInput(
                f"Line {number} is not UTF-8 text (byte {error.start + 1} of the line). Save the file as UTF-8."
            ) from None


def too_many(most: int) -> str:
    """Say that a file has more ratings than there is memory for."""
    return (
        f"The file has more than {most:,} ratings, the most that this machine's free memory holds (about 1 kB each). "
        "Calibrate some of the candidates at a time, free some memory, or raise --memory."
    )


def guess_delimiter(line: str) -> str:
    """The separator that cuts a header into most cells."""
    cells = {delimiter: _cells(line, delimiter) for delimiter in DELIMITERS}
    return max(DELIMITERS, key=lambda delimiter: cells[delimiter])


def _cells(line: str, delimiter: str) -> int:
    try:
        return len(next(csv.reader([line], delimiter=delimiter), []))
    except csv.Error:
        return 0


def describe(header: Sequence[str]) -> str:
    """The columns of a file, for a message."""
    named = [printable(name) or "(no name)" for name in header]
    shown = ", ".join(named[:20])
    return shown if len(named) <= 20 else f"{shown} and {counted(len(named) - 20, 'more', 'more')}"
