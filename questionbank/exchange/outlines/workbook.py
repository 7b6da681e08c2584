"""Workbooks (`.xlsx`) -> draft. Each sheet is an outer topic; formulas are text, merged cells count for each row."""

from __future__ import annotations

import datetime
import io
import re
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from typing import Any, Final

from openpyxl import load_workbook
from openpyxl.utils.cell import column_index_from_string
from openpyxl.utils.exceptions import InvalidFileException

from questionbank.exchange.outlines.archives import checked_zip, read_part
from questionbank.exchange.outlines.builder import Builder
from questionbank.exchange.outlines.decoding import Unreadable, storable
from questionbank.exchange.outlines.draft import OutlineDraft
from questionbank.exchange.outlines.rows import Sheet, place_sheet
from questionbank.exchange.outlines.table import MOST_COLUMNS

MOST_CELLS: Final = 200_000
"""Of all sheets, each row counting one more: ten thousand questions of nineteen columns.

A file of a few kilobytes can hold millions.
"""
_MERGED = re.compile(
    rb"<(?:\w{1,20}:)?mergeCell\s[^<>]{0,200}?ref=\"([A-Z]{1,3})([0-9]{1,7}):([A-Z]{1,3})([0-9]{1,7})\""
)


def read_workbook(data: bytes, file: str, mapping: Mapping[str, str] | None = None) -> OutlineDraft:
    """Read all sheets, hidden ones too. Raises Unreadable."""
    builder = Builder(file, "workbook")
    for number, (title, sheet) in enumerate(sheets_of(data)):
        builder.part, builder.where = number, title
        place_sheet(builder, sheet, (title,) if title else (), mapping)
    return builder.finish()


def sheets_of(data: bytes) -> list[tuple[str, Sheet]]:
    """Return name and rows of every sheet, or raise Unreadable."""
    archive = checked_zip(data)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what openpyxl can't keep (validations, drawings) we don't read
            return list(_sheets(data, archive))
    except Unreadable:
        raise
    # A library that trusts its input: a broken workbook shows as any of these, and each means the same to a person.
    except (LookupError, ValueError, TypeError, AttributeError, OSError, ArithmeticError, SyntaxError) as error:
        raise Unreadable("outline_workbook", reason=f"{type(error).__name__}: {error}"[:200]) from None
    except (InvalidFileException, zipfile.BadZipFile, RecursionError, AssertionError) as error:
        raise Unreadable("outline_workbook", reason=str(error)[:200]) from None


def _sheets(data: bytes, archive: zipfile.ZipFile) -> Iterator[tuple[str, Sheet]]:
    workbook = load_workbook(io.BytesIO(data), read_only=True, data_only=False, keep_links=False)
    cells = 0
    for worksheet in workbook.worksheets:
        worksheet.reset_dimensions()  # a file may claim a million rows of sixteen thousand columns
        sheet = Sheet([], [])
        for number, row in enumerate(worksheet.iter_rows(values_only=True), 1):
            cells += len(row) + 1
            if cells > MOST_CELLS:
                raise Unreadable("outline_cells", line=number, limit=MOST_CELLS)
            if len(row) > MOST_COLUMNS and any(cell is not None for cell in row[MOST_COLUMNS:]):
                raise Unreadable("outline_columns", line=number, count=len(row), limit=MOST_COLUMNS)
            texts = [_text(cell) for cell in row[:MOST_COLUMNS]]
            if any(texts):
                sheet.rows.append(texts)
                sheet.lines.append(number)
        yield worksheet.title, _with_merged(sheet, read_part(archive, str(getattr(worksheet, "_worksheet_path", ""))))


def _text(value: Any) -> str:
    """Return a cell as text: whole numbers without a point, dates as 2026-03-01, formulas as they were typed."""
    if value is None:
        return ""
    if isinstance(value, str):
        return storable(value.replace("\r\n", "\n").replace("\r", "\n").replace("_x000D_", ""))
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    return storable(str(getattr(value, "text", value) or ""))


def _with_merged(sheet: Sheet, part: bytes) -> Sheet:
    """Write the words of each merged cell into all rows of its first column."""
    at = {number: index for index, number in enumerate(sheet.lines)}
    merged: set[tuple[int, int]] = set()
    spanned = 0
    for first_column, first_row, _last_column, last_row in _MERGED.findall(part):
        column = column_index_from_string(first_column.decode()) - 1
        first, last = int(first_row), min(int(last_row), sheet.lines[-1] if sheet.lines else 0)
        above = at.get(first)
        if above is None or column >= len(sheet.rows[above]):
            continue
        spanned += max(last - first, 0)
        if spanned > MOST_CELLS:
            raise Unreadable("outline_cells", line=first, limit=MOST_CELLS)
        for number in range(first + 1, last + 1):
            index = at.get(number)
            if index is not None and (index, column) not in merged:
                row = sheet.rows[index]
                row += [""] * (column + 1 - len(row))
                row[column] = sheet.rows[above][column]
                merged.add((index, column))
    sheet.merged = frozenset(merged)
    return sheet
