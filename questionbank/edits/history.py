"""What an edit changed, as plain values that can be kept, read and taken back.

A `Delta` names only what differs: fields of the head, probes added and removed (whole), fields of probes that changed,
and the order among siblings where it changed. Applying the delta of two trees to the first gives the second, and its
inverse gives the first again, exactly. On a tree that others have changed meanwhile it gives what both meant, or
refuses with `changed_since` where both touched the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict

from questionbank.edits.refusal import EditRefused
from questionbank.edits.shape import checked, in_reading_order
from questionbank.enums import Aim, BranchOutcome, ProbeKind, Purpose, SignalKind
from questionbank.outline import OutlineBranch, OutlineProbe, OutlineTopic, OutlineTree


class Delta(TypedDict):
    head: dict[str, list[Any]]
    added: dict[str, dict[str, Any]]
    removed: dict[str, dict[str, Any]]
    changed: dict[str, dict[str, list[Any]]]
    order: dict[str, list[list[str]]]


def between(old: OutlineTree, new: OutlineTree) -> Delta:
    """Return what turns the old tree into the new one. Key and languages are not compared."""
    before = {probe.key: probe for probe in old.probes}
    after = {probe.key: probe for probe in new.probes}
    # An edit hands on what it doesn't touch, so most probes are the very same object.
    pairs = {key: (before[key], after[key]) for key in before if key in after and before[key] is not after[key]}
    fields = {key: _fields(as_json(one), as_json(other)) for key, (one, other) in pairs.items()}
    return {
        "head": _fields(_head(old), _head(new)),
        "added": {key: as_json(probe) for key, probe in after.items() if key not in before},
        "removed": {key: as_json(probe) for key, probe in before.items() if key not in after},
        "changed": {key: found for key, found in fields.items() if found},
        "order": _orders(old, new),
    }


def is_empty(delta: Delta) -> bool:
    return not any(delta.values())


def touched(delta: Delta) -> tuple[str, ...]:
    """Return the keys of the probes that the delta is about, in its order."""
    return tuple(dict.fromkeys([*delta["added"], *delta["removed"], *delta["changed"]]))


def inverse(delta: Delta) -> Delta:
    return {
        "head": {name: pair[::-1] for name, pair in delta["head"].items()},
        "added": delta["removed"],
        "removed": delta["added"],
        "changed": {
            key: {name: pair[::-1] for name, pair in fields.items()} for key, fields in delta["changed"].items()
        },
        "order": {parent: pair[::-1] for parent, pair in delta["order"].items()},
    }


def apply(tree: OutlineTree, delta: Delta) -> OutlineTree:
    """Return the tree with the delta's changes. Raises EditRefused (`changed_since`, or a flaw that would arise)."""
    probes = {probe.key: as_json(probe) for probe in tree.probes}
    for key, gone in delta["removed"].items():
        if probes.pop(key, None) != gone:
            raise EditRefused("changed_since", key=key)
    for key, fields in delta["changed"].items():
        if key not in probes:
            raise EditRefused("changed_since", key=key)
        probes[key] = _changed(probes[key], fields, key)
    for key, probe in delta["added"].items():
        if key in probes:
            raise EditRefused("changed_since", key=key)
        probes[key] = probe
    head = _changed(_head(tree), delta["head"], "")
    ordered = _ordered(tree, probes, delta["order"])
    changed = replace(_with_head(tree, head), probes=tuple(from_json(key, probes[key]) for key in ordered))
    try:
        return checked(tree, changed)
    except EditRefused as refused:
        # Somebody added below what goes, or took away what it hung on: the tree as a whole has changed since.
        if refused.code in {"unknown_parent", "no_root", "second_root", "circle"}:
            raise EditRefused("changed_since", key=next(iter(touched(delta)), "")) from None
        raise


def _changed(stored: Mapping[str, Any], fields: Mapping[str, Sequence[Any]], key: str) -> dict[str, Any]:
    for name, (before, _after) in fields.items():
        if stored.get(name) != before:
            raise EditRefused("changed_since", key=key)
    return {**stored, **{name: after for name, (_before, after) in fields.items()}}


def _fields(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, list[Any]]:
    return {name: [old.get(name), new.get(name)] for name in {**old, **new} if old.get(name) != new.get(name)}


# --- order


def _below(tree: OutlineTree) -> dict[str, list[str]]:
    """Return parent -> keys of its follow-ups, the root under ""."""
    below: dict[str, list[str]] = {}
    for probe in tree.probes:
        below.setdefault(probe.parent or "", []).append(probe.key)
    return below


def _orders(old: OutlineTree, new: OutlineTree) -> dict[str, list[list[str]]]:
    before, after = _below(old), _below(new)
    parents = dict.fromkeys([*before, *after])
    return {
        parent: [before.get(parent, []), after.get(parent, [])]
        for parent in parents
        if before.get(parent, []) != after.get(parent, [])
    }


def _ordered(
    tree: OutlineTree, probes: Mapping[str, Mapping[str, Any]], order: Mapping[str, Sequence[Sequence[str]]]
) -> list[str]:
    """Return all keys so that siblings stand as the delta says; those it doesn't know stay after their neighbour."""
    stood = _below(tree)
    stands: dict[str, set[str]] = {}
    for key, probe in probes.items():
        stands.setdefault(probe["after"] or "", set()).add(key)
    ordered: list[str] = []
    for parent, keys in stands.items():
        wanted = [key for key in order.get(parent, [[], []])[1] if key in keys]
        neighbour: str | None = None
        for key in stood.get(parent, []):
            if key in keys and key not in wanted:
                wanted.insert(wanted.index(neighbour) + 1 if neighbour in wanted else 0, key)
            neighbour = key if key in keys else neighbour
        ordered += wanted + sorted(keys - set(wanted))
    return ordered


# --- values


def as_json(probe: OutlineProbe) -> dict[str, Any]:
    """Return a probe as plain values: empty parts are left out, lists are in the order of their enums."""
    branch = probe.branch
    return {
        "after": branch.parent if branch else None,
        "when": [outcome.value for outcome in BranchOutcome if branch and outcome in branch.outcomes],
        "heard": dict(branch.heard) if branch else {},
        "title": dict(probe.title),
        "prompt": dict(probe.prompt),
        "kind": probe.kind.value,
        "same_level": probe.same_level,
        "aims": [aim.value for aim in Aim if aim in probe.aims],
        "minutes": probe.minutes,
        "scored": probe.scored,
        "signals": {
            kind.value: [dict(text) for text in probe.signals[kind]] for kind in SignalKind if probe.signals.get(kind)
        },
        "anchors": {
            aim.value: {str(rating): dict(text) for rating, text in sorted(probe.anchors[aim].items())}
            for aim in Aim
            if probe.anchors.get(aim)
        },
    }


def from_json(key: str, stored: Mapping[str, Any]) -> OutlineProbe:
    branch = None
    if stored["after"] is not None:
        branch = OutlineBranch(stored["after"], tuple(map(BranchOutcome, stored["when"])), stored["heard"])
    return OutlineProbe(
        key=key,
        title=stored["title"],
        prompt=stored["prompt"],
        kind=ProbeKind(stored["kind"]),
        aims=tuple(map(Aim, stored["aims"])),
        minutes=stored["minutes"],
        branch=branch,
        same_level=stored["same_level"],
        scored=stored["scored"],
        signals={SignalKind(kind): tuple(texts) for kind, texts in stored["signals"].items()},
        anchors={
            Aim(aim): {int(rating): text for rating, text in scale.items()} for aim, scale in stored["anchors"].items()
        },
    )


def normal(tree: OutlineTree) -> OutlineTree:
    """Return the tree as it comes back from what is kept: in reading order, without empty parts."""
    return in_reading_order(replace(tree, probes=tuple(from_json(one.key, as_json(one)) for one in tree.probes)))


def _head(tree: OutlineTree) -> dict[str, Any]:
    return {
        "title": dict(tree.title),
        "minutes": tree.minutes,
        "purpose": tree.purpose.value,
        "misses": tree.misses,
        "second_try": tree.second_try,
        "topic": [tree.topic.key, dict(tree.topic.title)],
    }


def _with_head(tree: OutlineTree, head: Mapping[str, Any]) -> OutlineTree:
    return replace(
        tree,
        title=head["title"],
        minutes=head["minutes"],
        purpose=Purpose(head["purpose"]),
        misses=head["misses"],
        second_try=head["second_try"],
        topic=OutlineTopic(*head["topic"]),
    )
