"""Reads for the health pages: the version that interviews use, what its draft changes, and the figures written down."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from questionbank import queries
from questionbank.enums import Aim, BranchOutcome, Scoring, VersionState
from questionbank.health import Help, Leak, Node, Seen, TreeHealth, examine
from questionbank.models import Probe, ProbeFigures, Tree, TreeVersion
from questionbank.outline import probe_hash, walk
from questionbank.queries.duplicates import merged_figures
from questionbank.rules import UNPUBLISHED


@dataclass(frozen=True, slots=True)
class DraftChanges:
    """What a version that isn't published yet does to the published one, as far as figures are concerned."""

    version: TreeVersion
    reworded: frozenset[str]
    added: tuple[Probe, ...]


@dataclass(frozen=True, slots=True)
class HealthOfTree:
    """`shown`: the newest published version, or of a retired tree the newest retired one; None for a tree that was
    never published. `newest` is the newest of all. `probes` are those of `shown`, by key."""

    tree: Tree
    newest: TreeVersion
    shown: TreeVersion | None
    probes: Mapping[str, Probe]
    health: TreeHealth
    draft: DraftChanges | None


def health_of(key: str) -> HealthOfTree:
    """Return the health of one tree, in six queries however large it is. Raises Tree.DoesNotExist.

    What was merged into one of its probes counts as an earlier wording of that probe.
    """
    versions = list(
        TreeVersion.objects.filter(tree__key=key).select_related("tree__topic", "status").order_by("-number")
    )
    if not versions:
        raise Tree.DoesNotExist
    tree = versions[0].tree
    shown = _newest(versions, VersionState.PUBLISHED) or _newest(versions, VersionState.RETIRED)
    open_ = next((one for one in versions if one.status.state in UNPUBLISHED), None)
    wholes = {one.version.pk: one for one in queries.whole_trees([one for one in (shown, open_) if one])}
    figures = [seen_from(row) for row in ProbeFigures.objects.filter(tree=tree)]
    figures += [replace(seen_from(row), key=kept, wording="") for kept, row in merged_figures(tree)]
    base = wholes.get(shown.pk) if shown else None
    return HealthOfTree(
        tree=tree,
        newest=versions[0],
        shown=shown,
        probes={probe.key: probe for probe in base.probes} if base else {},
        health=examine(_nodes(base.probes) if base else [], figures),
        draft=_changes(base, wholes[open_.pk]) if base and open_ else None,
    )


def _newest(versions: Sequence[TreeVersion], state: VersionState) -> TreeVersion | None:
    return next((one for one in versions if one.status.state == state), None)


def _changes(base: queries.WholeTree, draft: queries.WholeTree) -> DraftChanges:
    # Hashed anew: rows that were written past the editor keep the hash of what they said before.
    before = {placed.probe.key: probe_hash(placed.probe) for placed in walk(base.outline)}
    after = {placed.probe.key: probe_hash(placed.probe) for placed in walk(draft.outline)}
    return DraftChanges(
        version=draft.version,
        reworded=frozenset(key for key in before if key in after and before[key] != after[key]),
        added=tuple(probe for probe in draft.probes if probe.key not in before),
    )


# --- the bank


@dataclass(frozen=True, slots=True)
class HealthLine:
    version: TreeVersion
    health: TreeHealth


def health_of_bank() -> list[HealthLine]:
    """Return the health of every published tree, in three queries: those with most alarms first, then by topic."""
    versions = list(queries.published_trees())
    by_version: dict[int, list[Probe]] = {version.pk: [] for version in versions}
    for probe in Probe.objects.filter(version__in=versions).order_by("version_id", "level", "position", "pk"):
        by_version[probe.version_id].append(probe)
    figures: dict[int, list[Seen]] = {}
    for row in ProbeFigures.objects.filter(tree__in=[version.tree_id for version in versions]):
        figures.setdefault(row.tree_id, []).append(seen_from(row))
    lines = [
        HealthLine(version, examine(_nodes(by_version[version.pk]), figures.get(version.tree_id, ())))
        for version in versions
    ]
    return sorted(lines, key=lambda line: -line.health.alarms)


def _nodes(probes: Iterable[Probe]) -> list[Node]:
    rows = {probe.pk: probe for probe in probes}
    return [
        Node(
            key=probe.key,
            parent=rows[probe.parent_id].key if probe.parent_id in rows else None,
            level=probe.level,
            depth=_depth(probe, rows),
            wording=probe.content_hash,
            trial=probe.scoring == Scoring.TRIAL,
        )
        for probe in rows.values()
    ]


def _depth(probe: Probe, rows: Mapping[int, Probe]) -> int:
    depth = 0
    above = rows.get(probe.parent_id or 0)
    while above is not None:
        depth, above = depth + 1, rows.get(above.parent_id or 0)
    return depth


# --- figures


def seen_from(row: ProbeFigures) -> Seen:
    """Read one row. What this version doesn't know (an outcome, an aim) is left out."""
    return Seen(
        key=row.probe_key,
        wording=row.content_hash,
        asked=row.asked,
        stopped=row.stopped,
        minutes=row.minutes,
        outcomes={outcome: row.outcomes[outcome] for outcome in BranchOutcome if row.outcomes.get(outcome)},
        helps={one: row.aids[one] for one in Help if row.aids.get(one)},
        last_used=row.last_used_on,
        counted_on=row.counted_on,
        difficulty={
            aim: (float(row.difficulty[aim][0]), float(row.difficulty[aim][1])) for aim in _aims(row.difficulty)
        },
        agreement={aim: float(row.agreement[aim]) for aim in _aims(row.agreement)},
        leak=_leak(row.leak) if row.leak else None,
    )


def _leak(found: Mapping[str, Any]) -> Leak:
    return Leak(float(found["own"]), float(found["follow_ups"]), float(found.get("error", 0.0)))


def _aims(values: Mapping[str, Any]) -> list[Aim]:
    return [aim for aim in Aim if aim in values]
