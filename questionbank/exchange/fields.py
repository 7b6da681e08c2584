"""Nodes -> values, one field at a time. Every reader method returns a value or None and writes down what was wrong."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable
from enum import StrEnum
from typing import Final, TypeVar

from questionbank.exchange.nodes import Listing, Mapping, Node, Scalar
from questionbank.exchange.problems import Problem
from questionbank.limits import KEY, KEY_LENGTH, LANGUAGE, MOST_LANGUAGES, says_something
from questionbank.outline import Text

MOST_UNKNOWN: Final = 10
"""Names that one mapping is told one by one; looking for what was meant takes its time."""
_KEY = re.compile(KEY)
_LANGUAGE = re.compile(LANGUAGE)
_WHOLE = re.compile(r"-?[0-9]{1,9}")

E = TypeVar("E", bound=StrEnum)


class Fields:
    """Reads values out of nodes of one file and collects the problems in `found`."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.found: list[Problem] = []

    def problem(self, line: int, place: str, code: str, **values: str | int) -> None:
        self.found.append(Problem(self.file, line, place, code, values))

    # --- shapes

    def mapping(
        self, node: Node | None, place: str, *, known: Collection[str], needed: Iterable[str] = ()
    ) -> Mapping | None:
        """Return the node as a mapping whose names are all known; those needed and absent are reported."""
        if node is None:
            return None
        if not isinstance(node, Mapping):
            self.problem(node.line, place, "not_mapping")
            return None
        unknown = [name for name in node.items if name not in known]
        for name in unknown[:MOST_UNKNOWN]:
            self._unknown(node.lines[name], place, name, known)
        if len(unknown) > MOST_UNKNOWN:
            line, rest = node.lines[unknown[MOST_UNKNOWN]], len(unknown) - MOST_UNKNOWN
            self.problem(line, place, "more_unknown", count=rest, known=", ".join(known))
        for name in needed:
            if name not in node.items:
                self.problem(node.line, place, "missing", key=name)
        return node

    def _unknown(self, line: int, place: str, name: str, known: Collection[str]) -> None:
        close = difflib.get_close_matches(name[:60], known, 1)
        inner = join(place, name[:60])
        if close:
            self.problem(line, inner, "unknown_key_close", key=name[:60], close=close[0])
        else:
            self.problem(line, inner, "unknown_key", key=name[:60], known=", ".join(known))

    def listing(self, node: Node | None, place: str, *, limit: int) -> list[Node]:
        if node is None:
            return []
        if not isinstance(node, Listing):
            self.problem(node.line, place, "not_list")
            return []
        if len(node.items) > limit:
            self.problem(node.line, place, "too_many", count=len(node.items), limit=limit)
            return []
        return node.items

    def words(self, node: Node | None, place: str, *, limit: int) -> str | None:
        """Return a text without white space around it, in the composed Unicode form, not empty."""
        if node is None:
            return None
        if not isinstance(node, Scalar):
            self.problem(node.line, place, "not_text")
            return None
        value = unicodedata.normalize("NFC", node.value.strip())
        if not value or (node.plain and value in {"~", "null"}):
            self.problem(node.line, place, "empty")
            return None
        if len(value) > limit:
            self.problem(node.line, place, "too_long", count=len(value), limit=limit)
            return None
        return value

    # --- values

    def key(self, node: Node | None, place: str) -> str | None:
        value = self.words(node, place, limit=1000)
        if node is None or value is None:
            return None
        if len(value) > KEY_LENGTH or not _KEY.fullmatch(value):
            self.problem(node.line, place, "bad_key", value=value[:100], limit=KEY_LENGTH)
            return None
        return value

    def integer(self, node: Node | None, place: str, low: int, high: int) -> int | None:
        value = self.words(node, place, limit=1000)
        if value is None or not isinstance(node, Scalar):
            return None
        number = int(value) if node.plain and _WHOLE.fullmatch(value) else None
        if number is None or not low <= number <= high:
            self.problem(node.line, place, "not_integer", value=value[:40], low=low, high=high)
            return None
        return number

    def boolean(self, node: Node | None, place: str) -> bool | None:
        value = self.words(node, place, limit=1000)
        if value is None or not isinstance(node, Scalar):
            return None
        if not node.plain or value not in {"true", "false"}:
            self.problem(node.line, place, "not_boolean", value=value[:40])
            return None
        return value == "true"

    def choice(self, node: Node | None, place: str, allowed: type[E]) -> E | None:
        value = self.words(node, place, limit=1000)
        if node is None or value is None:
            return None
        if value not in set(allowed):
            self.problem(node.line, place, "not_choice", value=value[:40], known=", ".join(allowed))
            return None
        return allowed(value)

    def choices(self, node: Node | None, place: str, allowed: type[E]) -> tuple[E, ...]:
        """Return the values in the order of the enum, however they are written: the order says nothing."""
        chosen: list[E] = []
        for item in self.listing(node, place, limit=50):
            one = self.choice(item, place, allowed)
            if one is not None and one in chosen:
                self.problem(item.line, place, "value_repeated", value=one)
            elif one is not None:
                chosen.append(one)
        return tuple(one for one in allowed if one in chosen)

    def languages(self, node: Node | None, place: str) -> tuple[str, ...]:
        tags: list[str] = []
        for item in self.listing(node, place, limit=MOST_LANGUAGES):
            tag = self.words(item, place, limit=1000)
            if tag is None or not self.language(item.line, place, tag):
                continue
            if tag in tags:
                self.problem(item.line, place, "value_repeated", value=tag)
            else:
                tags.append(tag)
        return tuple(tags)

    def language(self, line: int, place: str, tag: str) -> bool:
        if _LANGUAGE.fullmatch(tag):
            return True
        self.problem(line, place, "bad_language", value=tag[:40])
        return False

    def text(
        self, node: Node | None, place: str, languages: tuple[str, ...], *, limit: int, needed: bool = False
    ) -> Text:
        """Return {language tag: words}, one at least. Every language in `languages` must be there; others may.

        `needed`: a text that can't be done without, in which something can be read.
        """
        if node is None:
            return {}
        if not isinstance(node, Mapping):
            self.problem(node.line, place, "not_mapping")
            return {}
        if len(node.items) > MOST_LANGUAGES:
            self.problem(node.line, place, "too_many", count=len(node.items), limit=MOST_LANGUAGES)
            return {}
        if not node.items and not languages:
            self.problem(node.line, place, "empty")
        words: dict[str, str] = {}
        for tag, item in node.items.items():
            if not self.language(node.lines[tag], place, tag):
                continue
            value = self.words(item, join(place, tag), limit=limit)
            if value is not None and needed and not says_something(value):
                self.problem(item.line, join(place, tag), "no_letter")
            elif value is not None:
                words[tag] = value
        for tag in languages:
            if tag not in node.items:
                self.problem(node.line, place, "language_missing", language=tag)
        return words


def join(place: str, name: str) -> str:
    return f"{place}.{name}" if place else name
