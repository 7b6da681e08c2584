"""JSON -> draft: arrays of texts or objects, objects with such arrays inside, one object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from questionbank.exchange.outlines.asking import asks, is_empty_cell
from questionbank.exchange.outlines.builder import Asked, Builder
from questionbank.exchange.outlines.cleaning import clean_topic, points
from questionbank.exchange.outlines.columns import Role, are_levels, plain_name, role_of
from questionbank.exchange.outlines.decoding import Unreadable, decode, storable
from questionbank.exchange.outlines.draft import OutlineDraft, Topic, Why
from questionbank.exchange.outlines.rows import Sheet, follow_up_texts, place_rows, place_sheet
from questionbank.exchange.outlines.texts import has_letter

MOST_NESTING: Final = 60
_WORDS: Final = ("text", "content", "body", "title", "name", "label", "value", "标题", "内容", "名称")
_TITLES: Final = ("title", "name", "label", "text", "标题", "名称")
_BODIES: Final = frozenset(
    ["body", "content", "text", "description", "note", "notes", "details", "内容", "正文", "描述", "备注"]
)
_WRAPPERS: Final = frozenset(
    [
        "questions",
        "question",
        "items",
        "data",
        "results",
        "bank",
        "list",
        "entries",
        "records",
        "rows",
        "probes",
        "content",
        "children",
        "questionbank",
        "nodes",
        "outline",
        "interview",
        "interviews",
        "all",
        "题目",
        "问题",
        "题库",
        "列表",
        "内容",
        "面试题",
    ]
)
_META: Final = frozenset(
    [
        "version",
        "author",
        "authors",
        "date",
        "created",
        "updated",
        "language",
        "lang",
        "id",
        "schema",
        "$schema",
        "generator",
        "license",
        "licence",
        "source",
        "url",
    ]
)


def read_array(data: bytes, file: str, mapping: Mapping[str, str] | None = None) -> OutlineDraft:
    """Read a JSON file. Lines of the draft count its entries. Raises Unreadable."""
    builder = Builder(file, "array")
    reader = _Reader(builder, mapping)
    content = _load(decode(data))
    reader.top(content)
    return builder.finish()


def _load(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        raise Unreadable("outline_json_deep") from None
    except ValueError as error:
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) > 1 and all(line.lstrip()[:1] in '{["' for line in lines):
            try:
                return [json.loads(line) for line in lines]
            except (ValueError, RecursionError):
                pass  # not one object a line either: say what is wrong with the whole
        line = getattr(error, "lineno", 0)
        raise Unreadable("outline_json", line=line, reason=getattr(error, "msg", str(error))[:200]) from None


class _Reader:
    def __init__(self, builder: Builder, mapping: Mapping[str, str] | None) -> None:
        self.builder = builder
        self.mapping = {plain_name(name): role for name, role in (mapping or {}).items()}
        self.number = 0

    def top(self, content: Any) -> None:
        if isinstance(content, dict):
            groups = [one for one in content.values() if isinstance(one, list | dict) and one]
            pairs = any(isinstance(value, str) and asks(name) for name, value in content.items())
            if self._question(content) or not (groups or pairs):
                self.entry(content, (), None, 0)
                return
            names = self._roles(content)
            topic = next(
                (
                    clean_topic(_text(content[name]))
                    for name, (role, _number) in names.items()
                    if role == Role.TOPIC and isinstance(content[name], str)
                ),
                "",
            )
            self._members(content, (topic,) if topic else (), outermost=True)
        elif isinstance(content, list):
            self.listing(content, (), None, 0)
        elif isinstance(content, str):
            self.entry(content, (), None, 0)
        else:
            raise Unreadable("outline_json_empty")

    def listing(self, entries: list[Any], topic: Topic, parent: Asked | None, depth: int) -> None:
        """Place the members of an array."""
        if parent is None and entries and all(isinstance(one, list) for one in entries):
            rows = [[_text(cell) for cell in row] for row in entries]
            place_sheet(self.builder, Sheet(rows, list(range(1, len(rows) + 1))), topic)
            return
        if parent is None and (sheet := self._as_rows(entries)):
            place_rows(self.builder, sheet, topic, mapping=self.mapping)
            return
        for one in entries:
            self.entry(one, topic, parent, depth)

    def _as_rows(self, entries: list[Any]) -> Sheet | None:
        """Return flat objects that name their parents or count levels as the rows of a table."""
        if not entries or not all(isinstance(one, dict) for one in entries):
            return None
        names = list(dict.fromkeys(name for one in entries for name in one))
        roles = {name: self._role(name)[0] for name in names}
        parents = any(
            one.get(name) not in (None, "") for name, role in roles.items() if role == Role.PARENT for one in entries
        )
        levels = any(
            are_levels(_text(one.get(name)) for one in entries) for name, role in roles.items() if role == Role.LEVEL
        )
        nested = any(
            isinstance(one, dict)
            for entry in entries
            for value in entry.values()
            if isinstance(value, list)
            for one in value
        )
        if not (parents or levels) or nested or Role.QUESTION not in roles.values():
            return None
        rows = [names, *([_text(one.get(name)) for name in names] for one in entries)]
        return Sheet(rows, list(range(len(rows))))

    def entry(self, entry: Any, topic: Topic, parent: Asked | None, depth: int) -> None:
        self.number += 1
        line = self.number
        if depth > MOST_NESTING:
            self._unplace(entry, line, Why.TOO_DEEP)
        elif isinstance(entry, str):
            self._word(storable(entry), line, topic, parent)
        elif isinstance(entry, list):
            self.listing(entry, topic, parent, depth + 1)
        elif isinstance(entry, dict):
            self._object(entry, line, topic, parent, depth)
        elif entry is not None:
            self.builder.remark(_text(entry), line)

    def _word(self, text: str, line: int, topic: Topic, parent: Asked | None) -> None:
        """Take a text of an array: a question when it asks, and in short form below one."""
        if not has_letter(text) or is_empty_cell(text):
            return
        if parent or asks(text):
            self.builder.ask(text, line, topic, parent)
        else:
            self.builder.unplace(text, line)

    def _object(self, entry: dict[str, Any], line: int, topic: Topic, parent: Asked | None, depth: int) -> None:
        name = self._question(entry)
        if name is None:
            if (
                any(isinstance(value, list | dict) and value for value in entry.values())
                and parent is None
                and _holds(entry)
            ):
                self._group(entry, topic, depth)
            else:
                self._unplace(entry, line, Why.NO_QUESTION)
            return
        roles = self._roles(entry)
        names = [
            clean_topic(_text(entry[key]))
            for key, (role, _number) in roles.items()
            if role == Role.TOPIC and isinstance(entry[key], str)
        ]
        own = (*topic, *(one for one in names if one and not is_empty_cell(one)))
        asked = self.builder.ask(_text(entry[name]), line, topic if parent else own, parent)
        made: dict[int | None, list[Asked]] = {}
        for key, (role, number) in roles.items():
            value = entry[key]
            if key != name and (role == Role.ANSWER or (plain_name(name) in _TITLES and plain_name(key) in _BODIES)):
                self._answer(asked, value)
            elif role == Role.FOLLOW_UP or (key != name and isinstance(value, list) and _is_wrapper(key)):
                first = len(asked.follow_ups)
                self._follow_ups(asked, value, number, depth)
                made.setdefault(number, []).extend(asked.follow_ups[first:])
        for key, (role, number) in roles.items():
            if role == Role.FOLLOW_UP_ANSWER and not is_empty_cell(_text(entry[key])):
                if below := made.get(number):
                    self._answer(below[0], entry[key])
                else:
                    self.builder.unplace(_text(entry[key]), line, Why.NO_QUESTION)
        self._name_unread(entry, roles, name)

    def _follow_ups(self, asked: Asked, value: Any, number: int | None, depth: int) -> None:
        if isinstance(value, str):
            for text in follow_up_texts(storable(value), number):
                self.builder.ask(text, self.number, (), asked)
        elif isinstance(value, list):
            self.listing(value, (), asked, depth + 1)
        elif isinstance(value, dict):
            self.entry(value, (), asked, depth + 1)

    def _answer(self, asked: Asked, value: Any) -> None:
        text = points([_text(one) for one in value]) if isinstance(value, list) else _text(value)
        if text and not is_empty_cell(text):
            asked.add(text)

    # --- objects that group others

    def _group(self, entry: dict[str, Any], topic: Topic, depth: int) -> None:
        roles = self._roles(entry)
        key = next(
            (one for one, (role, _number) in roles.items() if role == Role.TOPIC and isinstance(entry[one], str)), None
        )
        key = key or next((one for one in entry if plain_name(one) in _TITLES and isinstance(entry[one], str)), None)
        name = clean_topic(_text(entry[key])) if key else ""
        self._members(entry, (*topic, name) if name else topic, depth=depth + 1, named=key)

    def _members(
        self, entry: dict[str, Any], topic: Topic, *, depth: int = 0, outermost: bool = False, named: str | None = None
    ) -> None:
        """Place what an object holds: lists under their own names, unless a name only says that it is a list."""
        for key, value in entry.items():
            if isinstance(value, list | dict) and value:
                inner = topic if _is_wrapper(key) or not has_letter(key) else (*topic, clean_topic(key))
                if isinstance(value, dict) and not self._question(value):
                    if depth < MOST_NESTING:
                        self._members(value, inner, depth=depth + 1)
                    else:
                        self._unplace(value, self.number, Why.TOO_DEEP)
                else:
                    self.entry(value, inner, None, depth + 1)
            elif isinstance(value, str) and asks(key):
                self._pair(key, value, topic)
            elif isinstance(value, str) and key != named and has_letter(value):
                self._scalar(key, value, topic, outermost=outermost)

    def _pair(self, key: str, value: str, topic: Topic) -> None:
        self.number += 1
        asked = self.builder.ask(storable(key), self.number, topic, None)
        self._answer(asked, value)

    def _scalar(self, key: str, value: str, topic: Topic, *, outermost: bool) -> None:
        plain = plain_name(key)
        self.number += 1
        if plain in _META or (outermost and (plain in _TITLES or self._role(key)[0] == Role.TOPIC)):
            if plain in _META and key not in self.builder.draft.unread:
                self.builder.draft.unread.append(key)
        elif asks(value) and plain not in _TITLES:
            self.builder.ask(storable(value), self.number, topic, None)
        else:
            self.builder.unplace(storable(value), self.number)

    # --- names

    def _role(self, name: str) -> tuple[str, int | None]:
        role, number = role_of(name)
        return self.mapping.get(plain_name(name), role), number

    def _roles(self, entry: dict[str, Any]) -> dict[str, tuple[str, int | None]]:
        return {name: self._role(name) for name in entry}

    def _question(self, entry: dict[str, Any]) -> str | None:
        """Return the name under which an object holds its question."""
        texts = [
            name
            for name, value in entry.items()
            if isinstance(value, str) and has_letter(value) and not is_empty_cell(value)
        ]
        named = next((name for name in texts if self._role(name)[0] == Role.QUESTION), None)
        if named:
            return named
        return next((name for word in _WORDS for name in texts if plain_name(name) == word and asks(entry[name])), None)

    def _name_unread(self, entry: dict[str, Any], roles: dict[str, tuple[str, int | None]], question: str) -> None:
        unread = self.builder.draft.unread
        for name, (role, _number) in roles.items():
            if name == question or role not in ("", "weak_topic", Role.LEVEL) or entry[name] in (None, "", [], {}):
                continue
            if not _is_wrapper(name) and storable(name) not in unread:
                unread.append(storable(name))

    def _unplace(self, entry: Any, line: int, why: Why) -> None:
        self.builder.unplace_row(list(_texts(entry)), line, why)


def _is_wrapper(name: str) -> bool:
    return plain_name(name).replace(" ", "") in _WRAPPERS


def _holds(value: Any) -> bool:
    """True when a text that asks, or a question by name, stands anywhere inside."""
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            if any(isinstance(text, str) and text and role_of(name)[0] == Role.QUESTION for name, text in one.items()):
                return True
            stack += one.values()
        elif isinstance(one, list):
            stack += one
        elif isinstance(one, str) and asks(one):
            return True
    return False


def _texts(value: Any) -> Iterator[str]:
    """Yield every text and number inside a value, in order."""
    stack = [value]
    while stack:
        one = stack.pop()
        if isinstance(one, dict):
            stack += reversed(list(one.values()))
        elif isinstance(one, list):
            stack += reversed(one)
        elif one is not None and (text := _text(one)):
            yield text


def _text(value: Any) -> str:
    if isinstance(value, str):
        return storable(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return str(value)
    return "\n".join(_texts(value))
