"""What one person has still to do before the end: from their own marks and presence, nobody else's.

One pure function, `checklist()`. The page runs a twin of it, so that it works without a line; both run
`tests/interviews/closing_vectors.json`. Times are numbers of any one unit and origin (the page's are milliseconds).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from interviews.enums import Aid, Aim, Outcome
from interviews.rules.boundaries import Ask, Boundary, Ending, State, TreeRule, boundary

FEWEST_RATINGS = 2
"""Fewer ratings of a dimension than this are not enough evidence on a card."""

Span = tuple[float, float | None]
"""From when until when this person had a line; None: they have it still."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One asking, with one person's mark on it. `own`: that person asked it."""

    id: str
    tree: str
    probe: str
    level: int
    made_at: float
    aims: tuple[Aim, ...] = ()
    scored: bool = True
    retracted: bool = False
    own: bool = False
    outcome: Outcome | None = None
    aid: Aid | None = None
    ratings: Mapping[str, int | None] = field(default_factory=dict)

    @property
    def marked(self) -> bool:
        return self.outcome is not None or self.aid is not None or any(self.rated(aim) for aim in Aim)

    def rated(self, aim: Aim) -> bool:
        return self.ratings.get(aim) is not None


@dataclass(frozen=True, slots=True)
class Tree:
    """A pinned tree, and what this person said of where it ended."""

    key: str
    rule: TreeRule
    ended: Ending | None = None


class Open(StrEnum):
    """Why a tree's boundary is not done."""

    MISSING = "missing"
    REOPENED = "reopened"
    NOT_RATABLE = "not_ratable"


@dataclass(frozen=True, slots=True)
class OpenBoundary:
    """`asked`: the latest asking of the tree that this person heard. `level`: what to ask, where it is known."""

    tree: str
    why: Open
    asked: str
    level: int | None


@dataclass(frozen=True, slots=True)
class Thin:
    """A dimension with too few ratings. `asked`: the latest answer heard that could be rated for it, if any."""

    aim: Aim
    ratings: int
    asked: str | None


@dataclass(frozen=True, slots=True)
class Checklist:
    """Ids and keys in asked and plan order. `absent`: asked while this person had no line, and so not theirs."""

    unmarked: tuple[str, ...]
    boundaries: tuple[OpenBoundary, ...]
    thin: tuple[Thin, ...]
    absent: tuple[str, ...]


def checklist(asks: Sequence[Heard], *, trees: Sequence[Tree], line: Sequence[Span], now: float) -> Checklist:
    """Say what is open for one person. `asks` in asked order; `trees` in plan order."""
    standing = [ask for ask in asks if not ask.retracted]
    present = {ask.id for ask in _present(standing, line, now)}
    heard = [ask for ask in standing if ask.id in present]
    reads = {tree.key: _read(tree, asks) for tree in trees}
    counting = [ask for ask in heard if _can_count(ask, reads.get(ask.tree))]
    return Checklist(
        unmarked=tuple(ask.id for ask in heard if ask.outcome is None),
        boundaries=tuple(found for key, read in reads.items() if (found := _boundary(key, read, heard))),
        thin=tuple(few for aim in Aim if (few := _thin(aim, counting))),
        absent=tuple(ask.id for ask in standing if ask.id not in present),
    )


def _present(standing: Sequence[Heard], line: Sequence[Span], now: float) -> list[Heard]:
    """Those that this person asked, marked, or had a line for at any time while they were being answered."""
    in_order = sorted(standing, key=lambda ask: ask.made_at)
    nexts = [*(ask.made_at for ask in in_order[1:]), now]
    return [
        ask
        for ask, until in zip(in_order, nexts, strict=False)
        if ask.own or ask.marked or any(since <= until and (end is None or end >= ask.made_at) for since, end in line)
    ]


def _read(tree: Tree, asks: Sequence[Heard]) -> Boundary:
    return boundary([_ask(ask) for ask in asks if ask.tree == tree.key], tree=tree.rule, ended=tree.ended)


def _can_count(ask: Heard, read: Boundary | None) -> bool:
    """Whether a rating of this answer enters a dimension's value, as the card reads it."""
    return ask.scored and ask.outcome != Outcome.NOT_JUDGED and not (read and read.excluded)


def _boundary(tree: str, read: Boundary, heard: Sequence[Heard]) -> OpenBoundary | None:
    here = [ask.id for ask in heard if ask.tree == tree]
    why = _why(read)
    if not here or why is None:
        return None
    return OpenBoundary(tree, why, here[-1], read.next.level if read.next else None)


def _why(read: Boundary) -> Open | None:
    if read.excluded and read.state == State.ENDED:
        return None
    if read.state == State.OPEN:
        return Open.MISSING
    if read.state == State.REOPENED:
        return Open.REOPENED
    return None if read.ratable else Open.NOT_RATABLE


def _ask(ask: Heard) -> Ask:
    return Ask(ask.probe, ask.level, ask.outcome, ask.aid, scored=ask.scored, retracted=ask.retracted)


def _thin(aim: Aim, counting: Sequence[Heard]) -> Thin | None:
    """A probe asked twice gives one rating, the later one."""
    rateable = [ask for ask in counting if aim in ask.aims]
    rated = {ask.probe for ask in rateable if ask.rated(aim)}
    if len(rated) >= FEWEST_RATINGS:
        return None
    missing = [ask.id for ask in rateable if ask.probe not in rated]
    return Thin(aim, len(rated), missing[-1] if missing else None)
