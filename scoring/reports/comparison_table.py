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
class OrderLink:
    """An order to press: the neutral one, or a column's as its head would turn it."""

    label: str
    url: str


@dataclass(frozen=True, slots=True)
class Table:
    """`neutral`: the address of the neutral order, empty while it is shown. `orders`: all there are, neutral
    one first; none where nothing may be sorted."""

    aims: tuple[Head, ...]
    breadth: Head
    gaps: Head
    topics: tuple[TopicHead, ...]
    trees: tuple[TreeHead, ...]
    neutral: str
    orders: tuple[OrderLink, ...]
    columns: int


def table(
    lines: Sequence[Line], trees: Sequence[TreeColumn], order: Order, *, query: QueryDict, sortable: bool
) -> Table:
    sorts = sortable and len(lines) > 1

    def head(column: str, label: Words) -> Head:
        if not sorts:
            return Head(label)
        return Head(label, _address(query, order.turned(column).code), order.aria(column))

    topics = [
        TopicHead(group[0].topic_words, len(group))
        for group in (list(group) for _topic, group in groupby(trees, key=lambda tree: tree.topic))
    ]
    return Table(
        aims=tuple(head(aim, label) for aim, label in AIMS.items()),
        breadth=head("breadth", _labels()["breadth"]),
        gaps=head("gaps", _labels()["gaps"]),
        topics=tuple(topics),
        trees=tuple(TreeHead(tree.words) for tree in trees),
        neutral=_address(query, "") if order.column else "",
        orders=_orders(order, query) if sorts else (),
        columns=len(AIMS) + len(trees) + 5,
    )


def _labels() -> dict[str, Words]:
    return {**AIMS, "breadth": _("Breadth"), "gaps": _("Not covered")}


def _orders(order: Order, query: QueryDict) -> tuple[OrderLink, ...]:
    """The neutral order, and each column as pressing its head would turn it."""
    found = [OrderLink(_("In order of application"), _address(query, ""))]
    for column, label in _labels().items():
        turned = order.turned(column)
        words = _("%(column)s, highest first") if turned.descending else _("%(column)s, lowest first")
        found.append(OrderLink(words % {"column": label}, _address(query, turned.code)))
    return tuple(found)


def _address(query: QueryDict, order: str) -> str:
    """The page's own address with another order; choice and reference stay."""
    changed = query.copy()
    changed.pop("order", None)
    changed.pop("format", None)
    if order:
        changed["order"] = order
    return f"?{changed.urlencode()}"
