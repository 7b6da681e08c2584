"""A tree of probes as pure values: how it is built, walked, measured and hashed. No Django, no files.

Every reader of a file turns it into an `OutlineTree`, every writer and the database start from one, so the rules
of a tree (one parent each, levels) stand here once; `questionbank.lint` says what is wrong with one. A probe names its
parent; the order of siblings is the order in which they stand in `OutlineTree.probes`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from questionbank.enums import Aim, BranchOutcome, ProbeKind, Purpose, SignalKind
from questionbank.ordering import english_first

Text: TypeAlias = Mapping[str, str]
"""The same words in one or more languages: BCP 47 tag -> words."""

RATINGS: Final = (0, 1, 2, 3, 4)
MOST_ANCESTORS: Final = 20
MOST_PLAN_TREES: Final = 50
"""No interview goes this deep; pages nest once for each."""


@dataclass(frozen=True, slots=True)
class OutlineBranch:
    """Leads from `parent` to the follow-up that holds it. No outcomes means: after any."""

    parent: str
    outcomes: tuple[BranchOutcome, ...] = ()
    heard: Text = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OutlineProbe:
    """One question. `title` is a few words for lists, `branch` is None for a root, `anchors` may lack ratings while a
    tree is being written."""

    key: str
    title: Text
    prompt: Text
    kind: ProbeKind
    aims: tuple[Aim, ...]
    minutes: int
    branch: OutlineBranch | None = None
    same_level: bool = False
    scored: bool = True
    signals: Mapping[SignalKind, tuple[Text, ...]] = field(default_factory=dict)
    anchors: Mapping[Aim, Mapping[int, Text]] = field(default_factory=dict)

    @property
    def parent(self) -> str | None:
        return self.branch.parent if self.branch else None

    @property
    def keeps_level(self) -> bool:
        """True for a follow-up that stays on its parent's level."""
        return self.branch is not None and (self.kind is ProbeKind.RESCUE or self.same_level)


@dataclass(frozen=True, slots=True)
class OutlineTopic:
    key: str
    title: Text


@dataclass(frozen=True, slots=True)
class OutlineTree:
    """One tree of one topic. `languages` are those that every text of it has; `minutes` is what it should take."""

    key: str
    title: Text
    topic: OutlineTopic
    languages: tuple[str, ...]
    probes: tuple[OutlineProbe, ...]
    minutes: int = 10
    purpose: Purpose = Purpose.BOUNDARY
    misses: int = 2
    second_try: bool = True


@dataclass(frozen=True, slots=True)
class OutlinePlanTree:
    tree: str
    minutes: int
    required: bool = True


@dataclass(frozen=True, slots=True)
class OutlinePlan:
    """An ordered set of trees, named by key, with the aims that each interview should cover."""

    key: str
    name: str
    required_aims: tuple[Aim, ...] = ()
    trees: tuple[OutlinePlanTree, ...] = ()


@dataclass(frozen=True, slots=True)
class Placed:
    """A probe at its place: `level` by the rules of the domain, `depth` = number of ancestors, for drawing."""

    probe: OutlineProbe
    level: int
    depth: int
    follow_ups: tuple[str, ...]


def level_below(parent_level: int, probe: OutlineProbe) -> int:
    return parent_level if probe.keeps_level else parent_level + 1


def walk(tree: OutlineTree) -> Iterator[Placed]:
    """Yield every probe that can be reached from a root, parents first, siblings in their order.

    Depth first, without recursion: a chain of a thousand follow-ups is no error of Python's stack.
    """
    below: dict[str | None, list[OutlineProbe]] = {}
    for probe in tree.probes:
        below.setdefault(probe.parent, []).append(probe)
    stack = [(probe, 1, 0) for probe in reversed(below.get(None, ()))]
    seen: set[str] = set()
    while stack:
        probe, level, depth = stack.pop()
        if probe.key in seen:  # the same key twice: reported by the linter, walked once
            continue
        seen.add(probe.key)
        follow_ups = below.get(probe.key, ())
        yield Placed(probe, level, depth, tuple(one.key for one in follow_ups))
        stack += [(one, level_below(level, one), depth + 1) for one in reversed(follow_ups)]


def levels(tree: OutlineTree) -> dict[str, int]:
    """Return the level of every probe that can be reached."""
    return {placed.probe.key: placed.level for placed in walk(tree)}


def complete_languages(tree: OutlineTree) -> tuple[str, ...]:
    """Return the languages that every text of the tree has, English first, then by tag."""
    tags = set(tree.title) & set(tree.topic.title)
    for probe in tree.probes:
        for _place, text in texts(probe):
            tags &= set(text)
    return tuple(sorted(tags, key=english_first))


def texts(probe: OutlineProbe) -> Iterator[tuple[str, Text]]:
    """Yield every text of a probe with its place, as a file names it: `prompt`, `signals.weak[2]`, `anchors.why.0`."""
    yield "title", probe.title
    yield "prompt", probe.prompt
    if probe.branch and probe.branch.heard:
        yield "heard", probe.branch.heard
    for kind, listed in probe.signals.items():
        for number, text in enumerate(listed, 1):
            yield f"signals.{kind}[{number}]", text
    for aim, scale in probe.anchors.items():
        for rating, text in scale.items():
            yield f"anchors.{aim}.{rating}", text


def probe_hash(probe: OutlineProbe) -> str:
    """Return 64 hex digits over what is asked and how it is judged: prompt, aims, kind, signals, anchors.

    Place, minutes and scoring are left out on purpose: a probe that moves in its tree, or leaves its trial, stays the
    same question, and what is known of its difficulty stays with it.
    """
    return _digest("sounding-probe-1", _asked(probe))


def version_hash(tree: OutlineTree) -> str:
    """Return 64 hex digits over everything a version holds.

    Where a probe stands in the file doesn't count, its order among its siblings does. `languages` follow from the
    texts, and the topic belongs to the tree over all its versions, so neither counts.
    """
    probes = [
        {
            **_asked(placed.probe),
            "key": placed.probe.key,
            "title": dict(placed.probe.title),
            "after": placed.probe.parent,
            "when": sorted(placed.probe.branch.outcomes) if placed.probe.branch else [],
            "heard": dict(placed.probe.branch.heard) if placed.probe.branch else {},
            "same_level": placed.probe.same_level,
            "scored": placed.probe.scored,
            "minutes": placed.probe.minutes,
        }
        for placed in walk(tree)
    ]
    head = {
        "key": tree.key,
        "title": dict(tree.title),
        "minutes": tree.minutes,
        "purpose": tree.purpose,
        "misses": tree.misses,
        "second_try": tree.second_try,
    }
    return _digest("sounding-tree-1", {**head, "probes": probes})


def _asked(probe: OutlineProbe) -> dict[str, object]:
    return {
        "prompt": dict(probe.prompt),
        "kind": probe.kind,
        "aims": sorted(probe.aims),
        "signals": {kind: [dict(one) for one in texts] for kind, texts in probe.signals.items() if texts},
        "anchors": {
            aim: {str(rating): dict(text) for rating, text in texts.items()}
            for aim, texts in probe.anchors.items()
            if texts
        },
    }


def _digest(label: str, content: Mapping[str, object]) -> str:
    # One canonical form: sorted names, no spaces, no escapes. Another form is another label, never a silent change.
    text = json.dumps(content, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(f"{label}\n{text}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Difference:
    """What turns one version's probes into another's: keys, in reading order."""

    added: tuple[str, ...]
    changed: tuple[str, ...]
    left: tuple[str, ...]
    removed: tuple[str, ...]


def difference(old: OutlineTree | None, new: OutlineTree) -> Difference:
    """Compare probe by probe. A probe that only changed its order among siblings counts as left."""
    before = {probe.key: _comparable(probe) for probe in old.probes} if old else {}
    after = {placed.probe.key: _comparable(placed.probe) for placed in walk(new)}
    common = [key for key in after if key in before]
    return Difference(
        added=tuple(key for key in after if key not in before),
        changed=tuple(key for key in common if after[key] != before[key]),
        left=tuple(key for key in common if after[key] == before[key]),
        removed=tuple(key for key in before if key not in after),
    )


def _comparable(probe: OutlineProbe) -> Sequence[object]:
    branch = probe.branch
    place = (branch.parent, sorted(branch.outcomes), dict(branch.heard)) if branch else None
    return (_asked(probe), dict(probe.title), place, probe.same_level, probe.scored, probe.minutes)
