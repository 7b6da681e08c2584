"""One field of a probe or of the tree's head, by name, as the text that stands in its field on the page.

Names: `kind`, `minutes`, `same_level`, `scored`, `aim.why`, `when.partial`, and with a language `title.en`,
`prompt.en`, `heard.en`, `signals.strong.en` (one a line), `anchors.why.3.en`. Of the head: `title.en`, `minutes`,
`purpose`, `misses`, `second_try`. Yes is "1", no is "".
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, Final, TypeVar

from questionbank.edits.refusal import EditRefused
from questionbank.enums import Aim, BranchOutcome, ProbeKind, Purpose, SignalKind
from questionbank.limits import LANGUAGE, MOST_LANGUAGES, MOST_SIGNALS, PART, PROMPT, TITLE, TURNING, says_something
from questionbank.ordering import english_first
from questionbank.outline import RATINGS, OutlineProbe, OutlineTree, Text

YES: Final = "1"

_LANGUAGE = re.compile(LANGUAGE)
_UNSTORABLE = re.compile(rf"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff{TURNING}]")

E = TypeVar("E", bound=StrEnum)


def clean(value: str) -> str:
    """Return a text as files keep it: composed, one kind of line end, nothing invisible in it, no space around it."""
    text = value.replace("\r\n", "\n").replace("\r", "\n")
    return unicodedata.normalize("NFC", _UNSTORABLE.sub("", text)).strip()


def same(one: str, other: str) -> bool:
    """Whether two texts of a field say the same: what a browser does to line ends and spaces around is no change."""
    return clean(one) == clean(other)


# --- probes


def read_probe(probe: OutlineProbe, name: str) -> str:
    """Return what stands in the field. Raises EditRefused `no_such_field`."""
    match name.split("."):
        case ["kind"]:
            return probe.kind.value
        case ["minutes"]:
            return str(probe.minutes)
        case ["same_level"]:
            return _yes(probe.same_level)
        case ["scored"]:
            return _yes(probe.scored)
        case ["aim", aim]:
            return _yes(_one(Aim, aim) in probe.aims)
        case ["when", outcome] if probe.branch:
            return _yes(_one(BranchOutcome, outcome) in probe.branch.outcomes)
        case ["title", tag]:
            return _said(probe.title, tag)
        case ["prompt", tag]:
            return _said(probe.prompt, tag)
        case ["heard", tag] if probe.branch:
            return _said(probe.branch.heard, tag)
        case ["signals", kind, tag]:
            texts = probe.signals.get(_one(SignalKind, kind), ())
            return "\n".join(_said(text, tag).replace("\n", " ") for text in texts).rstrip("\n")
        case ["anchors", aim, rating, tag]:
            return _said(probe.anchors.get(_one(Aim, aim), {}).get(_rating(rating), {}), tag)
    raise EditRefused("no_such_field", name=name)


def write_probe(probe: OutlineProbe, name: str, value: str) -> OutlineProbe:
    """Return the probe with the field's new value. Raises EditRefused when the value can't stand there."""
    value = clean(value)
    match name.split("."):
        case ["kind"]:
            kind = _one(ProbeKind, value)
            return replace(probe, kind=kind, same_level=probe.same_level and kind is ProbeKind.CHECK)
        case ["minutes"]:
            return replace(probe, minutes=_whole(value, 1, 60))
        case ["same_level"]:
            return replace(probe, same_level=value == YES)
        case ["scored"]:
            return replace(probe, scored=value == YES)
        case ["aim", aim]:
            return _with_aim(probe, _one(Aim, aim), chosen=value == YES)
        case ["when", outcome] if probe.branch:
            chosen = _toggled(BranchOutcome, probe.branch.outcomes, outcome, value)
            return replace(probe, branch=replace(probe.branch, outcomes=chosen))
        case ["title", tag]:
            return replace(probe, title=_told(probe.title, tag, " ".join(value.split()), TITLE, needed=True))
        case ["prompt", tag]:
            return replace(probe, prompt=_told(probe.prompt, tag, value, PROMPT, needed=True))
        case ["heard", tag] if probe.branch:
            heard = _told(probe.branch.heard, tag, value, PART)
            return replace(probe, branch=replace(probe.branch, heard=heard))
        case ["signals", kind, tag]:
            return _with_signals(probe, _one(SignalKind, kind), tag, value)
        case ["anchors", aim, rating, tag]:
            return _with_anchor(probe, _one(Aim, aim), _rating(rating), tag, value)
    raise EditRefused("no_such_field", name=name)


def gone_along(old: OutlineProbe, new: OutlineProbe, name: str) -> dict[str, str]:
    """Return what else stood in the probe and goes when field `name` is written: other fields -> their texts.

    An aim that goes takes its anchors along, a check that becomes something else what it says of its level.
    """
    stays = _dependent(new)
    return {one: said for one, said in _dependent(old).items() if one != name and stays.get(one, "") != said}


def _dependent(probe: OutlineProbe) -> dict[str, str]:
    """Return the fields that stand in a probe only while another one says so."""
    texts = {
        f"anchors.{aim}.{rating}.{tag}": words
        for aim, scale in probe.anchors.items()
        for rating, text in scale.items()
        for tag, words in text.items()
    }
    return {**texts, "same_level": YES} if probe.same_level else texts


def _with_aim(probe: OutlineProbe, aim: Aim, *, chosen: bool) -> OutlineProbe:
    aims = tuple(one for one in Aim if (one in probe.aims and one is not aim) or (one is aim and chosen))
    if not aims:
        raise EditRefused("no_aim")
    # Anchors of an aim that is not asked for would be a flaw; the history keeps them, so undo brings them back.
    anchors = {one: scale for one, scale in probe.anchors.items() if one in aims}
    return replace(probe, aims=aims, anchors=anchors)


def _with_signals(probe: OutlineProbe, kind: SignalKind, tag: str, value: str) -> OutlineProbe:
    lines = [line.strip() for line in value.split("\n")]
    if any(len(line) > PART for line in lines):
        raise EditRefused("too_long", limit=PART)
    merged = merge_lines(probe.signals.get(kind, ()), _tag(tag), lines)
    if len(merged) > MOST_SIGNALS:
        raise EditRefused("too_many_signals", limit=MOST_SIGNALS)
    signals = {**probe.signals, kind: merged}
    return replace(probe, signals={one: signals[one] for one in SignalKind if signals.get(one)})


def merge_lines(old: Sequence[Text], tag: str, lines: Sequence[str]) -> tuple[Text, ...]:
    """Put the lines of one language into texts of several: unchanged lines keep their translations, also when a line
    is put in or taken out before them.

    A line taken out loses its words in this language only; a text without words in any is gone.
    """
    before = [text.get(tag, "").replace("\n", " ") for text in old]
    merged: list[Text] = []
    for operation, i1, i2, j1, j2 in difflib.SequenceMatcher(None, before, lines, autojunk=False).get_opcodes():
        if operation == "equal":
            merged += old[i1:i2]
            continue
        given = list(lines[j1:j2])
        for index in range(max(i2 - i1, len(given))):
            text = old[i1 + index] if i1 + index < i2 else {}
            merged.append(_told(text, tag, given[index] if index < len(given) else "", PART))
    return tuple(text for text in merged if text)


def _with_anchor(probe: OutlineProbe, aim: Aim, rating: int, tag: str, value: str) -> OutlineProbe:
    if aim not in probe.aims:
        raise EditRefused("anchors_without_aim", aim=aim.value)
    scale = dict(probe.anchors.get(aim, {}))
    scale[rating] = _told(scale.get(rating, {}), tag, value, PART)
    ordered = {one: scale[one] for one in RATINGS if scale.get(one)}
    anchors = {**probe.anchors, aim: ordered}
    return replace(probe, anchors={one: anchors[one] for one in Aim if anchors.get(one)})


# --- the tree's head


def read_head(tree: OutlineTree, name: str) -> str:
    match name.split("."):
        case ["title", tag]:
            return _said(tree.title, tag)
        case ["minutes"]:
            return str(tree.minutes)
        case ["purpose"]:
            return tree.purpose.value
        case ["misses"]:
            return str(tree.misses)
        case ["second_try"]:
            return _yes(tree.second_try)
    raise EditRefused("no_such_field", name=name)


def write_head(tree: OutlineTree, name: str, value: str) -> OutlineTree:
    value = clean(value)
    match name.split("."):
        case ["title", tag]:
            return replace(tree, title=_told(tree.title, tag, " ".join(value.split()), TITLE, needed=True))
        case ["minutes"]:
            return replace(tree, minutes=_whole(value, 1, 240))
        case ["purpose"]:
            return replace(tree, purpose=_one(Purpose, value))
        case ["misses"]:
            return replace(tree, misses=_whole(value, 1, 9))
        case ["second_try"]:
            return replace(tree, second_try=value == YES)
    raise EditRefused("no_such_field", name=name)


def languages(tree: OutlineTree) -> tuple[str, ...]:
    """Return every language that anything of the tree itself is written in, English first."""
    tags = set(tree.title)
    for probe in tree.probes:
        tags |= {*probe.title, *probe.prompt}
    return tuple(sorted(tags, key=english_first))


# --- values


def _yes(value: object) -> str:
    return YES if value else ""


def _said(text: Text, tag: str) -> str:
    return text.get(_tag(tag), "")


def _told(text: Text, tag: str, words: str, limit: int, *, needed: bool = False) -> dict[str, Any]:
    if len(words) > limit:
        raise EditRefused("too_long", limit=limit)
    told: Mapping[str, str] = {**text, _tag(tag): words}
    told = {one: said for one, said in told.items() if said}
    if len(told) > MOST_LANGUAGES:
        raise EditRefused("too_many_languages", limit=MOST_LANGUAGES)
    if needed and not told:
        raise EditRefused("no_words")
    if needed and words and not says_something(words):
        raise EditRefused("no_letter")
    return dict(told)


def _tag(tag: str) -> str:
    if not _LANGUAGE.fullmatch(tag):
        raise EditRefused("bad_language", tag=tag[:40])
    return tag


def _one(enum: type[E], value: str) -> E:
    if value not in set(enum):
        raise EditRefused("not_choice", known=", ".join(enum))
    return enum(value)


def _whole(value: str, low: int, high: int) -> int:
    if not re.fullmatch(r"[0-9]{1,4}", value) or not low <= int(value) <= high:
        raise EditRefused("not_integer", low=low, high=high)
    return int(value)


def _rating(value: str) -> int:
    if value not in {str(rating) for rating in RATINGS}:
        raise EditRefused("no_such_field", name=value[:40])
    return int(value)


def _toggled(enum: type[E], chosen: Sequence[E], name: str, value: str) -> tuple[E, ...]:
    one = _one(enum, name)
    return tuple(each for each in enum if (each in chosen and each is not one) or (each is one and value == YES))
