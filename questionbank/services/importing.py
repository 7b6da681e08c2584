"""Bring readings of files into the bank: all of them or none, and the same file twice changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from django.db import transaction

from people import audit
from people.locks import Lock, queue_on
from people.models import Person
from questionbank import queries
from questionbank.exchange.problems import Problem
from questionbank.exchange.readings import Reading
from questionbank.lint import gaps
from questionbank.models import Topic, Tree, TreeVersion
from questionbank.outline import (
    Difference,
    OutlineTopic,
    OutlineTree,
    difference,
    version_hash,
)
from questionbank.rules import UNPUBLISHED, may_write
from questionbank.services.counts import Counts
from questionbank.services.plans import set_plan
from questionbank.services.publishing import publish_unreviewed
from questionbank.services.writing import NewVersion, write_versions

# Trees that are written with one statement for each table.
TOGETHER = 100


class ImportRefused(Exception):
    """Nothing was changed; holds every problem of every file."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


@dataclass(frozen=True, slots=True)
class TreeChange:
    """What an import does to one tree. `number` is the version that then stands for the file."""

    file: str
    tree: str
    number: int
    new: bool
    published: bool
    probes: Difference
    head_changed: bool = False
    moved: bool = False
    """The tree goes to another topic, with all its versions."""


@dataclass(slots=True)
class Report(Counts):
    changes: list[TreeChange] = field(default_factory=list)
    topics_added: list[str] = field(default_factory=list)
    topics_renamed: list[str] = field(default_factory=list)
    plans: dict[str, str] = field(default_factory=dict)
    """Key of each plan -> added, changed or left."""
    notices: list[Problem] = field(default_factory=list)
    """Versions that somebody works on while the import makes the next one."""

    def add(self, change: TreeChange) -> None:
        self.changes.append(change)
        self.count(change.probes)


def import_readings(
    readings: Sequence[Reading],
    *,
    by: Person | None = None,
    publish: bool = False,
    dry_run: bool = False,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Report:
    """Bring the trees and plans of all readings into the bank in one transaction, or raise ImportRefused.

    A new key makes a tree with version 1, changed content a new version, equal content nothing. New versions are
    drafts; with `publish` they are published, and so is the newest version where it is a draft equal to the file.
    With `dry_run` the same report comes back and nothing is written. `progress` hears after each tree how many of
    how many are done; what it raises ends the import, and nothing of it stays.
    """
    problems = [problem for reading in readings for problem in reading.problems]
    problems += _between(readings)
    if publish:
        problems += [reading.problem(gap) for reading, tree in _trees(readings) for gap in gaps(tree)]
    with transaction.atomic():
        queue_on(Lock.IMPORT)
        problems += _unknown_trees(readings)
        if problems:
            raise ImportRefused(sorted(problems, key=lambda problem: (problem.file, problem.line)))
        report = _import_topics(readings, dry_run=dry_run)
        report.not_placed = sum(len(reading.unplaced) for reading in readings)
        if not dry_run:
            _lock_trees(readings)
        paired = _with_newest(readings)
        for start in range(0, len(paired), TOGETHER):
            planned = [_plan(*one, publish=publish) for one in paired[start : start + TOGETHER]]
            if not dry_run:
                _write(planned, by=by)
            for one in planned:
                report.add(one.change)
            progress(start + len(planned), len(paired))
        report.notices = _beside(readings, report.changes)
        for reading in readings:
            if reading.plan:
                report.plans[reading.plan.key] = set_plan(reading.plan, by=by, dry_run=dry_run)
    return report


def _trees(readings: Iterable[Reading]) -> list[tuple[Reading, OutlineTree]]:
    return [(reading, tree) for reading in readings for tree in reading.trees]


# --- what no single file can know


def _between(readings: Iterable[Reading]) -> list[Problem]:
    """Return what the files contradict each other in: a tree in two of them, a topic with two titles."""
    problems: list[Problem] = []
    trees: dict[str, Reading] = {}
    topics: dict[str, tuple[OutlineTopic, Reading]] = {}
    for reading, tree in _trees(readings):
        line = reading.line(tree.key)
        if tree.key in trees:
            values = {"key": tree.key, "other": trees[tree.key].file}
            problems.append(Problem(reading.file, line, "tree", "tree_twice", values))
        trees.setdefault(tree.key, reading)
        topic, first = topics.setdefault(tree.topic.key, (tree.topic, reading))
        if any(topic.title[tag] != words for tag, words in tree.topic.title.items() if tag in topic.title):
            values = {"key": topic.key, "other": first.file}
            problems.append(Problem(reading.file, line, "topic.title", "topic_differs", values))
    return problems


def _unknown_trees(readings: Sequence[Reading]) -> list[Problem]:
    given = {tree.key for _reading, tree in _trees(readings)}
    named = {entry.tree for reading in readings if reading.plan for entry in reading.plan.trees} - given
    known = set(Tree.objects.filter(key__in=named).values_list("key", flat=True)) if named else set()
    return [
        Problem(reading.file, reading.line(reading.plan.key, entry.tree), "trees", "unknown_tree", {"key": entry.tree})
        for reading in readings
        if reading.plan
        for entry in reading.plan.trees
        if entry.tree in named - known
    ]


def _import_topics(readings: Sequence[Reading], *, dry_run: bool) -> Report:
    """Make topics that are new and give others their new titles. Words in languages that no file has stay."""
    topics = [topic for reading in readings for topic in reading.topics]
    topics += [tree.topic for _reading, tree in _trees(readings)]
    given: dict[str, dict[str, str]] = {}
    for topic in topics:
        given.setdefault(topic.key, {}).update(topic.title)
    known = Topic.objects.in_bulk(list(given), field_name="key")
    given = {key: {**known[key].title, **title} if key in known else title for key, title in given.items()}
    renamed = [key for key, title in given.items() if key in known and known[key].title != title]
    added = [key for key in given if key not in known]
    if not dry_run:
        Topic.objects.bulk_create(Topic(key=key, title=given[key]) for key in added)
        for key in renamed:
            Topic.objects.filter(key=key).update(title=given[key])
    return Report(topics=len(given), topics_added=added, topics_renamed=renamed)


def _beside(readings: Sequence[Reading], changes: Sequence[TreeChange]) -> list[Problem]:
    """Name the open versions that trees have beside the version which the import makes."""
    made = {change.tree: change.number for change in changes if change.new}
    open_ones = TreeVersion.objects.filter(tree__key__in=made, status__state__in=UNPUBLISHED)
    by_tree: dict[str, list[Problem]] = {}
    for one in open_ones.select_related("tree", "created_by").order_by("number"):
        if one.number >= made[one.tree.key]:
            continue
        values: dict[str, str | int] = {"key": one.tree.key, "n": one.number, "next": made[one.tree.key]}
        code = "open_version"
        if one.created_by:
            code, values["name"] = "open_version_by", one.created_by.name
        by_tree.setdefault(one.tree.key, []).append(Problem("", 0, "tree", code, values))
    return [
        notice.at(reading.file, reading.line(tree.key))
        for reading, tree in _trees(readings)
        for notice in by_tree.get(tree.key, ())
    ]


# --- one tree


def _with_newest(readings: Sequence[Reading]) -> list[tuple[Reading, OutlineTree, queries.WholeTree | None]]:
    """Pair each tree with the newest version that the bank has of it, fetched for all files together."""
    given = _trees(readings)
    newest = queries.newest_versions(tree.key for _reading, tree in given)
    by_key = {one.version.tree.key: one for one in queries.whole_trees(newest.values())}
    return [(reading, tree, by_key.get(tree.key)) for reading, tree in given]


def _lock_trees(readings: Sequence[Reading]) -> None:
    """Lock the trees that are named: who makes a draft counts the same numbers on."""
    keys = [tree.key for _reading, tree in _trees(readings)]
    list(Tree.objects.select_for_update(no_key=True).filter(key__in=keys).order_by("pk").values_list("pk"))


@dataclass(frozen=True, slots=True)
class _Planned:
    """What an import does to one tree, and what it needs for that."""

    change: TreeChange
    reading: Reading
    new: OutlineTree
    old: queries.WholeTree | None


def _plan(reading: Reading, new: OutlineTree, old: queries.WholeTree | None, *, publish: bool) -> _Planned:
    equal = old is not None and old.version.content_hash == version_hash(new)
    probes = difference(old.outline if old else None, new)
    change = TreeChange(
        file=reading.file,
        tree=new.key,
        number=(old.version.number if old else 0) + (0 if equal else 1),
        new=not equal,
        published=publish and (old is None or not equal or old.version.status.state in UNPUBLISHED),
        probes=probes,
        head_changed=not equal and old is not None and not (probes.added or probes.changed or probes.removed),
        moved=old is not None and old.outline.topic.key != new.topic.key,
    )
    return _Planned(change, reading, new, old)


def _write(planned: Iterable[_Planned], *, by: Person | None) -> None:
    """Write these trees down together: a few statements, however many they are."""
    changing = [one for one in planned if one.change.new or one.change.moved or one.change.published]
    if not changing:
        return
    trees = _write_trees(changing, by=by)
    news = [
        NewVersion(trees[one.new.key], one.new, one.change.number, one.reading.source)
        for one in changing
        if one.change.new
    ]
    written = write_versions(news, by=by)
    audit.record_all(by, "tree.imported", ((version, {"number": version.number}) for version in written))
    standing = {one.new.key: one.old.version for one in changing if one.old}
    standing |= {version.tree.key: version for version in written}
    for one in changing:
        if one.change.published:
            publish_unreviewed(standing[one.new.key], by=by)


def _write_trees(planned: Sequence[_Planned], *, by: Person | None) -> dict[str, Tree]:
    """Make the trees that are new, move those whose topic changed; return all of them by key."""
    topics = Topic.objects.in_bulk({one.new.topic.key for one in planned}, field_name="key")
    trees = {one.new.key: one.old.version.tree for one in planned if one.old}
    # A tree whose only draft was discarded is still there, without a version.
    trees |= Tree.objects.in_bulk({one.new.key for one in planned} - trees.keys(), field_name="key")
    moving = [one for one in planned if one.new.key in trees and (one.change.moved or one.old is None)]
    for one in moving:
        trees[one.new.key].topic = topics[one.new.topic.key]
    Tree.objects.bulk_update([trees[one.new.key] for one in moving], ["topic"])
    owner = by if by and may_write(by.roles) else None
    fresh = [
        Tree(key=one.new.key, topic=topics[one.new.topic.key], owner=owner)
        for one in planned
        if one.new.key not in trees
    ]
    return trees | {tree.key: tree for tree in Tree.objects.bulk_create(fresh)}
