"""What the tree editor's templates are given: rows of the tree, and the fields of one probe."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from questionbank.edits import fields
from questionbank.enums import Aim, BranchOutcome, ProbeKind, SignalKind
from questionbank.outline import RATINGS, OutlineProbe, OutlineTree, Placed, Text, probe_hash, walk
from questionbank.services.editing import fingerprint
from questionbank.wording import AIMS, KINDS, OUTCOMES, SIGNALS, language_name

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

Option = tuple[str, "_StrPromise", bool]
"""Value, label, whether it is chosen."""


@dataclass(frozen=True, slots=True)
class Row:
    """One probe in the tree: where it stands, what it asks, and a fingerprint of all that it says."""

    key: str
    parent: str
    level: int
    depth: int
    prompt: Text
    kind: _StrPromise
    aims: list[_StrPromise]
    asks: str
    trial: bool
    keeps: bool
    print: str


def row(placed: Placed) -> Row:
    probe = placed.probe
    return Row(
        key=probe.key,
        parent=probe.parent or "",
        level=placed.level,
        depth=placed.depth,
        prompt=probe.prompt or probe.title,
        kind=KINDS[probe.kind],
        aims=[AIMS[aim] for aim in probe.aims],
        asks=" ".join(probe.aims),
        trial=not probe.scored,
        keeps=probe.keeps_level,
        print=fingerprint(probe),
    )


def rows(outline: OutlineTree) -> list[Row]:
    return [row(placed) for placed in walk(outline)]


def changed_rows(old: OutlineTree, new: OutlineTree) -> list[Row]:
    """Return the rows that look different after an edit, new ones included."""
    before = {placed.probe.key: (placed.probe, placed.level, placed.depth) for placed in walk(old)}
    return [
        row(placed)
        for placed in walk(new)
        if before.get(placed.probe.key) != (placed.probe, placed.level, placed.depth)
    ]


def order(outline: OutlineTree) -> str:
    return " ".join(placed.probe.key for placed in walk(outline))


# --- one probe


@dataclass(frozen=True, slots=True)
class Said:
    """One field in one language. `lines`: how many to show at least. `form`: begins its id, the head's has another."""

    name: str
    tag: str
    language: str
    value: str
    lines: int = 1
    form: str = "f"

    @property
    def id(self) -> str:
        return f"{self.form}-{self.name.replace('.', '-')}"


def panel(outline: OutlineTree, key: str) -> dict[str, Any] | None:
    """Return what the form of a probe is drawn from, None for a probe that isn't there."""
    placed = next((one for one in walk(outline) if one.probe.key == key), None)
    if placed is None:
        return None
    probe = placed.probe
    tags = fields.languages(outline)
    parent = next((one for one in outline.probes if one.key == probe.parent), None)
    return {
        "key": probe.key,
        "content_hash": probe_hash(probe),
        "level": placed.level,
        "parent": parent,
        "prompts": _said(probe, "prompt", tags, lines=3),
        "titles": _said(probe, "title", tags),
        "heard": _said(probe, "heard", tags) if parent else [],
        "kinds": [(kind.value, KINDS[kind], kind is probe.kind) for kind in ProbeKind if _may_be(kind, probe)],
        "aims": [(aim.value, AIMS[aim], aim in probe.aims) for aim in Aim],
        "when": [(one.value, OUTCOMES[one], one in _outcomes(probe)) for one in BranchOutcome] if parent else [],
        "scored": probe.scored,
        "may_keep_level": parent is not None and probe.kind is ProbeKind.CHECK,
        "same_level": probe.same_level,
        "minutes": probe.minutes,
        "signals": [(kind, SIGNALS[kind], _said(probe, f"signals.{kind}", tags, lines=3)) for kind in SignalKind],
        "anchors": [(aim, AIMS[aim], _scale(probe, aim, tags)) for aim in probe.aims],
        "languages": [(tag, language_name(tag)) for tag in tags],
    }


def _said(probe: OutlineProbe, name: str, tags: Sequence[str], *, lines: int = 1) -> list[Said]:
    return [
        Said(f"{name}.{tag}", tag, language_name(tag), fields.read_probe(probe, f"{name}.{tag}"), lines) for tag in tags
    ]


def _scale(probe: OutlineProbe, aim: Aim, tags: Sequence[str]) -> list[tuple[int, list[Said]]]:
    return [(rating, _said(probe, f"anchors.{aim}.{rating}", tags)) for rating in RATINGS]


def _may_be(kind: ProbeKind, probe: OutlineProbe) -> bool:
    return probe.branch is not None or kind is not ProbeKind.RESCUE


def _outcomes(probe: OutlineProbe) -> tuple[BranchOutcome, ...]:
    return probe.branch.outcomes if probe.branch else ()
