"""How long each tree took, from the times its probes were asked."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Generic, TypeVar

TreeKey = TypeVar("TreeKey", bound=Hashable)


@dataclass(frozen=True, slots=True)
class AskedAt(Generic[TreeKey]):
    """One asking, not retracted. `tree`: the tree of the probe, for an ad-hoc probe its parent's. `made_at`: aware."""

    tree: TreeKey
    made_at: datetime


@dataclass(frozen=True, slots=True)
class Pause:
    """`until` is None while the pause lasts."""

    since: datetime
    until: datetime | None


def tree_times(
    asks: Sequence[AskedAt[TreeKey]], *, pauses: Iterable[Pause] = (), end: datetime
) -> dict[TreeKey, timedelta]:
    """Sum over each tree's askings the time to the next asking, of whatever tree.

    Pauses are taken out and everything is cut at `end` (the end of the interview, or now). An asking that arrived late
    stands where it was made. Every tree asked has an entry, if only of nothing.
    """
    in_order = sorted(asks, key=lambda ask: ask.made_at)
    nexts = [*(ask.made_at for ask in in_order[1:]), end]
    stopped = _merge([(pause.since, pause.until or end) for pause in pauses])
    times: dict[TreeKey, timedelta] = {}
    for ask, following in zip(in_order, nexts, strict=False):
        spent = _without(stopped, ask.made_at, min(following, end))
        times[ask.tree] = times.get(ask.tree, timedelta()) + spent
    return times


def _merge(spans: Iterable[tuple[datetime, datetime]]) -> list[tuple[datetime, datetime]]:
    """Join overlapping spans, so that no minute is taken out twice."""
    merged: list[tuple[datetime, datetime]] = []
    for since, until in sorted(spans):
        if merged and since <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(until, merged[-1][1]))
        else:
            merged.append((since, until))
    return merged


def _without(stopped: Iterable[tuple[datetime, datetime]], since: datetime, until: datetime) -> timedelta:
    spent = max(until - since, timedelta())
    for stop, resume in stopped:
        spent -= max(min(resume, until) - max(stop, since), timedelta())
    return max(spent, timedelta())


@dataclass(frozen=True, slots=True)
class Budget(Generic[TreeKey]):
    """What the plan gives a tree. `probes`: how many questions its version offers, rescues left out."""

    tree: TreeKey
    minutes: float
    probes: int = 0


@dataclass(frozen=True, slots=True)
class FairTree(Generic[TreeKey]):
    """One tree against the plan: time used, time given (extra time included), questions offered of those planned."""

    tree: TreeKey
    used: timedelta
    budget: timedelta
    offered: int
    planned: int

    @property
    def over(self) -> timedelta:
        return max(self.used - self.budget, timedelta())

    @property
    def ahead(self) -> timedelta:
        return max(self.budget - self.used, timedelta())


def fair_time(
    asks: Sequence[AskedAt[TreeKey]],
    probes: Iterable[tuple[TreeKey, str]],
    *,
    plan: Iterable[Budget[TreeKey]],
    pauses: Iterable[Pause] = (),
    end: datetime,
    extra_percent: int = 0,
) -> list[FairTree[TreeKey]]:
    """Compare each planned tree's minutes and questions with the plan. `probes`: (tree, probe) of each asking.

    Breaks are pauses, and out. Extra time makes every budget longer. A question asked twice was offered once.
    """
    used = tree_times(asks, pauses=pauses, end=end)
    offered = set(probes)
    return [
        FairTree(
            tree=one.tree,
            used=used.get(one.tree, timedelta()),
            budget=timedelta(minutes=one.minutes) * (100 + extra_percent) / 100,
            offered=sum(tree == one.tree for tree, _probe in offered),
            planned=one.probes,
        )
        for one in plan
    ]
