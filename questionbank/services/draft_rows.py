"""A draft between its rows and its outline: read in three queries, written back by what differs.

Where one edit of a tree of 200 probes changes one text, one row is written; where it moves a probe, those whose place
or level changed, in one statement.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.postgres.aggregates import JSONBAgg
from django.db import connection
from django.db.models import Q
from django.db.models.functions import JSONObject

from questionbank.edits.places import positions
from questionbank.edits.shape import in_reading_order
from questionbank.enums import Aim, BranchOutcome, ProbeKind, Purpose, Scoring, SignalKind
from questionbank.models import Anchor, Probe, Signal, Topic, TreeVersion
from questionbank.outline import (
    OutlineBranch,
    OutlineProbe,
    OutlineTopic,
    OutlineTree,
    Placed,
    Text,
    probe_hash,
    version_hash,
    walk,
)

_COLUMNS = (
    "pk", "key", "parent_id", "position", "level", "kind", "same_level", "aims", "title", "prompt", "on_outcomes",
    "heard", "minutes", "scoring", "content_hash",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class DraftRows:
    """A version as it is stored: its outline in reading order, and what only rows have, by key."""

    version: TreeVersion
    outline: OutlineTree
    pks: Mapping[str, int]
    positions: Mapping[str, int]
    levels: Mapping[str, int]


def read(version: TreeVersion) -> DraftRows:
    """Read a version without making a model of each of its thousands of parts. Wants tree and topic selected.

    The outline's `languages` stay empty: they follow from all the texts, and no edit asks for them.
    """
    probes = list(Probe.objects.filter(version=version).order_by("position", "pk").values_list(*_COLUMNS))
    signals: dict[int, dict[SignalKind, list[Text]]] = {}
    for probe_id, parts in _parts(Signal, version, kind="kind"):
        for part in parts:
            signals.setdefault(probe_id, {}).setdefault(SignalKind(part["kind"]), []).append(part["text"])
    anchors: dict[int, dict[Aim, dict[int, Text]]] = {}
    for probe_id, parts in _parts(Anchor, version, aim="aim", rating="rating"):
        for part in parts:
            anchors.setdefault(probe_id, {}).setdefault(Aim(part["aim"]), {})[part["rating"]] = part["text"]
    keys = {row[0]: row[1] for row in probes}
    outline = OutlineTree(
        key=version.tree.key,
        title=version.title,
        topic=OutlineTopic(version.tree.topic.key, version.tree.topic.title),
        languages=(),
        probes=tuple(_probe(row, keys, signals.get(row[0], {}), anchors.get(row[0], {})) for row in probes),
        minutes=version.minutes,
        purpose=Purpose(version.purpose),
        misses=version.misses_to_end,
        second_try=version.retry_when_unclear,
    )
    by_key = {row[1]: row for row in probes}
    return DraftRows(
        version=version,
        outline=in_reading_order(outline),
        pks={key: row[0] for key, row in by_key.items()},
        positions={key: row[3] for key, row in by_key.items()},
        levels={key: row[4] for key, row in by_key.items()},
    )


def _parts(model: type[Signal | Anchor], version: TreeVersion, **names: str) -> Iterable[tuple[int, list[Any]]]:
    """Return each probe's parts as one value, in their order: one text to decode a probe instead of twenty."""
    order = ("position", "pk") if model is Signal else ("rating",)
    parts = JSONBAgg(JSONObject(text="text", **names), order_by=order)
    rows = model._default_manager.filter(probe__version=version).order_by().values("probe_id")
    return rows.annotate(parts=parts).values_list("probe_id", "parts")


def _probe(
    row: tuple[Any, ...],
    keys: Mapping[int, str],
    signals: Mapping[SignalKind, list[Text]],
    anchors: Mapping[Aim, Mapping[int, Text]],
) -> OutlineProbe:
    stored = dict(zip(_COLUMNS, row, strict=True))
    branch = None
    if (parent := stored["parent_id"]) is not None:
        outcomes = tuple(outcome for outcome in BranchOutcome if outcome.value in stored["on_outcomes"])
        branch = OutlineBranch(keys[parent], outcomes, stored["heard"])
    return OutlineProbe(
        key=stored["key"],
        title=stored["title"],
        prompt=stored["prompt"],
        kind=ProbeKind(stored["kind"]),
        aims=tuple(aim for aim in Aim if aim.value in stored["aims"]),
        minutes=stored["minutes"],
        branch=branch,
        same_level=stored["same_level"],
        scored=stored["scoring"] == Scoring.SCORED,
        signals={kind: tuple(signals[kind]) for kind in SignalKind if kind in signals},
        anchors={aim: anchors[aim] for aim in Aim if aim in anchors},
    )


# --- writing


def write(rows: DraftRows, new: OutlineTree) -> None:
    """Bring the stored version to `new`, which is in reading order. Call it under the draft's lock."""
    before = {probe.key: probe for probe in rows.outline.probes}
    placed = {one.probe.key: one for one in walk(new)}
    spots = positions(list(placed), rows.positions)
    pks = dict(rows.pks)
    old_root = rows.outline.probes[0].key if rows.outline.probes else None

    added = [one for key, one in placed.items() if key not in before]
    _insert(rows.version, added, spots, pks, old_root)
    _exchange_root(old_root, new, pks)
    changed = [one.probe for key, one in placed.items() if key in before and one.probe != before[key]]
    _update(changed, before, pks)
    _put(placed, spots, rows, pks)
    _write_signals(changed, before, pks)
    _write_anchors(changed, before, pks)
    if gone := [pks[key] for key in before if key not in placed]:
        Probe.objects.filter(pk__in=gone).delete()
    _write_head(rows, new)


def _insert(
    version: TreeVersion,
    added: list[Placed],
    spots: Mapping[str, int],
    pks: dict[str, int],
    old_root: str | None,
) -> None:
    """Insert new probes, parents before their follow-ups: one INSERT a depth."""
    for depth in sorted({one.depth for one in added}):
        layer = [one for one in added if one.depth == depth]
        # Two roots at once are refused by the database: a new one begins below the old, until they change places.
        parents = [one.probe.parent or old_root for one in layer]
        made = Probe.objects.bulk_create(
            Probe(
                version=version,
                key=one.probe.key,
                parent_id=pks[parent] if parent else None,
                position=spots[one.probe.key],
                level=one.level,
                **_columns(one.probe),
            )
            for one, parent in zip(layer, parents, strict=True)
        )
        pks.update((probe.key, probe.pk) for probe in made)
    probes = [one.probe for one in added]
    Signal.objects.bulk_create(_signals(probes, pks))
    Anchor.objects.bulk_create(_anchors(probes, pks))


def _exchange_root(old_root: str | None, new: OutlineTree, pks: Mapping[str, int]) -> None:
    new_root = new.probes[0].key if new.probes else None
    if old_root is None or new_root is None or old_root == new_root:
        return
    # Whatever the old root then hangs on is written with the other changes; here it only has to stop being the root.
    Probe.objects.filter(pk=pks[old_root]).update(parent=pks[new_root])
    Probe.objects.filter(pk=pks[new_root]).update(parent=None, level=1)


def _columns(probe: OutlineProbe) -> dict[str, Any]:
    return {
        "kind": probe.kind.value,
        "same_level": probe.same_level,
        "aims": [aim.value for aim in probe.aims],
        "title": dict(probe.title),
        "prompt": dict(probe.prompt),
        "on_outcomes": [outcome.value for outcome in probe.branch.outcomes] if probe.branch else [],
        "heard": dict(probe.branch.heard) if probe.branch else {},
        "minutes": probe.minutes,
        "scoring": (Scoring.SCORED if probe.scored else Scoring.TRIAL).value,
        "content_hash": probe_hash(probe),
    }


def _update(changed: list[OutlineProbe], before: Mapping[str, OutlineProbe], pks: Mapping[str, int]) -> None:
    columns: dict[str, dict[str, Any]] = {}
    names: dict[str, None] = {}
    for probe in changed:
        old, new = _columns(before[probe.key]), _columns(probe)
        parents = (before[probe.key].parent, probe.parent)
        differing = [name for name in new if new[name] != old[name]] + (["parent_id"] if len(set(parents)) > 1 else [])
        if differing:
            columns[probe.key] = {**new, "parent_id": pks[probe.parent] if probe.parent else None}
            names.update(dict.fromkeys(differing))
    if len(columns) == 1:
        ((key, values),) = columns.items()
        Probe.objects.filter(pk=pks[key]).update(**{name: values[name] for name in names})
    elif columns:
        found = [Probe(pk=pks[key], **values) for key, values in columns.items()]
        Probe.objects.bulk_update(found, [name.removesuffix("_id") for name in names])


def _put(placed: Mapping[str, Placed], spots: Mapping[str, int], rows: DraftRows, pks: Mapping[str, int]) -> None:
    """Write place and level of the probes where they changed, in one statement."""
    moved = [
        (pks[key], spots.get(key, rows.positions[key]), one.level)
        for key, one in placed.items()
        if key in rows.pks and (key in spots or rows.levels[key] != one.level)
    ]
    if not moved:
        return
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE questionbank_probe p SET position = n.position, level = n.level "
            "FROM unnest(%s::bigint[], %s::int[], %s::smallint[]) AS n(id, position, level) WHERE p.id = n.id",
            [list(column) for column in zip(*moved, strict=True)],
        )


def _write_signals(changed: list[OutlineProbe], before: Mapping[str, OutlineProbe], pks: Mapping[str, int]) -> None:
    stale = Q()
    fresh: list[Signal] = []
    for probe in changed:
        for kind in SignalKind:
            old, new = before[probe.key].signals.get(kind, ()), probe.signals.get(kind, ())
            if old != new:
                stale |= Q(probe=pks[probe.key], kind=kind.value)
                fresh += _signals_of(probe, kind, pks)
    if stale:
        Signal.objects.filter(stale).delete()
        Signal.objects.bulk_create(fresh)


def _write_anchors(changed: list[OutlineProbe], before: Mapping[str, OutlineProbe], pks: Mapping[str, int]) -> None:
    stale = Q()
    fresh: list[Anchor] = []
    for probe in changed:
        for aim in Aim:
            old, new = before[probe.key].anchors.get(aim, {}), probe.anchors.get(aim, {})
            gone = [rating for rating in old if rating not in new]
            if gone:
                stale |= Q(probe=pks[probe.key], aim=aim.value, rating__in=gone)
            fresh += [
                Anchor(probe_id=pks[probe.key], aim=aim.value, rating=rating, text=dict(text))
                for rating, text in new.items()
                if old.get(rating) != text
            ]
    if stale:
        Anchor.objects.filter(stale).delete()
    if fresh:
        Anchor.objects.bulk_create(
            fresh, update_conflicts=True, unique_fields=["probe", "aim", "rating"], update_fields=["text"]
        )


def _signals(probes: Iterable[OutlineProbe], pks: Mapping[str, int]) -> list[Signal]:
    return [signal for probe in probes for kind in SignalKind for signal in _signals_of(probe, kind, pks)]


def _signals_of(probe: OutlineProbe, kind: SignalKind, pks: Mapping[str, int]) -> list[Signal]:
    return [
        Signal(probe_id=pks[probe.key], kind=kind.value, position=position, text=dict(text))
        for position, text in enumerate(probe.signals.get(kind, ()))
    ]


def _anchors(probes: Iterable[OutlineProbe], pks: Mapping[str, int]) -> list[Anchor]:
    return [
        Anchor(probe_id=pks[probe.key], aim=aim.value, rating=rating, text=dict(text))
        for probe in probes
        for aim, scale in probe.anchors.items()
        for rating, text in scale.items()
    ]


def _write_head(rows: DraftRows, new: OutlineTree) -> None:
    version = rows.version
    values: dict[str, Any] = {
        "title": dict(new.title),
        "minutes": new.minutes,
        "purpose": new.purpose.value,
        "misses_to_end": new.misses,
        "retry_when_unclear": new.second_try,
        "content_hash": version_hash(new),
    }
    changed = {name: value for name, value in values.items() if getattr(version, name) != value}
    for name, value in changed.items():
        setattr(version, name, value)
    if changed:
        version.save(update_fields=list(changed))
    if new.topic.key != rows.outline.topic.key:
        # The topic is the tree's, over all its versions.
        version.tree.topic = Topic.objects.get(key=new.topic.key)
        version.tree.save(update_fields=["topic"])
