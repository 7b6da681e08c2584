"""What an upload would do, as plain values that can be kept: words come only when a page is drawn from them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from typing import Any, Final

from django.conf import settings

from questionbank.exchange.outlines import preview_table
from questionbank.exchange.problems import Problem
from questionbank.exchange.readings import Reading
from questionbank.models import UploadFile
from questionbank.services.importing import Report, TreeChange

MOST_SHOWN: Final = 160
"""Characters of a cell on the page where columns get their roles."""
MOST_EXAMPLES: Final = 25
"""Findings of one kind that are kept: an outline brings the same gap with every question."""


def preview_of(
    readings: Sequence[Reading], report: Report, found: Iterable[Problem], tables: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """Return all that a page says of an import: counts, what becomes of each tree and topic, what the linter found,
    what has no place."""
    trees = {tree.key: tree for reading in readings for tree in reading.trees}
    topics = [topic for reading in readings for topic in reading.topics]
    titles = {topic.key: dict(topic.title) for topic in [*topics, *(tree.topic for tree in trees.values())]}
    return {
        **_leftovers(readings, report.notices),
        "tables": tables,
        "counts": report.as_json(),
        "topics_added": [titles[key] for key in report.topics_added],
        "topics_renamed": [titles[key] for key in report.topics_renamed],
        "plans": [
            {"key": reading.plan.key, "name": reading.plan.name, "what": report.plans[reading.plan.key]}
            for reading in readings
            if reading.plan
        ],
        "trees": [
            {
                **_change(change),
                "title": dict(trees[change.tree].title),
                "topic": dict(trees[change.tree].topic.title),
            }
            for change in report.changes
        ],
        "findings": _grouped(found),
        "problems": [],
    }


def refusal_of(
    readings: Sequence[Reading], problems: Iterable[Problem], tables: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    """Return what a page says of files that can't be imported: every problem of every file."""
    return {**_leftovers(readings), "tables": tables, "problems": [as_value(problem) for problem in problems]}


def tables_of(file: UploadFile) -> list[dict[str, Any]]:
    """Return header, sample rows and roles of every sheet of a table; nothing for other files."""
    return [
        {
            "position": file.position,
            "file": file.name,
            "sheet": sheet.name,
            "header": list(sheet.header),
            "rows": [[cell[:MOST_SHOWN] for cell in row] for row in sheet.rows],
            "roles": [file.columns.get(name, role.value) for name, role in zip(sheet.header, sheet.roles, strict=True)],
        }
        for sheet in preview_table(bytes(file.content or b""), file.name, limit=settings.BANK_FILE_BYTES)
    ]


def digest_of(report: Report) -> str:
    """Return 64 hex digits over everything that an import changes: another digest is another import."""
    content = {
        "counts": report.as_json(),
        "topics": [sorted(report.topics_added), sorted(report.topics_renamed)],
        "plans": report.plans,
        "trees": [_change(change) for change in report.changes],
    }
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(f"sounding-import-1\n{text}".encode()).hexdigest()


def as_value(problem: Problem) -> dict[str, Any]:
    """Return a problem without words; `from_value` makes it one again, in whatever language is read then."""
    names = ("file", "line", "place", "code", "tree", "probe")
    return {
        **{name: getattr(problem, name) for name in names},
        "values": dict(problem.values),
        "severity": problem.severity.value,
    }


def _leftovers(readings: Iterable[Reading], notices: Iterable[Problem] = ()) -> dict[str, Any]:
    readings = list(readings)
    said = [*(notice for reading in readings for notice in reading.notices), *notices]
    return {
        "notices": [as_value(notice) for notice in said],
        "unplaced": [row.as_json(reading.file) for reading in readings for row in reading.unplaced],
    }


def _change(change: TreeChange) -> dict[str, Any]:
    probes = change.probes
    return {
        "file": change.file,
        "key": change.tree,
        "number": change.number,
        "new": change.new,
        "head": change.head_changed,
        "moved": change.moved,
        "added": list(probes.added),
        "changed": list(probes.changed),
        "removed": list(probes.removed),
        "left": len(probes.left),
    }


def _grouped(found: Iterable[Problem]) -> list[dict[str, Any]]:
    """Return findings by kind, what stops publishing first; of each kind how many there are, and the first few."""
    groups: dict[str, dict[str, Any]] = {}
    for one in found:
        start: dict[str, Any] = {"code": one.code, "severity": one.severity.value, "count": 0, "examples": []}
        group = groups.setdefault(one.code, start)
        group["count"] += 1
        if len(group["examples"]) < MOST_EXAMPLES:
            group["examples"].append(as_value(one))
    return sorted(groups.values(), key=lambda group: (group["severity"] != "stops", -group["count"]))
