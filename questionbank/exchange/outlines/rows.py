"""Rows of a table -> questions: by id and parent, by a level column, by follow-up columns, or one tree a row."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from questionbank.exchange.outlines.asking import is_empty_cell
from questionbank.exchange.outlines.builder import Asked, Builder
from questionbank.exchange.outlines.cleaning import clean_prompt, clean_topic
from questionbank.exchange.outlines.columns import Column, Role, columns_of, header_of, level_number, names_question
from questionbank.exchange.outlines.draft import Topic, Why
from questionbank.exchange.outlines.numbering import without_number
from questionbank.exchange.outlines.texts import has_letter, plain_html, unquoted

__all__ = ["Sheet", "names_question", "place_rows", "place_sheet"]

_BULLET = re.compile(r"(?:[-*+•·●○▪–—]\s+|[•·●○▪])")


@dataclass(slots=True)
class Sheet:
    """Rows as texts and their numbers in the file. `merged` are the cells (row, column) that repeat the one above."""

    rows: list[list[str]]
    lines: list[int]
    merged: frozenset[tuple[int, int]] = frozenset()


@dataclass(slots=True)
class _Entry:
    """One row with a question."""

    row: list[str]
    line: int
    prompt: str
    topic: Topic
    id: str = ""
    parent: str = ""
    level: str = ""
    cells: list[tuple[Column, str]] = field(default_factory=list)
    repeats: bool = False
    """The question is a merged cell of the row above."""


def place_sheet(builder: Builder, sheet: Sheet, topic: Topic = (), mapping: Mapping[str, str] | None = None) -> None:
    """Place a table of its own: what stands above its header, and a table without one, is unplaced."""
    header = _header(sheet, mapping)
    if header is None:
        for row, line in zip(sheet.rows, sheet.lines, strict=True):
            builder.unplace_row(row, line, Why.NO_COLUMN)
        return
    for row, line in zip(sheet.rows[:header], sheet.lines[:header], strict=True):
        builder.unplace_row(row, line, Why.REMARK)
    merged = frozenset((row - header, column) for row, column in sheet.merged)
    place_rows(builder, Sheet(sheet.rows[header:], sheet.lines[header:], merged), topic, mapping=mapping)


def _header(sheet: Sheet, mapping: Mapping[str, str] | None) -> int | None:
    if mapping:
        wanted = {name.strip() for name, role in mapping.items() if role == Role.QUESTION}
        for index, row in enumerate(sheet.rows[:200]):
            if any(cell.strip() in wanted for cell in row):
                return index
    return header_of(sheet.rows)


def place_rows(
    builder: Builder,
    sheet: Sheet,
    topic: Topic,
    *,
    parent: Asked | None = None,
    in_text: bool = False,
    mapping: Mapping[str, str] | None = None,
) -> None:
    """Place rows whose first is the header. `parent` is the question that a table in a document stands under."""
    header, body = sheet.rows[0], sheet.rows[1:]
    columns = columns_of(header, body, mapping)
    if not in_text:
        _name_unread(builder, header, body, columns)
    entries: list[_Entry] = []
    for index, (row, line) in enumerate(zip(body, sheet.lines[1:], strict=True), 1):
        if not any(cell.strip() for cell in row) or row == header:
            continue
        entry = _entry(row, line, columns, topic)
        if entry is None:
            builder.unplace_row([plain_html(cell) for cell in row] if in_text else row, line, Why.NO_QUESTION)
            level = _cell(row, columns, Role.LEVEL)
            if level_number(level) is not None:
                entries.append(_Entry(row, line, "", topic, level=level))
            continue
        question = next(column.index for column in columns if column.role is Role.QUESTION)
        entry.repeats = (index, question) in sheet.merged
        entries.append(entry)
    roles = {column.role for column in columns}
    placing = _Rows(builder, columns, parent)
    if Role.PARENT in roles and any(entry.parent for entry in entries):
        placing.by_parent([entry for entry in entries if entry.prompt])
    elif Role.LEVEL in roles:
        placing.by_level(entries)
    else:
        placing.one_by_one([entry for entry in entries if entry.prompt])


def _name_unread(builder: Builder, header: Sequence[str], body: Sequence[Sequence[str]], columns: list[Column]) -> None:
    read = {column.index for column in columns}
    filled = {index for row in body for index, cell in enumerate(row) if index not in read and cell.strip()}
    for index in sorted(filled):
        name = header[index].strip() if index < len(header) else ""
        name = name or f"#{index + 1}"
        if name not in builder.draft.unread:
            builder.draft.unread.append(name)


def _filled(row: Sequence[str], index: int) -> str:
    cell = row[index] if index < len(row) else ""
    return "" if is_empty_cell(cell) else cell


def _cell(row: Sequence[str], columns: list[Column], role: Role) -> str:
    return next((_filled(row, column.index).strip() for column in columns if column.role is role), "")


def _entry(row: list[str], line: int, columns: list[Column], topic: Topic) -> _Entry | None:
    prompt = _cell(row, columns, Role.QUESTION)
    if not has_letter(prompt):
        return None
    names = [clean_topic(_filled(row, column.index)) for column in columns if column.role is Role.TOPIC]
    return _Entry(
        row,
        line,
        prompt,
        (*topic, *(name for name in names if name)),
        _cell(row, columns, Role.ID),
        _cell(row, columns, Role.PARENT),
        _cell(row, columns, Role.LEVEL),
        [(column, text) for column in columns if (text := _filled(row, column.index)).strip()],
    )


class _Rows:
    def __init__(self, builder: Builder, columns: list[Column], parent: Asked | None) -> None:
        self.builder = builder
        self.columns = columns
        self.parent = parent

    def one_by_one(self, entries: list[_Entry]) -> None:
        last: Asked | None = None
        for entry in entries:
            if entry.repeats and last:
                self._fill(last, entry)
            else:
                last = self._ask(entry, self.parent)

    def by_level(self, entries: list[_Entry]) -> None:
        """Each row one level below the last row of the level above; a level that skips one has no parent."""
        numbers = [number for entry in entries if (number := level_number(entry.level)) is not None]
        first = 0 if numbers and min(numbers) == 0 else 1
        above: dict[int, Asked] = {}
        for entry in entries:
            number = level_number(entry.level)
            level = None if number is None else number - first + 1
            if level is None or (level > 1 and level - 1 not in above):
                if entry.prompt:
                    self.builder.unplace_row(entry.row, entry.line, Why.LEVEL)
                placed = None
            elif not entry.prompt:
                placed = None
            else:
                placed = self._ask(entry, above.get(level - 1, self.parent))
            if level is not None:
                above = {one: asked for one, asked in above.items() if one < level}
                if placed:
                    above[level] = placed

    def by_parent(self, entries: list[_Entry]) -> None:
        """Hang each row on the row it names, by id or by the words of its question; the file may be in any order."""
        by_id: dict[str, int] = {}
        for index, entry in enumerate(entries):
            if entry.id:
                if _key(entry.id) in by_id:
                    self.builder.warn("row_id_twice", entry.line, id=entry.id[:80])
                by_id.setdefault(_key(entry.id), index)
        by_words: dict[str, int] = {}
        for index, entry in enumerate(entries):
            by_words.setdefault(_key(clean_prompt(entry.prompt)), index)
        parents = [self._parent(entry, by_id, by_words) for entry in entries]
        reasons = _reasons(parents)
        asked: list[Asked | None] = []
        for entry, reason, above in zip(entries, reasons, parents, strict=True):
            if reason:
                self.builder.unplace_row(entry.row, entry.line, reason)
                code = "row_circle" if reason is Why.CIRCLE else "row_parent_unknown"
                self.builder.warn(code, entry.line, id=(entry.parent or entry.id)[:80])
                asked.append(None)
            elif above is None:
                asked.append(self._ask(entry, self.parent))
            else:
                asked.append(self._ask(entry, _LATER))
        for one, above in zip(asked, parents, strict=True):
            below = asked[above] if above is not None else None
            if one and below:
                below.follow_ups.append(one)

    @staticmethod
    def _parent(entry: _Entry, by_id: dict[str, int], by_words: dict[str, int]) -> int | None:
        """Return the index of the parent, None for a root, -1 where no row has that id."""
        if not entry.parent or (entry.parent in ("0", "0.0") and _key("0") not in by_id):
            return None
        found = by_id.get(_key(entry.parent))
        return by_words.get(_key(clean_prompt(entry.parent)), -1) if found is None else found

    def _ask(self, entry: _Entry, parent: Asked | None) -> Asked:
        if parent is _LATER:
            asked = Asked(clean_prompt(entry.prompt), entry.line)
        else:
            asked = self.builder.ask(entry.prompt, entry.line, entry.topic, parent)
        self._fill(asked, entry)
        return asked

    def _fill(self, asked: Asked, entry: _Entry) -> None:
        """Give a question the answers and follow-ups of its row."""
        follow_ups: dict[int | None, list[Asked]] = {}
        for column, text in entry.cells:
            if column.role is Role.ANSWER and not any(part.text == text for part in asked.parts):
                asked.add(text, raw=column.code)
            elif column.role is Role.FOLLOW_UP:
                made = [self.builder.ask(one, entry.line, (), asked) for one in follow_up_texts(text, column.number)]
                follow_ups.setdefault(column.number, []).extend(made)
        for column, text in entry.cells:
            if column.role is Role.FOLLOW_UP_ANSWER:
                self._answer(follow_ups.get(column.number, []), text, entry.line)

    def _answer(self, follow_ups: list[Asked], text: str, line: int) -> None:
        lines = [one for one in plain_html(text).split("\n") if one.strip()]
        if not follow_ups:
            self.builder.unplace(text, line, Why.NO_QUESTION)
        elif len(follow_ups) > 1 and len(lines) == len(follow_ups):
            for asked, one in zip(follow_ups, lines, strict=True):
                asked.add(_BULLET.sub("", clean_prompt(one), count=1))
        else:
            follow_ups[-1 if len(follow_ups) > 1 else 0].add(text)


_LATER = Asked("", 0)
"""Stands for a parent that is linked when all rows are known."""


def _key(text: str) -> str:
    text = " ".join(text.split()).casefold()
    return text[:-2] if re.fullmatch(r"[0-9]{1,15}\.0", text) else text


def _reasons(parents: list[int | None]) -> list[Why | None]:
    """Return for each row why it can't be placed: its parent, or one above, is unknown or its own descendant."""
    reasons: list[Why | None] = [None] * len(parents)
    state = [0] * len(parents)  # 1: on the way up, 2: settled
    for start in range(len(parents)):
        way: list[int] = []
        at: int | None = start
        while at is not None and at >= 0 and state[at] == 0:
            state[at] = 1
            way.append(at)
            at = parents[at]
        if at is None:
            reason = None
        elif at < 0:
            reason = Why.PARENT_UNKNOWN
        elif state[at] == 1:
            reason = Why.CIRCLE
        else:
            reason = reasons[at]
        for one in way:
            state[one], reasons[one] = 2, reason
    return reasons


def follow_up_texts(text: str, number: int | None) -> list[str]:
    """Return the follow-ups of a cell: one where the column has a number, one a line where it has none."""
    text = plain_html(text).strip()
    if number is not None:
        return [unquoted(text)] if has_letter(text) else []
    lines = (unquoted(without_number(_BULLET.sub("", line.strip(), count=1)).strip()) for line in text.split("\n"))
    return [line for line in lines if has_letter(line) and not is_empty_cell(line)]
