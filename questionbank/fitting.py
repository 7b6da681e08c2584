"""Whether the trees of a plan fit into its time and cover its aims. Pure: numbers and aims in, findings out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum

from questionbank.enums import Aim


class Misfit(StrEnum):
    """What a curator is told about a plan. None of it keeps the plan from being saved."""

    TOO_LONG = "too_long"
    ONLY_WITHOUT_OPTIONAL = "only_without_optional"
    TREE_TOO_SHORT = "tree_too_short"
    AIM_NOT_COVERED = "aim_not_covered"
    AIM_ONLY_OPTIONAL = "aim_only_optional"
    NOT_PUBLISHED = "not_published"
    NO_TREES = "no_trees"


@dataclass(frozen=True, slots=True)
class FittedTree:
    """A tree in a plan. `own_minutes`: what its newest published version asks for, None where nothing is published.

    `aims` are those that its scored probes ask for.
    """

    key: str
    minutes: int
    required: bool
    own_minutes: int | None
    aims: frozenset[Aim] = frozenset()


@dataclass(frozen=True, slots=True)
class Finding:
    """`tree` is a key and `aim` an aim where the finding is about one; `minutes` of `limit` where it is about time."""

    code: Misfit
    tree: str = ""
    aim: Aim | None = None
    minutes: int = 0
    limit: int = 0


def misfits(trees: Sequence[FittedTree], *, minutes: int | None, aims: Collection[Aim]) -> list[Finding]:
    """Return what doesn't fit, the time first. `minutes`: how long the interview is to last, None where nobody said."""
    if not trees:
        return [Finding(Misfit.NO_TREES)]
    found: list[Finding] = []
    whole = sum(tree.minutes for tree in trees)
    needed = sum(tree.minutes for tree in trees if tree.required)
    if minutes is not None and needed > minutes:
        found.append(Finding(Misfit.TOO_LONG, minutes=needed, limit=minutes))
    elif minutes is not None and whole > minutes:
        found.append(Finding(Misfit.ONLY_WITHOUT_OPTIONAL, minutes=whole, limit=minutes))
    for tree in trees:
        if tree.own_minutes is None:
            found.append(Finding(Misfit.NOT_PUBLISHED, tree.key))
        elif tree.minutes < tree.own_minutes:
            found.append(Finding(Misfit.TREE_TOO_SHORT, tree.key, minutes=tree.own_minutes, limit=tree.minutes))
    for aim in Aim:
        if aim in aims and not any(aim in tree.aims for tree in trees if tree.required):
            covered = any(aim in tree.aims for tree in trees)
            found.append(Finding(Misfit.AIM_ONLY_OPTIONAL if covered else Misfit.AIM_NOT_COVERED, aim=aim))
    return found
