"""Reads about plans: what is in one, what can be, and what doesn't fit."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Count, Q

from questionbank import queries
from questionbank.enums import Aim, Scoring, VersionState
from questionbank.fitting import Finding, FittedTree, misfits
from questionbank.models import Plan, Tree, TreeVersion
from questionbank.outline import Text
from questionbank.rules import OPEN_STATES


@dataclass(frozen=True, slots=True)
class PlannedTree:
    """A tree in a plan, or one that could be. `version` is its newest published one, None where it has none."""

    key: str
    title: Text
    version: TreeVersion | None
    aims: frozenset[Aim]


def tree_choices() -> dict[str, PlannedTree]:
    """Return every tree that a plan can take, by key and in the bank's order: those with a published version."""
    per_aim = {
        f"scored_{aim}": Count(
            "probes", filter=Q(probes__aims__contains=[aim.value], probes__scoring=Scoring.SCORED.value)
        )
        for aim in Aim
    }
    return {
        version.tree.key: PlannedTree(
            version.tree.key,
            version.title,
            version,
            frozenset(aim for aim in Aim if getattr(version, f"scored_{aim}")),
        )
        for version in queries.published_trees().annotate(**per_aim)
    }


def trees_named(
    keys: Collection[str], choices: Mapping[str, PlannedTree], *, drafts: bool = True
) -> dict[str, PlannedTree]:
    """Return these trees by key; one without a published version (retired, or a draft still) by its newest title.

    Without `drafts`, for people who may not read them, a title comes from a retired version or is the key.
    """
    missing = [key for key in keys if key not in choices]
    states = tuple(VersionState) if drafts else tuple(OPEN_STATES)
    newest = queries.newest_versions(missing, states) if missing else {}
    known = Tree.objects.filter(key__in=missing).values_list("key", flat=True) if missing else ()
    found = {key: choices[key] for key in keys if key in choices}
    for key in known:
        title = newest[key].title if key in newest else {"en": key}
        found[key] = PlannedTree(key, title, None, frozenset())
    return found


def findings(
    entries: Iterable[tuple[PlannedTree, int, bool]], *, minutes: int | None, aims: Collection[Aim]
) -> list[Finding]:
    """Return what doesn't fit of (tree, minutes, required) in this order."""
    fitted = [
        FittedTree(tree.key, given, required, tree.version.minutes if tree.version else None, tree.aims)
        for tree, given, required in entries
    ]
    return misfits(fitted, minutes=minutes, aims=aims)


@dataclass(frozen=True, slots=True)
class PlanEntry:
    tree: PlannedTree
    minutes: int
    required: bool


@dataclass(frozen=True, slots=True)
class WholePlan:
    plan: Plan
    entries: Sequence[PlanEntry]
    aims: Sequence[Aim]
    findings: Sequence[Finding]

    @property
    def total(self) -> int:
        return sum(entry.minutes for entry in self.entries)


def whole_plans(plans: Iterable[Plan], *, drafts: bool) -> list[WholePlan]:
    """Return plans with their trees, and what doesn't fit, in as many queries for one as for many.

    `drafts`: whether they are for somebody who may read what isn't published yet.
    """
    choices = tree_choices()
    found = []
    rows = list(plans)
    named = trees_named({entry.tree.key for plan in rows for entry in plan.entries.all()}, choices, drafts=drafts)
    for plan in rows:
        entries = [PlanEntry(named[one.tree.key], one.minutes, one.required) for one in plan.entries.all()]
        aims = [aim for aim in Aim if aim.value in plan.required_aims]
        given = [(one.tree, one.minutes, one.required) for one in entries]
        found.append(WholePlan(plan, entries, aims, findings(given, minutes=plan.minutes, aims=aims)))
    return found


def fingerprint(plan: Plan) -> str:
    """Return a word that is another one as soon as anything in the plan is."""
    entries = plan.entries.order_by("position").values_list("tree_id", "minutes", "required")
    said = [plan.name, plan.minutes, plan.locked, sorted(plan.required_aims), [list(entry) for entry in entries]]
    return hashlib.sha256(json.dumps(said).encode()).hexdigest()[:16]
