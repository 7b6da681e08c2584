"""The table of a comparison: its heads, which of them sort and how they stand, and the groups of its tree columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from django.http import QueryDict
from django.utils.translation import gettext as _

from scoring.labels import AIMS, Words
from scoring.queries import titles
from scoring.queries.comparison import TreeColumn
from scoring.reports.comparison import Line
from scoring.reports.sorting import Order


@dataclass(frozen=True, slots=True)
class Head:
    """A column's head; `url` sorts by it, empty where nothing may be sorted, and then `aria` is empty too."""

    label: Words
    url: str = ""
    aria: str = ""


@dataclass(frozen=True, slots=True)
class TreeHead:
    words: titles.Words


@dataclass(frozen=True, slots=True)
class TopicHead:
    words: titles.Words
    span: int


@dataclass(frozen=True, slots=True)
class Table:
    """`neutral`: the address of the neutral order, empty while it is the one shown."""

    aims: tuple[Head, ...]
    breadth: Head
    gaps: Head
    topics: tuple[TopicHead, ...]
    trees: tuple[TreeHead, ...]
    neutral: str
    columns: int


def table(
    lines: Sequence[Line], trees: Sequence[TreeColumn], order: Order, *, query: QueryDict, sortable: bool
) -> Table:
    def head(column: str, label: Words) -> Head:
        if not sortable or len(lines) < 2:
            return Head(label)
        return Head(label, _address(query, order.turned(column).code), order.aria(column))

    topics = [
        TopicHead(group[0].topic_words, len(group))
        for group in (list(group) for _topic, group in groupby(trees, key=lambda tree: tree.topic))
    ]
    return Table(
        aims=tuple(head(aim, label) for aim, label in AIMS.items()),
        breadth=head("breadth", _("Breadth")),
        gaps=head("gaps", _("Not covered")),
        topics=tuple(topics),
        trees=tuple(TreeHead(tree.words) for tree in trees),
        neutral=_address(query, "") if order.column else "",
        columns=len(AIMS) + len(trees) + 5,
    )


def _address(query: QueryDict, order: str) -> str:
    """The page's own address with another order; choice and reference stay."""
    changed = query.copy()
    changed.pop("order", None)
    changed.pop("format", None)
    if order:
        changed["order"] = order
    return f"?{changed.urlencode()}"
