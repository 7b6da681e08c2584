"""Outline -> the file that it came from, brought up to date: only what differs is written anew.

A round trip through a parsed document would keep comments, but lay every line out again and hang a comment on whatever
stands before it. So the parser only says where each value stands, and the text itself is changed there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping as AnyMapping
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import pairwise
from typing import Any

from questionbank.exchange.nodes import BadFile, Listing, Mapping, Node, Scalar
from questionbank.exchange.pieces import block, entry, flow, item
from questionbank.exchange.write import document, write
from questionbank.exchange.yaml import parse, read
from questionbank.outline import OutlineProbe, OutlineTree, complete_languages, version_hash, walk


def update(source: str, tree: OutlineTree) -> str:
    """Return `source` with what the tree says otherwise; the reading of the result is the tree.

    Comments, order and layout of everything else stay, to the letter. The tree must be sound. One without
    `languages` leaves those that the file promises, as far as its texts have them.
    """
    ended = source if source.endswith("\n") else f"{source}\n"
    try:
        reading, top = parse(ended, file="")
    except BadFile:
        return write(_promising(tree, ()))
    old = reading.tree
    if old is None or old.languages:
        tree = _promising(tree, old.languages if old else ())
    if old is None:
        return write(tree)
    order = _arranged([probe.key for probe in old.probes], tree)
    by_key = {probe.key: probe for probe in tree.probes}
    before, after = document(old, list(old.probes)), document(tree, [by_key[key] for key in order])
    if before == after:
        return source
    text = _Splice(ended).result(top, before, after)
    if text is not None and _same(read(text.encode(), file="").tree, tree):
        return text
    # A layout that can't be followed, such as a whole file in braces: the words count, and what stands above them.
    return _head(source) + write(tree)


def _promising(tree: OutlineTree, languages: Sequence[str]) -> OutlineTree:
    complete = complete_languages(tree)
    kept = tuple(tag for tag in languages if tag in complete)
    return tree if tree.languages else replace(tree, languages=kept or complete)


def _same(one: OutlineTree | None, other: OutlineTree) -> bool:
    return (
        one is not None
        and (one.topic, one.languages) == (other.topic, other.languages)
        and version_hash(one) == version_hash(other)
    )


def _head(source: str) -> str:
    lines = source.splitlines(keepends=True)
    count = next((number for number, line in enumerate(lines) if not line.startswith("#")), len(lines))
    return "".join(lines[:count])


def _arranged(old: Sequence[str], tree: OutlineTree) -> list[str]:
    """Return the keys in the order of the file, new ones behind what they are read after; if that can't give the
    siblings their order, all in reading order."""
    walked = [placed.probe.key for placed in walk(tree)]
    known = set(walked)
    order = [key for key in old if key in known]
    stand = set(order)
    for number, key in enumerate(walked):
        if key not in stand:
            order.insert(order.index(walked[number - 1]) + 1 if number else 0, key)
    return order if _siblings(order, tree.probes) == _siblings(walked, tree.probes) else walked


def _siblings(order: Sequence[str], probes: Sequence[OutlineProbe]) -> dict[str | None, list[str]]:
    parents = {probe.key: probe.parent for probe in probes}
    found: dict[str | None, list[str]] = {}
    for key in order:
        found.setdefault(parents[key], []).append(key)
    return found


@dataclass(frozen=True, slots=True)
class _Edit:
    start: int
    end: int
    text: str
    depth: int = 0


@dataclass(slots=True)
class _Splice:
    """Collects edits of a text. Values old and new are those of `document`; nodes say where they stand."""

    source: str
    edits: list[_Edit] = field(default_factory=list)

    def result(self, top: Mapping, old: AnyMapping[str, Any], new: AnyMapping[str, Any]) -> str | None:
        """Return the text that says the new values, or None where it stands in brackets."""
        probes = top.items["probes"]
        if top.flow or not isinstance(probes, Listing) or probes.flow:
            return None
        self._mapping(top, {**old, "probes": ()}, {**new, "probes": ()})
        self._probes(probes, old["probes"], new["probes"])
        return self._text(0, len(self.source))

    # --- values

    def _value(self, node: Node, old: Any, new: Any, *, column: int = 0, in_flow: bool = False) -> None:
        """Bring a value up to date where it stands; `column` is that of its name."""
        if isinstance(node, Mapping):
            old = old if isinstance(old, dict) else {}
            if _same_shape(node, old, new):
                self._mapping(node, old, new)
            else:
                self._whole(node, new)
        elif isinstance(node, Listing):
            # Words of a list are short and may stand in any order: they are written anew.
            if node.flow or len(old or ()) != len(node.items) or any(isinstance(one, Scalar) for one in node.items):
                self._whole(node, new)
            else:
                self._listing(node, old, new)
        else:
            # Words in several lines would take a remark behind the old ones in.
            in_flow = in_flow or bool(self.source[node.end : self._next_line(node.end)].strip())
            self._replace(node, flow(new) if in_flow else block(new, column))

    def _whole(self, node: Listing | Mapping, new: Any) -> None:
        """Write a list or mapping anew, in the form that it has."""
        column = self._column(node.start)
        if node.flow:
            self._replace(node, flow(new))
        elif isinstance(node, Listing):
            self._replace(node, item(new, column).strip())
        else:
            self._replace(node, block(new, column))

    def _replace(self, node: Node, text: str) -> None:
        self.edits.append(_Edit(node.start, node.end, self._lines(text)))

    # --- mappings and lists

    def _mapping(self, node: Mapping, old: AnyMapping[Any, Any], new: AnyMapping[Any, Any]) -> None:
        stands: str | None = None  # the last name so far that is there and stays
        for name, value in new.items():
            there = str(name) in node.items
            if name not in old or old[name] != value:
                if there:
                    column = self._column(node.starts[str(name)])
                    self._value(node.items[str(name)], old.get(name), value, column=column, in_flow=node.flow)
                elif name != "level":  # a file may leave it out
                    self._insert_name(node, stands, name, value, gone=_gone(node, old, new))
            stands = str(name) if there else stands
        for name in _gone(node, old, new):
            self._delete(node.starts[name], node.items[name].end)

    def _insert_name(self, node: Mapping, stands: str | None, name: Any, value: Any, *, gone: Sequence[str]) -> None:
        behind = stands or next(one for one in reversed(node.items) if one not in gone)
        column = self._column(node.start)
        self._insert(self._next_line(node.items[behind].end), entry(name, value, column), depth=column)

    def _listing(self, node: Listing, old: Sequence[Any], new: Sequence[Any]) -> None:
        column = self._column(node.start)
        at = self._above(self._hyphen(node, 0))
        matcher = SequenceMatcher(None, list(map(_known, old)), list(map(_known, new)), autojunk=False)
        for tag, a, b, c, d in matcher.get_opcodes():
            if b > a:
                at = self._next_line(node.items[b - 1].end)
            if tag == "equal":
                continue
            pairs = min(b - a, d - c)
            for number in range(pairs):
                self._value(node.items[a + number], old[a + number], new[c + number])
            for number in range(a + pairs, b):
                self._delete(self._hyphen(node, number), node.items[number].end)
            for value in new[c + pairs : d]:
                self._insert(at, item(value, column), depth=column)

    # --- probes

    def _probes(self, node: Listing, old: Sequence[Any], new: Sequence[Any]) -> None:
        """Change each probe where it stands; if they aren't the same in the same order, put them together anew."""
        outer, self.edits = self.edits, []
        numbers = {probe["key"]: number for number, probe in enumerate(old)}
        for probe in new:
            if (number := numbers.get(probe["key"])) is not None:
                self._value(node.items[number], old[number], probe)
        keys = [probe["key"] for probe in new]
        if keys != list(numbers):
            spans = [
                (self._above(self._hyphen(node, number)), self._next_line(one.end))
                for number, one in enumerate(node.items)
            ]
            column = self._column(node.start)
            texts = {
                probe["key"]: self._text(*spans[numbers[probe["key"]]], inside=True)
                if probe["key"] in numbers
                else self._lines(item(probe, column))
                for probe in new
            }
            self.edits = [_Edit(spans[0][0], spans[-1][1], self._together(texts, list(numbers), spans))]
        self.edits = outer + self.edits

    def _together(self, texts: AnyMapping[str, str], old: Sequence[str], spans: Sequence[tuple[int, int]]) -> str:
        """Return the probes in the order of `texts`, each with what stood above it. A remark that stands apart outlives
        the probe below it."""
        gaps = [self.source[end:start] for (_s, end), (start, _e) in pairwise(spans)]
        usual = "" if gaps and not any(gaps) else self._lines("\n")
        above: dict[str, str] = {}
        carried = ""
        for key, gap in zip(old, ["", *gaps], strict=True):
            if key in texts:
                above[key], carried = carried + gap, ""
            elif gap.strip():
                carried += gap
        parts: list[str] = []
        for key, text in texts.items():
            gap = above.get(key) or ("" if key in above and key != old[0] else usual)
            parts += [gap if parts else gap.lstrip("\r\n"), text]
        return "".join([*parts, carried])

    # --- the text

    def _insert(self, at: int, text: str, *, depth: int) -> None:
        self.edits.append(_Edit(at, at, self._lines(text), depth))

    def _delete(self, start: int, end: int) -> None:
        """Take out whole lines, with the remarks right above them."""
        self.edits.append(_Edit(self._above(start), self._next_line(end), ""))

    def _text(self, start: int, end: int, *, inside: bool = False) -> str:
        """Return a part of the text with its edits. `inside` leaves out what is inserted at its beginning."""
        # Of several insertions at one place the one further in comes first: it belongs to what stands above.
        edits = sorted(
            (one for one in self.edits if start + inside <= one.start and one.end <= end),
            key=lambda one: (one.start, one.end, -one.depth),
        )
        parts: list[str] = []
        at = start
        for one in edits:
            parts += [self.source[at : one.start], one.text]
            at = one.end
        return "".join([*parts, self.source[at:end]])

    def _lines(self, text: str) -> str:
        return text.replace("\n", "\r\n") if "\r\n" in self.source else text

    def _line(self, at: int) -> int:
        return self.source.rfind("\n", 0, at) + 1

    def _next_line(self, at: int) -> int:
        return self.source.index("\n", at) + 1

    def _column(self, at: int) -> int:
        return at - self._line(at)

    def _above(self, at: int) -> int:
        """Return where the lines about this one begin: itself, or the first remark right above at its column."""
        start = self._line(at)
        indent = next(place for place in range(start, len(self.source)) if self.source[place] != " ") - start
        mark = f"{' ' * indent}#"
        while start and self.source.startswith(mark, self._line(start - 1)):
            start = self._line(start - 1)
        return start

    def _hyphen(self, node: Listing, number: int) -> int:
        """Return where the hyphen of an item stands: in its line, or in one above."""
        column = self._column(node.start)
        at = self._line(node.items[number].start)
        while not self.source.startswith(f"{' ' * column}-", at):
            at = self._line(at - 1)
        return at + column


def _gone(node: Mapping, old: AnyMapping[Any, Any], new: AnyMapping[Any, Any]) -> list[str]:
    return [str(name) for name in old if name not in new and str(name) in node.items]


def _same_shape(node: Mapping, old: AnyMapping[Any, Any], new: AnyMapping[Any, Any]) -> bool:
    """Tell whether names can come and go by lines: in brackets they can't, nor can the one beside a hyphen go."""
    gone = _gone(node, old, new)
    if node.flow:
        return not gone and all(str(name) in node.items for name in new)
    return any(str(name) in node.items for name in new) and next(iter(node.items)) not in gone


def _known(value: Any) -> str:
    return json.dumps(value, sort_keys=True)
