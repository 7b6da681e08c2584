"""Adding, moving, copying and taking away probes. Every result is in reading order and as sound as what it came from.

A place is named by its parent and the sibling before it, as both curators and rows on a page see it: no numbers, which
would mean something else as soon as somebody else adds a probe.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from questionbank.edits.refusal import EditRefused
from questionbank.limits import MOST_PROBES
from questionbank.lint import flaws
from questionbank.outline import OutlineBranch, OutlineProbe, OutlineTree, walk


@dataclass(frozen=True, slots=True)
class Place:
    """Below `parent` (None: the root's place), right after the sibling `after` (None: first)."""

    parent: str | None
    after: str | None = None


def in_reading_order(tree: OutlineTree) -> OutlineTree:
    return replace(tree, probes=tuple(placed.probe for placed in walk(tree)))


def siblings(tree: OutlineTree, parent: str | None) -> tuple[str, ...]:
    return tuple(probe.key for probe in tree.probes if probe.parent == parent)


def place_of(tree: OutlineTree, key: str) -> Place:
    """Return where a probe stands. Raises EditRefused `no_such_probe`."""
    parent = probe_of(tree, key).parent
    beside = siblings(tree, parent)
    index = beside.index(key)
    return Place(parent, beside[index - 1] if index else None)


def probe_of(tree: OutlineTree, key: str) -> OutlineProbe:
    found = next((probe for probe in tree.probes if probe.key == key), None)
    if found is None:
        raise EditRefused("no_such_probe", key=key)
    return found


def with_all_below(tree: OutlineTree, key: str) -> tuple[str, ...]:
    """Return the keys of a probe and of everything below it, in reading order."""
    probe_of(tree, key)
    found = {key}
    for placed in walk(tree):
        if placed.probe.parent in found:
            found.add(placed.probe.key)
    return tuple(placed.probe.key for placed in walk(tree) if placed.probe.key in found)


def add(tree: OutlineTree, probe: OutlineProbe, place: Place) -> OutlineTree:
    """Put a new probe at a place. In a tree without probes it becomes the root."""
    _room_for(tree, 1)
    _new_key(tree, probe.key)
    if place.parent is None and tree.probes:
        raise EditRefused("second_root")
    return _checked(tree, _put(tree, [_hung(probe, place.parent)], place))


def insert_above(tree: OutlineTree, probe: OutlineProbe, key: str) -> OutlineTree:
    """Put a new probe between one and its parent. It takes over the condition that led to the one now below it."""
    _room_for(tree, 1)
    _new_key(tree, probe.key)
    below = probe_of(tree, key)
    place = place_of(tree, key)
    between = replace(probe, branch=below.branch)
    lowered = replace(below, branch=OutlineBranch(probe.key))
    without = replace(tree, probes=tuple(one for one in tree.probes if one.key != key))
    return _checked(tree, _put(without, [between, lowered], place))


def move(tree: OutlineTree, key: str, place: Place) -> OutlineTree:
    """Move a probe, with all below it, to a place. Its condition goes with it."""
    moved = probe_of(tree, key)
    if moved.branch is None or place.parent is None:
        raise EditRefused("root_stays")
    below = set(with_all_below(tree, key))
    if place.parent in below or place.after == key:
        raise EditRefused("into_itself")
    without = replace(tree, probes=tuple(one for one in tree.probes if one.key != key))
    return _checked(tree, _put(without, [_hung(moved, place.parent)], place))


def remove(tree: OutlineTree, key: str) -> OutlineTree:
    """Take a probe away with all below it."""
    if probe_of(tree, key).branch is None:
        raise EditRefused("root_stays")
    gone = set(with_all_below(tree, key))
    return _checked(tree, replace(tree, probes=tuple(one for one in tree.probes if one.key not in gone)))


def duplicate(tree: OutlineTree, key: str, names: Mapping[str, str]) -> OutlineTree:
    """Copy a probe, with all below it, right after itself. `names`: the new key of each of them."""
    if probe_of(tree, key).branch is None:
        raise EditRefused("second_root")
    copied = with_all_below(tree, key)
    _room_for(tree, len(copied))
    for name in names.values():
        _new_key(tree, name)
    by_key = {probe.key: probe for probe in tree.probes}
    copies = []
    for old in copied:
        branch = by_key[old].branch
        if branch is not None and old != key:
            branch = replace(branch, parent=names[branch.parent])
        copies.append(replace(by_key[old], key=names[old], branch=branch))
    parent = by_key[key].parent
    return _checked(tree, _put(tree, copies, Place(parent, key)))


def change(tree: OutlineTree, probe: OutlineProbe) -> OutlineTree:
    """Replace the probe of the same key, which stays where it is."""
    probe_of(tree, probe.key)
    return _checked(tree, replace(tree, probes=tuple(probe if one.key == probe.key else one for one in tree.probes)))


# --- what they share


def _hung(probe: OutlineProbe, parent: str | None) -> OutlineProbe:
    if parent is None:
        return replace(probe, branch=None)
    branch = probe.branch or OutlineBranch(parent)
    return replace(probe, branch=replace(branch, parent=parent))


def _put(tree: OutlineTree, probes: Iterable[OutlineProbe], place: Place) -> OutlineTree:
    """Put probes in, the first of them at the place; the others say themselves what they hang on."""
    if place.parent is not None:
        probe_of(tree, place.parent)
    if place.after is None:
        return in_reading_order(replace(tree, probes=(*probes, *tree.probes)))
    if place.after not in siblings(tree, place.parent):
        raise EditRefused("no_such_place", key=place.after)
    index = next(n for n, one in enumerate(tree.probes, 1) if one.key == place.after)
    return in_reading_order(replace(tree, probes=(*tree.probes[:index], *probes, *tree.probes[index:])))


def _room_for(tree: OutlineTree, number: int) -> None:
    if len(tree.probes) + number > MOST_PROBES:
        raise EditRefused("too_many_probes", limit=MOST_PROBES)


def _new_key(tree: OutlineTree, key: str) -> None:
    if any(probe.key == key for probe in tree.probes):
        raise EditRefused("key_twice", key=key)


def _checked(old: OutlineTree, new: OutlineTree) -> OutlineTree:
    """Return the new tree unless it has a flaw that the old one had not."""
    known = _flaws_of(old)
    for flaw, values in _flaws_of(new).items():
        if flaw not in known:
            raise EditRefused(flaw[0], **values)
    return new


def _flaws_of(tree: OutlineTree) -> dict[tuple[str, str], dict[str, str | int]]:
    if not tree.probes:  # a draft may begin with nothing
        return {}
    return {(flaw.code, flaw.probe): dict(flaw.values) for flaw in flaws(tree)}


def checked(old: OutlineTree, new: OutlineTree) -> OutlineTree:
    """Return the new tree in reading order, or raise EditRefused: a probe that can't be reached is a flaw too."""
    return in_reading_order(_checked(old, new))
