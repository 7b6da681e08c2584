"""Whether a probe's answer may have got around: its sustained rate, lately against before, beside its follow-ups'.

Where follow-ups rose along with it, people have become better. Applications are compared and not marks: three marks of
one answer are not three answers.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, variance
from typing import Final

from interviews.enums import Outcome
from scoring.rules.figures import STEP, AskedOnce, Heard, Wording

LATELY: Final = 3
"""The last of so many parts is *lately*."""
FEWEST: Final = LATELY * STEP


@dataclass(frozen=True, slots=True)
class Rise:
    """By how many points of a hundred the sustained rate rose, its standard error, and the follow-ups' rise."""

    own: float
    error: float
    follow_ups: float


def below(key: str, parents: Mapping[str, str | None]) -> frozenset[str]:
    """Return the keys of everything under a probe. `parents`: key -> its parent's, of one tree."""
    return frozenset(one for one in parents if one != key and key in _above(one, parents))


def _above(key: str, parents: Mapping[str, str | None]) -> Collection[str]:
    found: set[str] = set()
    parent = parents.get(key)
    while parent and parent not in found:
        found.add(parent)
        parent = parents.get(parent)
    return found


def rise_of(
    wording: Wording,
    follow_ups: Collection[str],
    applications: Collection[int],
    asked: Sequence[AskedOnce],
    heard: Mapping[str, Sequence[Heard]],
) -> Rise | None:
    """`applications`: those that count, of which the last third is lately. `asked`: all of the tree's.

    None with fewer than fifteen of them, or where fewer than five of either part got a judged answer, be it to the
    probe or to one of its follow-ups: then a leak can't be told from people becoming better.
    """
    ours = [one for one in asked if one.application in applications]
    own = [one for one in ours if one.wording == wording]
    order = sorted({one.application: (one.day, one.order) for one in reversed(own)}.items(), key=lambda pair: pair[1])
    if len(order) < FEWEST:
        return None
    lately = {application for application, _when in order[-(len(order) // LATELY) :]}
    under = [one for one in ours if one.wording.key in follow_ups]
    before, after = _parts(own, heard, lately)
    before_under, after_under = _parts(under, heard, lately)
    if min(map(len, (before, after, before_under, after_under))) < STEP:
        return None
    return Rise(
        own=100 * (mean(after) - mean(before)),
        error=100 * math.sqrt(variance(before) / len(before) + variance(after) / len(after)),
        follow_ups=100 * (mean(after_under) - mean(before_under)),
    )


def _parts(
    asked: Sequence[AskedOnce], heard: Mapping[str, Sequence[Heard]], lately: Collection[int]
) -> tuple[list[float], list[float]]:
    """Shares sustained, one for each application: before, and lately."""
    judged: dict[int, list[bool]] = {}
    for one in asked:
        for mark in heard.get(one.asked, ()):
            if mark.outcome and mark.outcome != Outcome.NOT_JUDGED:
                judged.setdefault(one.application, []).append(mark.outcome == Outcome.SUSTAINED)
    shares = {application: mean(map(float, marks)) for application, marks in judged.items()}
    return (
        [share for application, share in shares.items() if application not in lately],
        [share for application, share in shares.items() if application in lately],
    )
