"""A simulated organisation: who met whom, what was asked, and how it was rated. Seeded: one seed, one story.

The truth behind it has what calibration is for: people of different severity with a halo in each conversation, answers
with luck of their own, leads who are a little kinder to their own questions, some who became stricter, one question
whose answer got around, newcomers, and an office apart that shares nobody and nothing with the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from scoring.rules.linked import TOP
from scoring.stats.designs import THRESHOLDS

SEVERITY, HALO, LUCK, BY_AIM, DIFFICULTY = 0.55, 0.4, 0.4, 0.35, 0.35
LEAD, STRICTER, LEAKED = 0.25, 1.1, 2.5
LATE: Final = 0.75
"""From this share of the time on: some are stricter, and one answer has got around."""
NEWCOMERS, DRIFTING, APART = 4, 3, 2
"""Of forty interviewers. Smaller houses have fewer, each at least one."""


@dataclass(frozen=True, slots=True)
class Question:
    """A probe as the simulation needs it: its place in its tree's list is its name."""

    level: int
    aims: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Size:
    interviewers: int = 40
    candidates: int = 300
    seed: int = 6


@dataclass(frozen=True, slots=True)
class Heard:
    """One answer. `asker`: place in the talk's panel. `ratings`: by place in the panel, aim -> rating."""

    tree: int
    question: int
    asker: int
    ratings: tuple[dict[str, int], ...]


@dataclass(frozen=True, slots=True)
class Talk:
    """One interview. `at`: when, as a share of the time that the story takes. `panel`: interviewers, the lead first."""

    at: float
    panel: tuple[int, ...]
    trees: tuple[int, ...]
    answers: tuple[Heard, ...]


@dataclass(frozen=True, slots=True)
class Applied:
    """One candidate. `position`: number of the position, the last one is the office apart."""

    position: int
    talks: tuple[Talk, ...]


@dataclass
class House:
    """`trees`: the questions of each, in the order asked. The last tree is asked by the office apart alone."""

    trees: Sequence[Sequence[Question]]
    size: Size
    positions: int = 4
    draw: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self.draw = np.random.default_rng(self.size.seed)
        people, share = self.size.interviewers, self.size.interviewers / 40
        self.severity = self.draw.normal(0.0, SEVERITY, people)
        some = [max(round(number * share), 1) for number in (NEWCOMERS, DRIFTING)]
        self.apart = list(range(people - APART, people))
        self.newcomers = list(range(people - APART - some[0], people - APART))
        self.regulars = list(range(people - APART - some[0]))
        self.drifting = set(self.regulars[: some[1]])
        self.difficulty = [
            [
                {aim: 0.55 * (one.level - 2.5) + self.draw.normal(0.0, DIFFICULTY) for aim in one.aims}
                for one in questions
            ]
            for questions in self.trees
        ]

    def candidates(self) -> list[Applied]:
        """Everybody who applied, in the order of their interviews."""
        return [self._candidate(number / self.size.candidates) for number in range(self.size.candidates)]

    def _candidate(self, at: float) -> Applied:
        away = self.draw.random() < 0.05
        position = self.positions if away else int(self.draw.integers(self.positions))
        ability = float(self.draw.normal(0.0, 1.0))
        by_aim = {aim: float(self.draw.normal(0.0, BY_AIM)) for aim in ("depth", "why", "hands_on")}
        return Applied(
            position,
            tuple(
                self._talk(min(at + 0.004 * place, 1.0), panel, trees, {a: ability + by_aim[a] for a in by_aim})
                for place, (panel, trees) in enumerate(self._panels(away=away, at=at))
            ),
        )

    def _panels(self, *, away: bool, at: float) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
        """Who meets the candidate, and over which trees: a panel of two or three, or a loop of two talks."""
        if away:
            return [(tuple(self.apart), (len(self.trees) - 1,))]
        known = len(self.trees) - 1
        if self.draw.random() < 0.25:
            people, trees = self._some(4, at), self.draw.permutation(known)[:2].tolist()
            return [((people[0], people[1]), (trees[0],)), ((people[2], people[3]), (trees[1],))]
        many = 3 if self.draw.random() < 0.65 else 2
        return [(self._some(many, at), tuple(self.draw.permutation(known)[:2].tolist()))]

    def _some(self, many: int, at: float) -> tuple[int, ...]:
        people = self.draw.permutation(self.regulars)[:many].tolist()
        if at > LATE and self.draw.random() < 0.1:
            people[-1] = int(self.draw.choice(self.newcomers))
        return tuple(people)

    def _talk(self, at: float, panel: tuple[int, ...], trees: tuple[int, ...], ability: dict[str, float]) -> Talk:
        halo = self.draw.normal(0.0, HALO, len(panel))
        answers: list[Heard] = []
        for place, tree in enumerate(trees):
            asker, missed = place % len(panel), 0
            for question in range(len(self.trees[tree])):
                heard = self._answer(at, panel, asker, (tree, question), ability, halo)
                answers.append(heard)
                missed = missed + 1 if _mean(heard.ratings[asker]) < 1.5 else 0
                if missed == 2:  # the tree's discontinue rule
                    break
        return Talk(at, panel, trees, tuple(answers))

    def _answer(
        self,
        at: float,
        panel: tuple[int, ...],
        asker: int,
        what: tuple[int, int],
        ability: dict[str, float],
        halo: np.ndarray[tuple[int], np.dtype[np.float64]],
    ) -> Heard:
        tree, question = what
        luck = float(self.draw.normal(0.0, LUCK)) + (LEAKED if what == (0, 0) and at > LATE else 0.0)
        ratings = []
        for place, person in enumerate(panel):
            severity = self.severity[person] + (STRICTER if person in self.drifting and at > LATE else 0.0)
            kind = LEAD if place == asker else 0.0
            ratings.append(
                {
                    aim: self._rating(ability[aim] + halo[place] + luck + kind - severity - hard)
                    for aim, hard in self.difficulty[tree][question].items()
                }
            )
        return Heard(tree, question, asker, tuple(ratings))

    def _rating(self, psi: float) -> int:
        steps = np.arange(TOP + 1) * psi - np.concatenate([[0.0], np.cumsum(THRESHOLDS)])
        upto = np.cumsum(np.exp(steps - steps.max()))
        return int((self.draw.random() * upto[-1] > upto).sum())


def _mean(ratings: dict[str, int]) -> float:
    return sum(ratings.values()) / len(ratings)
