"""Nodes of an outline or a map -> blocks. Every format of that kind makes these; the rules stand in `flow`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from questionbank.exchange.outlines.blocks import Block, Item, Items, ListKind, Para
from questionbank.exchange.outlines.builder import Builder
from questionbank.exchange.outlines.draft import Topic, Why
from questionbank.exchange.outlines.flow import Flow
from questionbank.exchange.outlines.texts import has_letter, plain_html

MOST_NESTING: Final = 60


@dataclass(slots=True)
class Node:
    """One node. `made_up` titles come from the program: the node is skipped, what hangs on it moves up.

    `notes` are its note and details. `aside` is a callout or a summary; `link` an address out of the file.
    """

    title: str
    number: int
    notes: list[str] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    made_up: bool = False
    aside: bool = False
    comment: bool = False
    link: str = ""


def place_nodes(builder: Builder, nodes: Iterable[Node], topic: Topic = ()) -> None:
    """Place sibling nodes that stand under no question."""
    blocks: list[Block] = [Items(items, items[0].line, ListKind.MAP)] if (items := _items(builder, nodes, 0)) else []
    Flow(builder, topic).run(blocks)


def _items(builder: Builder, nodes: Iterable[Node], depth: int) -> list[Item]:
    items: list[Item] = []
    for node in nodes:
        title = plain_html(node.title).strip()
        if node.made_up or not has_letter(title):
            _orphan_notes(builder, node)
            for child in node.children:
                child.aside = child.aside or node.aside
                child.comment = child.comment or node.comment
            items += _items(builder, node.children, depth + 1) if depth < MOST_NESTING else _too_deep(builder, node)
            continue
        item = Item(title.split("\n"), node.number, aside=node.aside, comment=node.comment)
        item.blocks += [Para(note.split("\n"), node.number) for note in node.notes if note.strip()]
        if node.link and not node.children and not node.notes:
            item.link = node.link
        if depth >= MOST_NESTING:
            _too_deep(builder, node)
        elif below := _items(builder, node.children, depth + 1):
            item.blocks.append(Items(below, below[0].line, ListKind.MAP))
        items.append(item)
    return items


def _orphan_notes(builder: Builder, node: Node) -> None:
    for note in node.notes:
        builder.remark(note, node.number)


def _too_deep(builder: Builder, node: Node) -> list[Item]:
    stack = list(reversed(node.children))
    while stack:
        child = stack.pop()
        builder.remark(child.title, child.number, Why.TOO_DEEP)
        for note in child.notes:
            builder.remark(note, child.number, Why.TOO_DEEP)
        stack += reversed(child.children)
    return []
