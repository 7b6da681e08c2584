"""CSV and its kin -> draft. The delimiter is found by trying."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from typing import Final

from questionbank.exchange.outlines.builder import Builder
from questionbank.exchange.outlines.columns import header_of, role_of
from questionbank.exchange.outlines.decoding import MAX_BYTES, Unreadable, decode
from questionbank.exchange.outlines.draft import OutlineDraft
from questionbank.exchange.outlines.rows import Sheet, place_sheet

DELIMITERS: Final = ",;\t|"
MOST_COLUMNS: Final = 500


def read_table(data: bytes, file: str, mapping: Mapping[str, str] | None = None) -> OutlineDraft:
    """Read a table of one sheet. Raises Unreadable."""
    builder = Builder(file, "table")
    place_sheet(builder, sheet_of(data), mapping=mapping)
    return builder.finish()


def sheet_of(data: bytes) -> Sheet:
    """Return the rows of a file, or raise Unreadable."""
    text = decode(data).replace("\r\n", "\n").replace("\r", "\n")
    first, _end, rest = text.partition("\n")
    skipped = 0
    if first.lower().strip('"').startswith("sep=") and len(first.strip('"')) == 5:  # a hint that spreadsheets write
        delimiter, text, skipped = first.strip('"')[4], rest, 1
    else:
        delimiter = _delimiter(text)
    return _rows(text, delimiter, skipped)


def _rows(text: str, delimiter: str, skipped: int = 0, most: int = 1_000_000) -> Sheet:
    csv.field_size_limit(2 * MAX_BYTES)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    sheet = Sheet([], [])
    line = skipped
    try:
        for row in reader:
            if len(row) > MOST_COLUMNS and any(cell.strip() for cell in row[MOST_COLUMNS:]):
                raise Unreadable("outline_columns", line=line + 1, count=len(row), limit=MOST_COLUMNS)
            sheet.rows.append(row[:MOST_COLUMNS])
            sheet.lines.append(line + 1)
            line = skipped + reader.line_num
            if len(sheet.rows) >= most:
                break
    except csv.Error as error:
        raise Unreadable("outline_table", line=line + 1, reason=str(error)[:200]) from None
    return sheet


def _delimiter(text: str) -> str:
    """Return the delimiter under which the first rows look most like a table that we read."""
    head = text[:60_000]
    return max(DELIMITERS, key=lambda one: _score(head, one))


def _score(head: str, delimiter: str) -> tuple[int, int, int]:
    try:
        rows = _rows(head, delimiter, most=60).rows
    except Unreadable:
        return (0, 0, 0)
    header = header_of(rows)
    known = sum(1 for cell in rows[header] if role_of(cell)[0]) if header is not None else 0
    widths = [len(row) for row in rows if any(row)]
    common = max(widths.count(width) for width in set(widths) if width > 1) if any(width > 1 for width in widths) else 0
    return (int(known > 1), known, common)
