"""What one more interview would tell of who is strict: expected variances, from a stored calibration's covariance.

A conversation in which people R rate the same answers, one for each item asked, is

    y = theta + xi_d + gamma_r + zeta_a - alpha_r - delta_id + e

on the scale of logits, e the noise of one rating. With V the posterior covariance of severities and difficulties, D the
design of these rows on them and S the covariance of all that is this candidate's own, what is left of V afterwards is

    V - V D' (D V D' + S)^-1 D V

whatever is answered (the normal approximation: Lindley 1956; Chaloner & Verdinelli 1995, section 2). Whoever the
calibration has not met has the prior's variance.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.stats.arrays import Floats, Ints
from scoring.stats.rescore import Stored

FEWEST = 2
"""So many people in one conversation tell something of each other."""
WORTH = 0.05
"""Share of a standard deviation below which one more interview is not worth choosing for."""


@dataclass(frozen=True, slots=True)
class Gain:
    """How uncertain a severity is, and how uncertain after the interview: standard deviations, logits."""

    who: str
    before: float
    after: float

    @property
    def share(self) -> float:
        return 1.0 - self.after / self.before if self.before > 0 else 0.0


@dataclass(frozen=True, slots=True)
class Pairing:
    """Put `who` beside `beside`. `joins`: they stand in groups between which nothing is told apart."""

    who: str
    beside: tuple[str, ...]
    gain: Gain
    joins: bool
    known: bool


class Prospect:
    """A calibration, asked what interviews to come would tell. `noise`: variance of one rating, logits squared;
    `group`: in which group of comparable interviewers each stands."""

    def __init__(self, stored: Stored, noise: float, group: Mapping[str, int]) -> None:
        self.stored, self.noise, self.group = stored, noise, group
        self.raters, self.columns, _ = stored.numbers
        self.by_item: dict[str, list[tuple[str, int]]] = {}
        for (item, dimension, _scale), code in self.columns.items():
            self.by_item.setdefault(item, []).append((dimension, code))

    def sd(self, who: str) -> float:
        """How uncertain a severity is now."""
        place = self.raters.get(who)
        variance = self.stored.variances.severity if place is None else self.stored.covariance[place, place]
        return float(np.sqrt(max(variance, 0.0)))

    def gain(self, who: str, raters: Sequence[str], items: Collection[str]) -> Gain:
        """What an interview of `raters` with these items would tell of `who`, one of them or not.

        Items that the calibration has not met are passed over; with none left nothing is told.
        """
        before = self.sd(who)
        columns = [(item, dimension, code) for item in sorted(items) for dimension, code in self.by_item.get(item, ())]
        if not columns or not raters:
            return Gain(who, before, before)
        people = list(dict.fromkeys((*raters, who)))
        covariance = self._covariance(people, [code for *_, code in columns])
        rater, column = (part.ravel() for part in np.meshgrid(range(len(raters)), range(len(columns)), indexing="ij"))
        design = np.zeros((len(rater), len(people) + len(columns)))
        design[np.arange(len(rater)), rater] = -1.0
        design[np.arange(len(rater)), len(people) + column] = -1.0
        told = design @ covariance @ design.T + self._own(rater, column, columns)
        pull = design @ covariance[:, people.index(who)]
        after = before**2 - float(pull @ np.linalg.solve(told, pull))
        return Gain(who, before, float(np.sqrt(max(after, 0.0))))

    def _covariance(self, people: Sequence[str], columns: Sequence[int]) -> Floats:
        """Of the severities of `people`, then of these difficulties."""
        places = [self.raters.get(name, -1) for name in people]
        codes = np.array([*places, *(len(self.raters) + code for code in columns)], np.int64)
        found: Floats = self.stored.covariance[np.ix_(codes, codes)].copy()
        strange = np.flatnonzero(codes < 0)
        found[strange] = 0.0
        found[:, strange] = 0.0
        found[strange, strange] = self.stored.variances.severity
        return found

    def _own(self, rater: Ints, column: Ints, columns: Sequence[tuple[str, str, int]]) -> Floats:
        """Covariance of what is this candidate's own: capability, dimension, halo, answers, and the noise."""
        of = self.stored.variances
        item = np.unique([name for name, *_ in columns], return_inverse=True)[1][column]
        dimension = np.unique([name for _, name, _ in columns], return_inverse=True)[1][column]
        own = of.candidate + of.dimension * _same(dimension) + of.halo * _same(rater) + of.answer * _same(item)
        return np.asarray(own + self.noise * np.eye(len(rater)))

    # --- choosing -----------------------------------------------------------------------------------------------------

    def pairing(self, seated: Sequence[str], free: Sequence[str], items: Collection[str]) -> Pairing | None:
        """Whom of `free` to put beside `seated`; with nobody seated, whom beside whom. None where nothing is worth it.

        Islands first: whoever would join a group to the others'. Then the widest of all severities, and whoever cuts
        that most.
        """
        everybody = [*seated, *free]
        if len(everybody) < FEWEST or not free:
            return None
        home = self._home(seated or free)
        away = [name for name in free if name in self.group and self.group[name] != home]
        widest = max(away or everybody, key=lambda name: (self.sd(name), name))
        if away or (not seated and widest in free):
            chosen = widest
            beside = tuple(seated) or self._partner(chosen, free, items, home)
        else:
            beside = tuple(seated)
            chosen = max(free, key=lambda name: (self.gain(widest, (*beside, name), items).share, name))
        gain = self.gain(widest, (*beside, chosen), items)
        if not beside or (not away and gain.share < WORTH):
            return None
        return Pairing(chosen, beside, gain, joins=bool(away), known=chosen in self.raters)

    def _partner(self, chosen: str, free: Sequence[str], items: Collection[str], home: int) -> tuple[str, ...]:
        others = [name for name in free if name != chosen and self.group.get(name) == home]
        return tuple(
            sorted(others, key=lambda name: (self.gain(chosen, (chosen, name), items).after, self.sd(name), name))[:1]
        )

    def _home(self, names: Sequence[str]) -> int:
        """The group that most of them stand in; the largest of all where they stand in none."""
        groups = [self.group[name] for name in names if name in self.group] or list(self.group.values())
        return max(sorted(set(groups)), key=groups.count) if groups else 0

    def anchor(self, who: str, raters: Sequence[str], trees: Mapping[int, Collection[str]]) -> tuple[int, Gain] | None:
        """Which tree, asked of a candidate by all `raters`, would tell most of `who`; None where none is worth it."""
        gains = [(tree, self.gain(who, raters, items)) for tree, items in trees.items()]
        best = max(gains, key=lambda pair: (pair[1].share, -pair[0]), default=None)
        return best if best is not None and best[1].share >= WORTH else None


def _same(codes: Ints) -> Floats:
    return np.equal.outer(codes, codes).astype(np.float64)
