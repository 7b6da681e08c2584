"""A comparison for programs: what the page shows the same reader, no more. Trees go by their keys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from scoring.labels import AIMS
from scoring.queries.comparison import Comparison, TreeColumn
from scoring.reports.comparison import Line
from scoring.reports.sorting import Order
from scoring.rules.intervals import calibrated


def comparison_json(data: Comparison, lines: Sequence[Line], order: Order) -> dict[str, Any]:
    return {
        "position": {"code": str(data.position.code), "title": data.position.title},
        "total": data.total,
        "sortable": data.sortable,
        "order": order.code or "applied",
        "against": next((line.code for line in lines if line.reference), None),
        "trees": trees_json(data.trees),
        "candidates": [line_json(line, data.trees) for line in lines],
    }


def trees_json(trees: Sequence[TreeColumn]) -> list[dict[str, Any]]:
    return [{"key": tree.key, "title": tree.words[0], "topic": tree.topic_words[0]} for tree in trees]


def line_json(line: Line, trees: Sequence[TreeColumn]) -> dict[str, Any]:
    """`state`: `readable`, `no_card` (nobody's card is in), or `sealed`; then nothing else is known."""
    head = {"application": line.code, "name": line.name}
    content = line.content
    if content is None:
        return head | {"state": "no_card" if line.readable else "sealed"}
    rows = {tree["tree"]: tree for tree in content["trees"]}
    keys = {tree.pk: tree.key for tree in trees}
    return head | {
        "state": "readable",
        "raters": len(content["raters"]),
        "dimensions": {aim: _dimension(content["dimensions"][aim], line, place) for place, aim in enumerate(AIMS)},
        "breadth": content["breadth"]["count"],
        "boundaries": {tree.key: _boundaries(rows.get(tree.pk)) for tree in trees},
        "not_covered": [
            {**{key: value for key, value in row.items() if key != "tree"}, "tree": keys.get(row.get("tree"))}
            for row in content["not_covered"]
        ],
        "recommendations": content["recommendations"]["counts"],
        "decision": line.decision,
    }


def _dimension(row: dict[str, Any], line: Line, place: int) -> dict[str, Any]:
    interval = calibrated(row)
    kept = ("value", "missing", "lowest", "highest", "raters", "independent_raters", "provisional")
    return {name: row[name] for name in kept} | {
        "calibrated": asdict(interval) if interval else None,
        "calibrated_missing": None if interval else row["calibrated_missing"],
        "relation": line.cells[place].relation,
    }


def _boundaries(tree: dict[str, Any] | None) -> list[dict[str, Any]]:
    """Each interviewer's, without saying whose: the panel card does."""
    if tree is None:
        return []
    kept = ("floor", "ceiling", "at_least", "ended", "excluded")
    return [{name: row[name] for name in kept} for row in tree["raters"]]
