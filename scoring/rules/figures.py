"""What the interviews of closed applications say about the probes they asked. Counts only; no Django."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, NamedTuple

from interviews.enums import Aid, Outcome

STEP: Final = 5
"""So many closed applications come into a figure at once, at the least: a step of one would be that one's answer."""


class Wording(NamedTuple):
    """A probe as it was worded. `content` is the hash over what is asked and how it is judged."""

    tree: int
    key: str
    content: str


@dataclass(frozen=True, slots=True)
class AskedOnce:
    """One asking that stands. `order` sorts the askings of an application; `spent` is the time to the next one."""

    asked: str
    application: int
    wording: Wording
    order: tuple[int, int]
    day: date
    spent: timedelta


@dataclass(frozen=True, slots=True)
class Heard:
    """What one interviewer marked on one asking."""

    asked: str
    rater: int
    outcome: Outcome | None
    aid: Aid | None


@dataclass(frozen=True, slots=True)
class Figures:
    """`asked` and `stopped` count applications, `outcomes` and `aids` marks; `minutes` is rounded to whole ones."""

    asked: int
    stopped: int
    minutes: int
    outcomes: Mapping[Outcome, int]
    aids: Mapping[Aid, int]
    last_used: date
    """The first day of its month."""


def next_batches(
    asked: Iterable[AskedOnce], counted: Mapping[Wording, Collection[int]]
) -> dict[Wording, frozenset[int]]:
    """Return what each wording's figures take in now: the applications not yet counted, where STEP or more wait."""
    waiting: dict[Wording, set[int]] = {}
    for one in asked:
        if one.application not in counted.get(one.wording, ()):
            waiting.setdefault(one.wording, set()).add(one.application)
    return {wording: frozenset(new) for wording, new in waiting.items() if len(new) >= STEP}


def figures_of(
    wording: Wording, applications: Collection[int], asked: Iterable[AskedOnce], heard: Mapping[str, Sequence[Heard]]
) -> Figures:
    """Count over the given applications, at least one of which has asked the probe.

    An interviewer's later mark counts where a probe was asked twice. *Stopped*: nothing of the tree was asked after.
    """
    ours = [one for one in asked if one.application in applications and one.wording.tree == wording.tree]
    last: dict[int, AskedOnce] = {}
    for one in sorted(ours, key=lambda one: one.order):
        last[one.application] = one
    own = [one for one in ours if one.wording == wording]
    marks: dict[tuple[int, int], Heard] = {}
    for one in sorted(own, key=lambda one: one.order):
        marks.update(((one.application, mark.rater), mark) for mark in heard.get(one.asked, ()) if mark.outcome)
    spent = sum((one.spent for one in own), timedelta()) / len(own)
    return Figures(
        asked=len({one.application for one in own}),
        stopped=sum(one.wording == wording for one in last.values()),
        minutes=round(spent / timedelta(minutes=1)),
        outcomes=Counter(mark.outcome for mark in marks.values() if mark.outcome),
        aids=Counter(mark.aid for mark in marks.values() if mark.aid),
        last_used=max(one.day for one in own).replace(day=1),
    )
