"""Says in words what `outline_diff` found: sentences for values and places, marked texts for words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from questionbank.enums import Aim, BranchOutcome, ProbeKind, Purpose, SignalKind
from questionbank.outline import OutlineTree, Placed
from questionbank.outline_diff import Aspect, Change, ProbeChange, TextChange, TreeDiff, Value
from questionbank.templatetags.bank_text import words
from questionbank.text_diff import Part, Piece
from questionbank.wording import AIMS, KINDS, OUTCOMES, PURPOSES, SIGNALS, language_name, one_of


@dataclass(frozen=True, slots=True)
class DrawnText:
    """One language of one text: what it is, in which language, and its pieces with what became of each."""

    label: str
    tag: str
    language: str
    how: str
    pieces: tuple[Piece, ...]


@dataclass(slots=True)
class DrawnChange:
    """A probe, or with key "" the tree itself. `how`: added, removed, moved or changed (for the page to mark)."""

    key: str
    title: Mapping[str, str]
    how: str
    said: str
    level: int | None = None
    notes: list[str] = field(default_factory=list)
    texts: list[DrawnText] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class DrawnDiff:
    changes: list[DrawnChange]
    counts: Mapping[str, int]
    same: int


def draw_diff(diff: TreeDiff, old: OutlineTree, new: OutlineTree) -> DrawnDiff:
    titles = {probe.key: probe.title for tree in (old, new) for probe in tree.probes}
    changes = [_probe(one, titles) for one in diff.probes]
    counts = {how: sum(change.how == how for change in changes) for how in ("added", "removed", "moved", "changed")}
    if diff.head:
        head = DrawnChange("", new.title, "changed", _("the tree itself"))
        _fill(head, diff.head, titles)
        changes.insert(0, head)
    return DrawnDiff(changes, counts, diff.same)


def _probe(one: ProbeChange, titles: Mapping[str, Mapping[str, str]]) -> DrawnChange:
    how, placed = _how(one)
    said = {
        "added": pgettext("probe", "added"),
        "removed": pgettext("probe", "removed"),
        "moved": pgettext("probe", "moved"),
        "changed": pgettext("probe", "changed"),
    }[how]
    drawn = DrawnChange(one.key, placed.probe.title, how, said, placed.level)
    if how in {"added", "removed"}:
        _whole(drawn, placed, titles, Part(how))
    else:
        _fill(drawn, one.changes, titles)
    return drawn


def _how(one: ProbeChange) -> tuple[str, Placed]:
    """Return what became of it, and where it stands or last stood."""
    if one.after is None:
        if one.before is None:
            raise ValueError(f"{one.key} is in neither version")
        return "removed", one.before
    if one.before is None:
        return "added", one.after
    places = {Aspect.MOVED, Aspect.LEVEL}
    return ("moved" if all(change.aspect in places for change in one.changes) else "changed"), one.after


def _whole(drawn: DrawnChange, placed: Placed, titles: Mapping[str, Mapping[str, str]], part: Part) -> None:
    """A probe that came or went: where it stands or stood, and what it asks."""
    probe = placed.probe
    if probe.parent:
        drawn.notes.append(_sentence_about(_("After “%(title)s”."), title=_title(probe.parent, titles)))
    drawn.notes.append(_sentence(_("Kind"), _value(Aspect.KIND, probe.kind.value)))
    drawn.notes.append(_sentence(_("Asks for"), _value(Aspect.AIMS, tuple(aim.value for aim in probe.aims))))
    prompt = [TextChange(tag, (Piece(part, words),)) for tag, words in probe.prompt.items()]
    drawn.texts += [_text(_("Prompt"), text) for text in prompt]


def _fill(drawn: DrawnChange, changes: Iterable[Change], titles: Mapping[str, Mapping[str, str]]) -> None:
    for change in changes:
        if change.texts:
            drawn.texts += [_text(_label(change), text) for text in change.texts]
        else:
            drawn.notes.append(_note(change, titles))


# --- sentences


def _note(change: Change, titles: Mapping[str, Mapping[str, str]]) -> str:
    before, after = change.before, change.after
    if change.aspect is Aspect.MOVED:
        if isinstance(before, int):
            return _("Moved among its siblings: was number %(before)d, is now number %(after)d.") % {
                "before": before,
                "after": after,
            }
        sentence = _("Moved: was after “%(before)s”, is now after “%(after)s”.")
        return _sentence_about(sentence, before=_title(before, titles), after=_title(after, titles))
    if change.aspect is Aspect.SIGNAL:
        return _("%(kind)s signals: only their order changed.") % {"kind": SIGNALS[SignalKind(change.of)]}
    if change.aspect in SWITCHES:
        return _switch(change.aspect, on=bool(after))
    words = {
        "what": _label(change),
        "before": _value(change.aspect, before),
        "after": _value(change.aspect, after),
    }
    return _("%(what)s: was %(before)s, is now %(after)s.") % words


SWITCHES = (Aspect.SCORED, Aspect.SAME_LEVEL, Aspect.SECOND_TRY)


def _switch(aspect: Aspect, *, on: bool) -> str:
    if aspect is Aspect.SCORED:
        return _("Now scored, no longer on trial.") if on else _("Now on trial: asked, not scored.")
    if aspect is Aspect.SAME_LEVEL:
        return _("Now stays on its parent's level.") if on else _("No longer stays on its parent's level.")
    return _("Now one more try when an answer is unclear.") if on else _("No second try any more.")


def _sentence_about(sentence: str, **titles: str) -> SafeString:
    """Put titles, marked with their language, into a sentence of the page's."""
    return format_html(sentence % {name: f"{{{name}}}" for name in titles}, **titles)


def _title(key: Value, titles: Mapping[str, Mapping[str, str]]) -> str:
    if not isinstance(key, str):
        return _("nothing: the root")
    title = titles.get(key)
    return words(title) if title else key


def _sentence(what: str, value: str) -> str:
    return _("%(what)s: %(value)s.") % {"what": what, "value": value}


def _value(aspect: Aspect, value: Value) -> str:
    if aspect is Aspect.KIND:
        return str(KINDS[ProbeKind(str(value))])
    if aspect is Aspect.PURPOSE:
        return str(PURPOSES[Purpose(str(value))])
    if isinstance(value, tuple):
        if aspect is Aspect.AIMS:
            return _(", ").join(str(AIMS[aim]) for aim in Aim if aim.value in value)
        return one_of(OUTCOMES[one] for one in BranchOutcome if one.value in value) or _("any answer")
    return str(value)


# --- texts


def _label(change: Change) -> str:
    if change.aspect is Aspect.SIGNAL:
        return _("%(kind)s signal") % {"kind": SIGNALS[SignalKind(change.of)]}
    if change.aspect is Aspect.ANCHOR:
        return _("Anchor %(rating)d for %(aim)s") % {"rating": change.rating, "aim": AIMS[Aim(change.of)]}
    return {
        Aspect.TITLE: _("Title"),
        Aspect.PROMPT: _("Prompt"),
        Aspect.HEARD: _("Asked when heard"),
        Aspect.KIND: _("Kind"),
        Aspect.AIMS: _("Asks for"),
        Aspect.LEVEL: _("Level"),
        Aspect.WHEN: _("Asked after"),
        Aspect.MINUTES: _("Minutes"),
        Aspect.PURPOSE: _("Purpose"),
        Aspect.MISSES: _("Misses in a row that end it"),
    }[change.aspect]


def _text(label: str, text: TextChange) -> DrawnText:
    parts = {piece.part for piece in text.pieces}
    how = _("changed")
    if parts == {Part.ADDED}:
        how = _("added")
    elif parts == {Part.REMOVED}:
        how = _("removed")
    return DrawnText(label, text.language, language_name(text.language), how, text.pieces)
