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

from questionbank import queries
from questionbank.edits.places import positions
from questionbank.edits.shape import in_reading_order
from questionbank.enums import Aim, SignalKind
from questionbank.models import Anchor, Probe, Signal, Topic, TreeVersion
from questionbank.outline import (
    OutlineProbe,
    OutlineTree,
    Placed,
    Text,
    version_hash,
    walk,
)
from questionbank.services import probe_rows


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
    probes = list(Probe.objects.filter(version=version).order_by("position", "pk"))
    signals: dict[int, dict[SignalKind, list[Text]]] = {}
    for probe_id, parts in _parts(Signal, version, kind="kind"):
        for part in parts:
            signals.setdefault(probe_id, {}).setdefault(SignalKind(part["kind"]), []).append(part["text"])
    anchors: dict[int, dict[Aim, dict[int, Text]]] = {}
    for probe_id, parts in _parts(Anchor, version, aim="aim", rating="rating"):
        for part in parts:
            anchors.setdefault(probe_id, {}).setdefault(Aim(part["aim"]), {})[part["rating"]] = part["text"]
    return DraftRows(
        version=version,
        outline=in_reading_order(queries.outline_of(version, probes, signals, anchors)),
        pks={probe.key: probe.pk for probe in probes},
        positions={probe.key: probe.position for probe in probes},
        levels={probe.key: probe.level for probe in probes},
    )


def _parts(model: type[Signal | Anchor], version: TreeVersion, **names: str) -> Iterable[tuple[int, list[Any]]]:
    """Return each probe's parts as one value, in their order: one text to decode a probe instead of twenty."""
    order = ("position", "pk") if model is Signal else ("rating",)
    parts = JSONBAgg(JSONObject(text="text", **names), order_by=order)
    rows = model._default_manager.filter(probe__version=version).order_by().values("probe_id")
    return rows.annotate(parts=parts).values_list("probe_id", "parts")


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
                **probe_rows.columns(one.probe),
            )
            for one, parent in zip(layer, parents, strict=True)
        )
        pks.update((probe.key, probe.pk) for probe in made)
    probes = [one.probe for one in added]
    Signal.objects.bulk_create(probe_rows.signals(probes, pks))
    Anchor.objects.bulk_create(probe_rows.anchors(probes, pks))


def _exchange_root(old_root: str | None, new: OutlineTree, pks: Mapping[str, int]) -> None:
    new_root = new.probes[0].key if new.probes else None
    if old_root is None or new_root is None or old_root == new_root:
        return
    # Whatever the old root then hangs on is written with the other changes; here it only has to stop being the root.
    Probe.objects.filter(pk=pks[old_root]).update(parent=pks[new_root])
    Probe.objects.filter(pk=pks[new_root]).update(parent=None, level=1)


def _update(changed: list[OutlineProbe], before: Mapping[str, OutlineProbe], pks: Mapping[str, int]) -> None:
    columns: dict[str, dict[str, Any]] = {}
    names: dict[str, None] = {}
    for probe in changed:
        old, new = probe_rows.columns(before[probe.key]), probe_rows.columns(probe)
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
                fresh += probe_rows.signals_of(probe, kind, pks)
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
