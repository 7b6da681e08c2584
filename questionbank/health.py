"""What the figures of a tree's probes say about its health. Pure: figures in, findings out; pages say them in words.

Figures belong to a *wording*: a probe's key and the hash over what it asks and how it is judged. They exist from five
applications on and then move by five or more, so nothing here can be traced to one person.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from typing import Final

from questionbank.enums import Aim, BranchOutcome

ENOUGH: Final = 5
"""Applications below which nothing is said, whatever the table holds."""
MARKS_TO_PROMOTE: Final = 30
"""Judged marks, from ENOUGH applications, after which a probe on trial has shown what it does."""
LEAK_RISE: Final = 15.0
"""Points by which the sustained rate of a probe has to rise before its answer may have got around."""
FOLLOW_UPS_ALONG: Final = 0.5
"""Where the follow-ups rose by this share of it too, people have become better, and nothing leaked."""
SURE: Final = 1.96
"""Standard errors between two difficulties before one is called easier, and above none before a rise is one."""


class Help(StrEnum):
    """How much help an answer needed: the names under which figures count it."""

    UNAIDED = "unaided"
    CLARIFIED = "clarified"
    HINTED = "hinted"
    TOLD = "told"


@dataclass(frozen=True, slots=True)
class Node:
    """One probe of a version as health looks at it. Given in reading order, parents first."""

    key: str
    parent: str | None
    level: int
    depth: int
    wording: str
    trial: bool = False


@dataclass(frozen=True, slots=True)
class Leak:
    """By how many points its sustained rate rose, and that of its follow-ups together; `error`: the first one's
    standard error, 0 where nothing is known of it."""

    own: float
    follow_ups: float
    error: float = 0.0

    @property
    def alarm(self) -> bool:
        beyond_chance = self.own > SURE * self.error
        return self.own >= LEAK_RISE and beyond_chance and self.follow_ups < FOLLOW_UPS_ALONG * self.own


@dataclass(frozen=True, slots=True)
class Seen:
    """What is known of one wording. `asked` and `stopped` count applications, outcomes and helps count marks.

    `difficulty`: aim -> (logits, standard error). `agreement`: aim -> Krippendorff's alpha. Both empty, and `leak`
    None, until the calibration has written them.
    """

    key: str
    wording: str
    asked: int
    stopped: int = 0
    minutes: int | None = None
    outcomes: Mapping[BranchOutcome, int] = field(default_factory=dict)
    helps: Mapping[Help, int] = field(default_factory=dict)
    last_used: date | None = None
    counted_on: date | None = None
    difficulty: Mapping[Aim, tuple[float, float]] = field(default_factory=dict)
    agreement: Mapping[Aim, float] = field(default_factory=dict)
    leak: Leak | None = None

    @property
    def judged(self) -> int:
        return sum(self.outcomes.values())

    @property
    def sustained(self) -> int:
        return self.outcomes.get(BranchOutcome.SUSTAINED, 0)


@dataclass(frozen=True, slots=True)
class ProbeHealth:
    """One probe: figures of this wording, None while they are not enough; `earlier` counts the askings in others."""

    node: Node
    seen: Seen | None
    earlier: int

    @property
    def reached(self) -> int:
        return self.seen.asked if self.seen else 0

    @property
    def leaks(self) -> bool:
        return bool(self.seen and self.seen.leak and self.seen.leak.alarm)

    @property
    def promotable(self) -> bool:
        """Whether a probe on trial has enough data to be scored."""
        return self.node.trial and self.seen is not None and self.seen.judged >= MARKS_TO_PROMOTE


@dataclass(frozen=True, slots=True)
class Inversion:
    """A deeper probe that is passed more than a shallower one above it.

    Without `aim`: more answers were sustained. With it: the calibration finds it easier on that aim.
    """

    deeper: ProbeHealth
    shallower: ProbeHealth
    aim: Aim | None = None


@dataclass(frozen=True, slots=True)
class TreeHealth:
    probes: tuple[ProbeHealth, ...]
    inversions: tuple[Inversion, ...]

    @property
    def known(self) -> tuple[ProbeHealth, ...]:
        return tuple(probe for probe in self.probes if probe.seen)

    @property
    def leaks(self) -> tuple[ProbeHealth, ...]:
        return tuple(probe for probe in self.probes if probe.leaks)

    @property
    def promotable(self) -> tuple[ProbeHealth, ...]:
        return tuple(probe for probe in self.probes if probe.promotable)

    @property
    def alarms(self) -> int:
        return len(self.leaks) + len(self.inversions)

    @property
    def applications(self) -> int:
        """At least so many applications were asked something of the tree."""
        return max((probe.reached for probe in self.probes), default=0)

    @property
    def counted_on(self) -> date | None:
        """The day of the newest figures."""
        days = [probe.seen.counted_on for probe in self.known if probe.seen and probe.seen.counted_on]
        return max(days, default=None)

    @property
    def last_stop(self) -> ProbeHealth | None:
        """The probe at which most applications ended, the shallower of two alike. None where no end is known."""
        ends = [probe for probe in self.known if probe.seen and probe.seen.stopped]
        return max(ends, key=lambda probe: (probe.seen.stopped if probe.seen else 0, -probe.node.level), default=None)

    @property
    def deepest(self) -> ProbeHealth | None:
        """The deepest probe that is known to be reached, of several the one most reached."""
        return max(self.known, key=lambda probe: (probe.node.level, probe.reached), default=None)


def examine(nodes: Sequence[Node], figures: Iterable[Seen]) -> TreeHealth:
    """Join the probes of a version with what is known of them. Figures of probes that it doesn't have are left out."""
    by_key: dict[str, list[Seen]] = {}
    for seen in figures:
        if seen.asked >= ENOUGH:
            by_key.setdefault(seen.key, []).append(seen)
    probes = tuple(_probe(node, by_key.get(node.key, ())) for node in nodes)
    return TreeHealth(probes, tuple(_inversions(probes)))


def _probe(node: Node, wordings: Sequence[Seen]) -> ProbeHealth:
    now = next((seen for seen in wordings if seen.wording == node.wording), None)
    return ProbeHealth(node, now, sum(seen.asked for seen in wordings if seen is not now))


def _inversions(probes: Sequence[ProbeHealth]) -> Iterator[Inversion]:
    by_key = {probe.node.key: probe for probe in probes}
    for probe in probes:
        above = [one for one in _above(probe, by_key) if one.node.level < probe.node.level]
        if found := _easier(probe, above) or _more_passed(probe, above):
            yield found


def _above(probe: ProbeHealth, by_key: Mapping[str, ProbeHealth]) -> Iterator[ProbeHealth]:
    """Yield the probes on the way to this one, the nearest first."""
    while parent := by_key.get(probe.node.parent or ""):
        yield parent
        probe = parent


def _easier(probe: ProbeHealth, above: Sequence[ProbeHealth]) -> Inversion | None:
    """Difficulty allows for who was asked: the better test, once the calibration has written it."""
    for other in above:
        for aim, (logits, error) in probe.seen.difficulty.items() if probe.seen else ():
            at = other.seen.difficulty.get(aim) if other.seen else None
            if at and at[0] - logits > SURE * float((error**2 + at[1] ** 2) ** 0.5):
                return Inversion(probe, other, aim)
    return None


def _more_passed(probe: ProbeHealth, above: Sequence[ProbeHealth]) -> Inversion | None:
    """Compare numbers, not shares: who comes deeper has passed what lies above, so a higher share is to be expected.

    Numbers compare only where the shallower one was asked at least as often: a wording of last month against one of
    last year says nothing.
    """
    if probe.seen is None:
        return None
    passed = probe.seen.sustained
    fewer = [
        (other.seen.sustained, other)
        for other in above
        if other.seen and other.seen.asked >= probe.seen.asked and other.seen.sustained < passed
    ]
    return Inversion(probe, min(fewer, key=lambda pair: pair[0])[1]) if fewer else None
