"""What a document is made of, whatever format it came in: headings, paragraphs, lists with items, tables, details.

Outlines and maps become lists of kind MAP, so that the rules of questions stand once, in `flow`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias


class ListKind(Enum):
    LIST = "list"
    NUMBERS = "numbers"
    MAP = "map"


@dataclass(slots=True)
class Heading:
    level: int
    text: str
    line: int
    numbered: bool = False
    """The heading stands in an item of a numbered list, whose number is gone from the text."""


@dataclass(slots=True)
class Para:
    lines: list[str]
    line: int

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


@dataclass(slots=True)
class Code:
    text: str
    line: int


@dataclass(slots=True)
class Quote:
    blocks: list[Block]
    text: str
    line: int


@dataclass(slots=True)
class Table:
    rows: list[list[str]]
    lines: list[int]
    text: str
    line: int


@dataclass(slots=True)
class Details:
    summary: str
    blocks: list[Block]
    line: int


@dataclass(slots=True)
class Item:
    """One entry of a list, outline or map. `mark` is the mark before it as written.

    `aside` is a callout or a summary of a map, `comment` a comment of an outline with all that hangs on it, `link` an
    address that the text of a node stands for.
    """

    lines: list[str]
    line: int
    mark: str = "- "
    blocks: list[Block] = field(default_factory=list)
    aside: bool = False
    comment: bool = False
    link: str = ""

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


@dataclass(slots=True)
class Items:
    """Items that stand together. `ordered` tells `1.` from `-`; `number` is the kind of numbered lines."""

    items: list[Item]
    line: int
    kind: ListKind = ListKind.LIST
    ordered: bool = False
    number: str = ""


Block: TypeAlias = Heading | Para | Code | Quote | Table | Details | Items


def written(block: Block) -> str:
    """Return a block as text again: as it was written, with the indentation of its place taken off."""
    return "\n".join(_lines(block))


def written_item(item: Item) -> str:
    return "\n".join(_item_lines(item))


def _lines(block: Block) -> Iterator[str]:
    if isinstance(block, Heading):
        yield f"{'#' * block.level} {block.text}"
    elif isinstance(block, Para):
        yield from block.lines
    elif isinstance(block, Items):
        for item in block.items:
            yield from _item_lines(item)
    elif isinstance(block, Details):
        yield block.summary
        for inner in block.blocks:
            yield ""
            yield from _lines(inner)
    else:
        yield from block.text.split("\n")


def _item_lines(item: Item) -> Iterator[str]:
    first, *more = item.text.split("\n")
    if item.link:
        first, more = f"[{item.text}]({item.link})", []
    yield f"{item.mark}{first}"
    pad = " " * (len(item.mark) if item.mark.isascii() else 2)
    yield from (f"{pad}{line}" for line in more)
    for block in item.blocks:
        if not isinstance(block, Items):
            yield ""
        for line in _lines(block):
            yield f"{pad}{line}" if line else ""
