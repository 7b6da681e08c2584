"""One way in for every format: the reader is picked by ending or by name, and nothing in a file makes it raise."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Final

from questionbank.exchange.outlines.array import read_array
from questionbank.exchange.outlines.columns import Role, columns_of, header_of
from questionbank.exchange.outlines.decoding import MAX_BYTES, Unreadable
from questionbank.exchange.outlines.draft import OutlineDraft, refused
from questionbank.exchange.outlines.markdown import read_markdown, read_plain
from questionbank.exchange.outlines.mindmap import read_mindmap
from questionbank.exchange.outlines.opml import read_opml
from questionbank.exchange.outlines.rows import Sheet
from questionbank.exchange.outlines.table import read_table, sheet_of
from questionbank.exchange.outlines.workbook import read_workbook, sheets_of
from questionbank.exchange.outlines.xmind import read_xmind

ENDINGS: Final[Mapping[str, str]] = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".mdown": "markdown",
    ".mkd": "markdown",
    ".txt": "plain",
    ".text": "plain",
    ".csv": "table",
    ".tsv": "table",
    ".tab": "table",
    ".xlsx": "workbook",
    ".xlsm": "workbook",
    ".opml": "opml",
    ".mm": "mindmap",
    ".xmind": "xmind",
    ".json": "array",
    ".jsonl": "array",
    ".ndjson": "array",
}
"""Ending of a file name -> name of a format."""

_READERS: Final[Mapping[str, Callable[[bytes, str], OutlineDraft]]] = {
    "markdown": read_markdown,
    "plain": read_plain,
    "opml": read_opml,
    "mindmap": read_mindmap,
    "xmind": read_xmind,
}
_TABLES: Final[Mapping[str, Callable[[bytes, str, Mapping[str, str] | None], OutlineDraft]]] = {
    "table": read_table,
    "workbook": read_workbook,
    "array": read_array,
}
FORMATS: Final = (*_READERS, *_TABLES)
"""Names for `format`; `table` is CSV and TSV."""

SAMPLE: Final = 5


def format_of(file: str) -> str | None:
    """Return the format that the ending of a name stands for, or None."""
    return ENDINGS.get(PurePath(file).suffix.lower())


def read_outline(
    data: bytes,
    file: str,
    *,
    format: str | None = None,
    mapping: Mapping[str, str] | None = None,
    limit: int = MAX_BYTES,
) -> OutlineDraft:
    """Read one file. Never raises on what is in it: what can't be read is a draft with problems.

    `format` is one of FORMATS, by default what the ending says. `mapping` gives columns (or fields of JSON) their roles
    by name, see `columns.Role`; columns that it doesn't name are guessed. `limit` is in bytes.
    """
    form = format or format_of(file)
    if form not in FORMATS:
        return refused(file, form or "", "outline_unknown", known=", ".join(FORMATS))
    if len(data) > limit:
        return refused(file, form, "outline_too_large", size=len(data), limit=limit)
    if not data.strip():
        return refused(file, form, "outline_empty")
    try:
        draft = _READERS[form](data, file) if form in _READERS else _TABLES[form](data, file, mapping)
    except Unreadable as error:
        return refused(file, form, error.code, line=error.line, **error.values)
    return draft


# --- for the page on which columns are given their roles


@dataclass(frozen=True, slots=True)
class SheetPreview:
    """One sheet: its name ("" in CSV), the header, up to five rows below it, and a role for each column."""

    name: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    roles: tuple[Role, ...]
    """`Role.IGNORED` where nothing reads the column."""
    found: bool
    """False when no row names a question column; the first row stands for the header then."""


def preview_table(data: bytes, file: str, *, format: str | None = None, limit: int = MAX_BYTES) -> list[SheetPreview]:
    """Return header, sample and guessed roles of every sheet; nothing for what is no table or can't be read.

    What a person changes goes back into `read_outline` as `mapping`: {header[i]: role}.
    """
    form = format or format_of(file)
    if len(data) > limit or form not in ("table", "workbook"):
        return []
    try:
        sheets = sheets_of(data) if form == "workbook" else [("", sheet_of(data))]
    except Unreadable:
        return []
    return [_preview(name, sheet) for name, sheet in sheets if any(any(row) for row in sheet.rows)]


def _preview(name: str, sheet: Sheet) -> SheetPreview:
    found = header_of(sheet.rows)
    at = found if found is not None else next(index for index, row in enumerate(sheet.rows) if any(row))
    header, body = sheet.rows[at], sheet.rows[at + 1 :]
    roles = [Role.IGNORED] * len(header)
    for column in columns_of(header, body):
        roles[column.index] = column.role
    sample = [row for row in body if any(cell.strip() for cell in row)][:SAMPLE]
    return SheetPreview(
        name, tuple(header), tuple(_padded(row, len(header)) for row in sample), tuple(roles), found is not None
    )


def _padded(row: Sequence[str], width: int) -> tuple[str, ...]:
    return (*row, *[""] * (width - len(row)))
