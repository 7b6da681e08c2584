"""Bytes of a YAML file -> plain nodes that know where they stand. Nothing is resolved, constructed or guessed.

We take the parser's events, not its objects: duplicate names stay visible, every value keeps its line, `no` stays a
word, and what makes YAML dangerous (tags, aliases, bottomless nesting) is refused before it becomes anything.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn, TypeAlias

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
)

from questionbank.exchange.problems import Problem
from questionbank.limits import TURNING

MAX_BYTES: Final = 2 * 1024 * 1024
"""A tree of 500 probes in three languages has about a quarter of this; the parser reads it in some six seconds."""
MAX_DEPTH: Final = 12

_UNSTORABLE = re.compile(rf"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff{TURNING}]")
_FORBIDDEN = re.compile(rf"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ufffe\uffff{TURNING}]")


@dataclass(slots=True)
class Scalar:
    """`start` and `end` are places in the text, here and below; white space and comments behind don't belong to it."""

    line: int
    value: str
    plain: bool
    start: int = 0
    end: int = 0


@dataclass(slots=True)
class Listing:
    """`flow` is the form in brackets; in the other one `start` is the place of the first hyphen."""

    line: int
    items: list[Node] = field(default_factory=list)
    start: int = 0
    end: int = 0
    flow: bool = False


@dataclass(slots=True)
class Mapping:
    """`starts` has the place of each name."""

    line: int
    items: dict[str, Node] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    starts: dict[str, int] = field(default_factory=dict)
    start: int = 0
    end: int = 0
    flow: bool = False


Node: TypeAlias = Scalar | Listing | Mapping


class BadFile(Exception):
    """Nothing can be read from the file; holds the one problem that stopped the reading."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def decode(data: bytes, *, file: str, limit: int = MAX_BYTES) -> str:
    """Return the text of a file without its byte order mark, or raise BadFile (size, encoding, control characters)."""
    if len(data) > limit:
        raise BadFile(Problem(file, 0, "", "too_large", {"size": len(data), "limit": limit}))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise BadFile(Problem(file, line, "", "not_utf8", {"offset": error.start})) from None
    if match := _FORBIDDEN.search(text):
        line = text.count("\n", 0, match.start()) + 1
        raise BadFile(Problem(file, line, "", "control_character", {"point": f"{ord(match[0]):04X}"}))
    return text


def compose(text: str, *, file: str) -> tuple[Mapping, list[Problem]]:
    """Return the top mapping and the names given twice (the first value is kept), or raise BadFile."""
    builder = _Builder(file, text)
    try:
        for event in YAML(typ="rt", pure=True).parse(text):
            builder.feed(event)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        reason = " ".join(str(error.problem or error.context or "").split()).rstrip(".")
        raise BadFile(Problem(file, mark.line + 1 if mark else 0, "", "syntax", {"reason": reason})) from None
    except (ValueError, OverflowError) as error:  # an escape or a version beyond what there is
        raise BadFile(Problem(file, 0, "", "syntax", {"reason": str(error)[:200]})) from None
    except YAMLError as error:
        reason = " ".join(str(error).split("\n", 1)[0].split()).rstrip(".")
        raise BadFile(Problem(file, 0, "", "syntax", {"reason": reason})) from None
    if builder.top is None:
        raise BadFile(Problem(file, 0, "", "empty_file"))
    if not isinstance(builder.top, Mapping):
        raise BadFile(Problem(file, builder.top.line, "", "not_mapping"))
    return builder.top, builder.problems


class _Builder:
    """Puts events together. A stack instead of recursion: nesting is an input, not a call."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self.top: Node | None = None
        self.problems: list[Problem] = []
        self._open: list[Listing | Mapping] = []
        self._names: list[Scalar | None] = []
        self._documents = 0

    def feed(self, event: Any) -> None:
        line = event.start_mark.line + 1
        if isinstance(event, DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                self._stop("second_document", line)
        elif isinstance(event, AliasEvent) or (
            isinstance(event, NodeEvent) and (event.anchor or getattr(event, "ctag", None))
        ):
            self._stop("anchor", line)
        elif isinstance(event, ScalarEvent):
            # The round-trip parser marks where a folded text was folded by a bell character; files can't contain one.
            value = event.value.replace("\a", "") if event.style == ">" else event.value
            if match := _UNSTORABLE.search(value):  # an escape can write what the file itself can't contain
                self._stop("control_character", line, point=f"{ord(match[0]):04X}")
            start, end = event.start_mark.index, event.end_mark.index
            if event.style in ("|", ">"):  # takes the blank lines behind it, too
                end = start + len(self.text[start:end].rstrip())
            self._scalar(Scalar(line, value, plain=not event.style, start=start, end=end))
        elif isinstance(event, MappingStartEvent | SequenceStartEvent):
            if len(self._open) >= MAX_DEPTH:
                self._stop("too_deep", line, limit=MAX_DEPTH)
            kind = Mapping if isinstance(event, MappingStartEvent) else Listing
            node = kind(line, start=event.start_mark.index, flow=bool(event.flow_style))
            self._place(node)
            self._open.append(node)
            self._names.append(None)
        elif isinstance(event, MappingEndEvent | SequenceEndEvent):
            self._close(event.end_mark.index)

    def _close(self, end: int) -> None:
        node = self._open.pop()
        self._names.pop()
        inner = list(node.items.values()) if isinstance(node, Mapping) else node.items
        # Without brackets it ends with the last thing in it, wherever the parser noticed.
        node.end = end if node.flow or not inner else inner[-1].end

    def _scalar(self, node: Scalar) -> None:
        if self._open and isinstance(self._open[-1], Mapping) and self._names[-1] is None:
            self._names[-1] = node
        else:
            self._place(node)

    def _place(self, node: Node) -> None:
        if not self._open:
            self.top = node
            return
        holder = self._open[-1]
        if isinstance(holder, Listing):
            holder.items.append(node)
            return
        name = self._names[-1]
        if name is None:  # a mapping or list where a name should stand
            self._stop("name_not_text", node.line)
        word = name.value
        self._names[-1] = None
        if word in holder.items:
            values: dict[str, str | int] = {"key": word, "first": holder.lines[word]}
            self.problems.append(Problem(self.file, name.line, word, "key_repeated", values))
            return
        holder.items[word] = node
        holder.lines[word] = name.line
        holder.starts[word] = name.start

    def _stop(self, code: str, line: int, **values: int | str) -> NoReturn:
        raise BadFile(Problem(self.file, line, "", code, values))
