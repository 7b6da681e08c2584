"""What changed between two versions of a tree, probe by probe, down to the word. Pure values; pages say it in words.

Texts are compared language by language (`text_diff`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from questionbank.ordering import longest_rise
from questionbank.outline import OutlineBranch, OutlineProbe, OutlineTree, Placed, Text, walk
from questionbank.text_diff import UNLIKE, Piece, likeness, pieces


class Aspect(StrEnum):
    """What of a probe or of the tree changed. `MOVED` is a new place among its siblings or below another parent."""

    TITLE = "title"
    PROMPT = "prompt"
    KIND = "kind"
    AIMS = "aims"
    LEVEL = "level"
    MOVED = "moved"
    WHEN = "when"
    HEARD = "heard"
    SAME_LEVEL = "same_level"
    SCORED = "scored"
    MINUTES = "minutes"
    SIGNAL = "signal"
    ANCHOR = "anchor"
    PURPOSE = "purpose"
    MISSES = "misses"
    SECOND_TRY = "second_try"


@dataclass(frozen=True, slots=True)
class TextChange:
    """One language of a text. All pieces added: a language that was not there before; all removed: one that is gone."""

    language: str
    pieces: tuple[Piece, ...]


Value = str | int | bool | tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that changed. Texts have `texts`, everything else `before` and `after`.

    `of` is the kind of a signal or the aim of an anchor, `rating` the anchor's. MOVED: `before` and `after` are the
    parents' keys where those differ, else the places among the siblings, from 1. A signal whose `texts` are empty only
    changed its order.
    """

    aspect: Aspect
    before: Value = None
    after: Value = None
    texts: tuple[TextChange, ...] = ()
    of: str = ""
    rating: int | None = None


@dataclass(frozen=True, slots=True)
class ProbeChange:
    """A probe that isn't in both versions alike. `before` is None for an added one, `after` for a removed one."""

    key: str
    before: Placed | None
    after: Placed | None
    changes: tuple[Change, ...] = ()


@dataclass(frozen=True, slots=True)
class TreeDiff:
    """`head` is about the tree itself; `probes` in the new version's order, removed ones last; `same` counts."""

    head: tuple[Change, ...]
    probes: tuple[ProbeChange, ...]
    same: int

    def __bool__(self) -> bool:
        return bool(self.head or self.probes)


def compare(old: OutlineTree, new: OutlineTree) -> TreeDiff:
    """Return everything that turns one version into the other; the topic and the order in the file don't count."""
    before = {placed.probe.key: placed for placed in walk(old)}
    after = {placed.probe.key: placed for placed in walk(new)}
    moved = _moved(before, after)
    probes = []
    for key, placed in after.items():
        if key not in before:
            probes.append(ProbeChange(key, None, placed))
        elif changes := tuple(_probe_changes(before[key], placed, moved.get(key))):
            probes.append(ProbeChange(key, before[key], placed, changes))
    same = len(after) - len(probes)
    probes += [ProbeChange(key, placed, None) for key, placed in before.items() if key not in after]
    return TreeDiff(tuple(_head_changes(old, new)), tuple(probes), same)


def _head_changes(old: OutlineTree, new: OutlineTree) -> Iterator[Change]:
    yield from _text(Aspect.TITLE, old.title, new.title)
    yield from _value(Aspect.PURPOSE, old.purpose.value, new.purpose.value)
    yield from _value(Aspect.MINUTES, old.minutes, new.minutes)
    yield from _value(Aspect.MISSES, old.misses, new.misses)
    yield from _value(Aspect.SECOND_TRY, old.second_try, new.second_try)


def _probe_changes(old: Placed, new: Placed, moved: Change | None) -> Iterator[Change]:
    before, after = old.probe, new.probe
    if moved:
        yield moved
    yield from _value(Aspect.LEVEL, old.level, new.level)
    yield from _value(Aspect.KIND, before.kind.value, after.kind.value)
    yield from _value(Aspect.AIMS, _names(before.aims), _names(after.aims))
    yield from _text(Aspect.TITLE, before.title, after.title)
    yield from _text(Aspect.PROMPT, before.prompt, after.prompt)
    yield from _branch_changes(before.branch, after.branch)
    yield from _value(Aspect.SAME_LEVEL, before.same_level, after.same_level)
    yield from _value(Aspect.SCORED, before.scored, after.scored)
    yield from _value(Aspect.MINUTES, before.minutes, after.minutes)
    yield from _signal_changes(before, after)
    yield from _anchor_changes(before, after)


def _branch_changes(old: OutlineBranch | None, new: OutlineBranch | None) -> Iterator[Change]:
    yield from _value(Aspect.WHEN, _names(old.outcomes if old else ()), _names(new.outcomes if new else ()))
    yield from _text(Aspect.HEARD, old.heard if old else {}, new.heard if new else {})


def _names(values: Sequence[StrEnum]) -> tuple[str, ...]:
    return tuple(sorted(value.value for value in values))


def _value(aspect: Aspect, before: Value, after: Value) -> Iterator[Change]:
    if before != after:
        yield Change(aspect, before, after)


# --- places


def _moved(before: Mapping[str, Placed], after: Mapping[str, Placed]) -> dict[str, Change]:
    """Return a change for every probe with another parent, and for the fewest that explain a new order of siblings."""
    found = {
        key: Change(Aspect.MOVED, before[key].probe.parent, placed.probe.parent)
        for key, placed in after.items()
        if key in before and before[key].probe.parent != placed.probe.parent
    }
    for key, placed in after.items():
        if key not in before:
            continue
        stayed = set(before[key].follow_ups) & set(placed.follow_ups)
        places = {one: place for place, one in enumerate((k for k in before[key].follow_ups if k in stayed), 1)}
        ordered = [one for one in placed.follow_ups if one in stayed]
        kept = longest_rise(ordered, places)
        for place, one in enumerate(ordered, 1):
            if one not in kept:
                found[one] = Change(Aspect.MOVED, places[one], place)
    return found


# --- signals and anchors


def _signal_changes(old: OutlineProbe, new: OutlineProbe) -> Iterator[Change]:
    for kind in dict.fromkeys((*old.signals, *new.signals)):
        before, after = old.signals.get(kind, ()), new.signals.get(kind, ())
        if before == after:
            continue
        left, come = list(before), list(after)
        for one in before:
            if one in come:
                left.remove(one)
                come.remove(one)
        if not left and not come:
            yield Change(Aspect.SIGNAL, of=kind.value)
        only = len(left) == len(come) == 1
        for gone in left:
            heir = max(come, key=lambda one: likeness(gone, one), default=None)
            if heir is not None and (only or likeness(gone, heir) >= UNLIKE):
                come.remove(heir)
            else:
                heir = None
            yield from _text(Aspect.SIGNAL, gone, heir or {}, of=kind.value)
        for one in come:
            yield from _text(Aspect.SIGNAL, {}, one, of=kind.value)


def _anchor_changes(old: OutlineProbe, new: OutlineProbe) -> Iterator[Change]:
    for aim in dict.fromkeys((*old.anchors, *new.anchors)):
        before, after = old.anchors.get(aim, {}), new.anchors.get(aim, {})
        for rating in sorted({*before, *after}):
            yield from _text(Aspect.ANCHOR, before.get(rating, {}), after.get(rating, {}), of=aim.value, rating=rating)


# --- texts


def _text(aspect: Aspect, old: Text, new: Text, *, of: str = "", rating: int | None = None) -> Iterator[Change]:
    changed = [
        TextChange(tag, pieces(old.get(tag, ""), new.get(tag, "")))
        for tag in dict.fromkeys((*old, *new))
        if old.get(tag, "") != new.get(tag, "")
    ]
    if changed:
        yield Change(aspect, texts=tuple(changed), of=of, rating=rating)
