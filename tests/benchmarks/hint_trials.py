"""Simulated interviews: what a hinted walk, a walk in order and a free choice know of somebody after each question.

Every candidate answers every probe once, drawn before anybody walks, so that all ways of asking meet the same answers.
Truth, in logits: a candidate's ability on a tree is theirs (sd 1) plus the tree's own (sd 1); a probe's difficulty is
its level's plus its own (sd .7), known up to .2 where it is calibrated and by its level alone where it is not. Answers
are drawn by the model of `interviews.rules.ability`, whose posterior mean is everybody's estimate, tree by tree.

Ways are compared by the error that the estimates expect of themselves (the root of the mean posterior variance), which
the luck of a thousand candidates moves least; the error that they have stands beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp
from random import Random
from statistics import fmean

from interviews.enums import Aid, Aim, Outcome, ProbeKind
from interviews.hints import LEAST, SWITCH, Probe, Tree, may_come, rank
from interviews.rules.ability import (
    EASIEST,
    LEVEL_SD,
    STEP,
    UNCLEAR,
    Difficulty,
    Prospect,
    ability,
    difficulty_of_level,
)
from interviews.rules.boundaries import Ask, Credit, TreeRule, boundary, credit_of

TREES = 4
CANDIDATE_SD = 1.0
TREE_SD = 1.0
CALIBRATED_SE = 0.2
SAID = {Credit.PASS: Outcome.SUSTAINED, Credit.UNCLEAR: Outcome.PARTIAL, Credit.MISS: Outcome.NOT_SUSTAINED}


# --- trees ------------------------------------------------------------------------------------------------------------


def bare_chain(key: str) -> tuple[Probe, ...]:
    """Six levels, one question each and its rescue: nothing to choose but the tree."""
    found: list[Probe] = []
    for level in range(1, 7):
        here, above = f"{key}/{level}", f"{key}/{level - 1}" if level > 1 else ""
        found.append(Probe(here, above, level, ProbeKind.PROBE, 3))
        found.append(Probe(f"{here}-rescue", here, level, ProbeKind.RESCUE, 2))
    return tuple(found)


def deep_chain(key: str) -> tuple[Probe, ...]:
    """Six levels, one question each and a second check of the same level."""
    found: list[Probe] = []
    for level in range(1, 7):
        here, above = f"{key}/{level}", f"{key}/{level - 1}" if level > 1 else ""
        found.append(Probe(here, above, level, ProbeKind.PROBE, 3))
        found.append(Probe(f"{here}-check", here, level, ProbeKind.CHECK, 3))
    return tuple(found)


def bushy(key: str) -> tuple[Probe, ...]:
    """A root with three follow-ups, each with two, each of which goes one deeper: four levels, sixteen questions."""
    found = [Probe(f"{key}/r", "", 1, ProbeKind.CHECK, 2)]
    for a in "abc":
        found.append(Probe(f"{key}/{a}", f"{key}/r", 2, ProbeKind.PROBE, 3))
        for b in "xy":
            found.append(Probe(f"{key}/{a}{b}", f"{key}/{a}", 3, ProbeKind.PROBE, 3))
            found.append(Probe(f"{key}/{a}{b}z", f"{key}/{a}{b}", 4, ProbeKind.PROBE, 4))
    return tuple(found)


def mixed(key: str) -> tuple[Probe, ...]:
    """Five levels with a rescue, a why and a hands-on question beside the way down."""
    found: list[Probe] = []
    for level in range(1, 6):
        here, above = f"{key}/{level}", f"{key}/{level - 1}" if level > 1 else ""
        found.append(Probe(here, above, level, ProbeKind.PROBE, 2))
        if level < 3:
            found.append(Probe(f"{here}-rescue", here, level, ProbeKind.RESCUE, 1))
        if level > 1:
            found.append(Probe(f"{here}-why", here, level, ProbeKind.CHECK, 3, (Aim.WHY,)))
            found.append(Probe(f"{here}-hands", here, level, ProbeKind.CHECK, 4, (Aim.HANDS_ON,)))
    return tuple(found)


SHAPES: dict[str, Callable[[str], tuple[Probe, ...]]] = {
    "deep chain": deep_chain,
    "bushy": bushy,
    "mixed": mixed,
    "bare chain": bare_chain,
}


# --- candidates -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Trial:
    """One candidate in front of one bank: the trees as hints know them, and what they would answer to each probe."""

    trees: tuple[Tree, ...]
    truth: tuple[float, ...]
    answers: dict[str, Credit]


def trials(shape: str, *, candidates: int, seed: int, calibrated: bool = True, misses: int = 2) -> Iterator[Trial]:
    """Draw candidates, each in front of a bank of their own."""
    random = Random(f"{shape} {seed}")  # noqa: S311 - the same candidates each time
    for _ in range(candidates):
        general = random.gauss(0, CANDIDATE_SD)
        trees, truth, answers = [], [], {}
        for key in (f"t{number}" for number in range(TREES)):
            able = general + random.gauss(0, TREE_SD)
            probes = []
            for probe in SHAPES[shape](key):
                hard = EASIEST + STEP * (probe.level - 1) + random.gauss(0, LEVEL_SD)
                seen = Difficulty(hard + random.gauss(0, CALIBRATED_SE), CALIBRATED_SE)
                answers[probe.id] = _answer(able - hard, random.random())
                probes.append(replace(probe, difficulty=seen if calibrated else None))
            rule = TreeRule(top_level=max(probe.level for probe in probes), misses_to_end=misses)
            trees.append(Tree(key, rule, tuple(probes)))
            truth.append(able)
        yield Trial(tuple(trees), tuple(truth), answers)


def _answer(lead: float, draw: float) -> Credit:
    up = exp(lead / 2)
    total = up + 1 / up + UNCLEAR
    if draw < up / total:
        return Credit.PASS
    return Credit.UNCLEAR if draw < (up + UNCLEAR) / total else Credit.MISS


# --- ways of asking ---------------------------------------------------------------------------------------------------

Way = Callable[[Sequence[Tree], str], str | None]
"""From what was heard so far and the probe asked last to the next probe's id; None: nothing more to ask."""


def in_order(trees: Sequence[Tree], current: str) -> str | None:
    """Tree by tree, each in reading order as far as a question may come (the same rule as for hints), until the tree's
    discontinue rule is met or it has nothing left."""
    for tree in trees:
        if not boundary(tree.asks, tree=tree.rule).discontinue and (coming := may_come(tree)):
            return coming[0].id
    return None


def hinted(trees: Sequence[Tree], current: str) -> str | None:
    found = rank(trees, current=current)
    return found[0].probe if found else None


def free(trees: Sequence[Tree], current: str) -> str | None:
    """What tells most per minute of everything not asked, at whatever level."""
    best: tuple[float, str] | None = None
    for tree in trees:
        known = {probe.id: probe.difficulty or difficulty_of_level(probe.level) for probe in tree.probes}
        asked = {ask.probe for ask in tree.asks}
        prospect = Prospect(_heard(tree))
        extra = SWITCH if current and current not in known else 0.0
        for probe in tree.probes:
            gain = prospect.gain(known[probe.id]) if probe.id not in asked else 0.0
            rate = gain / (probe.minutes + extra)
            if gain >= LEAST and (best is None or rate > best[0]):
                best = rate, probe.id
    return best[1] if best else None


def _heard(tree: Tree) -> list[tuple[Difficulty, Credit]]:
    known = {probe.id: probe.difficulty or difficulty_of_level(probe.level) for probe in tree.probes}
    return [(known[ask.probe], credit) for ask in tree.asks if (credit := credit_of(ask.outcome, ask.aid))]


# --- what comes of it -------------------------------------------------------------------------------------------------

HOUR = 60.0
"""How long an interview in order lasts here; what comes later is not compared."""
PATIENCE = 75.0
"""How long anybody is followed, in minutes."""


@dataclass(frozen=True)
class Step:
    """After one more question: minutes so far, and over all trees the summed squares of the errors and the summed
    variances that the estimates say of themselves."""

    minutes: float
    squares: float
    variances: float


def walk(trial: Trial, way: Way) -> list[Step]:
    """Ask until the way or the patience ends; the first step is before the first question."""
    trees = list(trial.trees)
    known = [ability(())] * TREES
    steps: list[Step] = []
    minutes, current, chosen = 0.0, "", way(trees, "")
    while True:
        squares = sum((one.mean - truth) ** 2 for one, truth in zip(known, trial.truth, strict=True))
        steps.append(Step(minutes, squares, sum(one.sd**2 for one in known)))
        if chosen is None or minutes > PATIENCE:
            return steps
        at = next(at for at, tree in enumerate(trees) if chosen.startswith(f"{tree.key}/"))
        probe = next(probe for probe in trees[at].probes if probe.id == chosen)
        minutes += probe.minutes + (SWITCH if current and not current.startswith(f"{trees[at].key}/") else 0.0)
        ask = Ask(chosen, probe.level, SAID[trial.answers[chosen]], Aid.UNAIDED)
        trees[at] = replace(trees[at], asks=(*trees[at].asks, ask))
        known[at] = ability(_heard(trees[at]))
        current, chosen = chosen, way(trees, chosen)


@dataclass(frozen=True)
class Curve:
    """Error against effort: after step k of everybody (whoever has ended stays), mean questions, mean minutes, the RMSE
    of ability per tree, and the RMSE that the estimates expect of themselves."""

    probes: tuple[float, ...]
    minutes: tuple[float, ...]
    rmse: tuple[float, ...]
    expected: tuple[float, ...]

    def cost(self, error: float, *, minutes: bool = False) -> float:
        """Return how many questions (or minutes) bring the expected error down to `error`; infinite where none do."""
        effort = self.minutes if minutes else self.probes
        for k in range(1, len(self.expected)):
            before, after = self.expected[k - 1], self.expected[k]
            if after <= error:
                share = min(1.0, (before - error) / (before - after)) if before > error else 0.0
                return effort[k - 1] + share * (effort[k] - effort[k - 1])
        return float("inf")


def curve(walks: Sequence[Sequence[Step]]) -> Curve:
    points = []
    for k in range(max(map(len, walks))):
        here = [steps[min(k, len(steps) - 1)] for steps in walks]
        points.append(
            (
                fmean(min(k, len(steps) - 1) for steps in walks),
                fmean(step.minutes for step in here),
                (fmean(step.squares for step in here) / TREES) ** 0.5,
                (fmean(step.variances for step in here) / TREES) ** 0.5,
            )
        )
    return Curve(*zip(*points, strict=True))


@dataclass(frozen=True)
class Point:
    """What one and the same error costs, in questions or minutes."""

    error: float
    in_order: float
    hinted: float
    free: float


@dataclass(frozen=True)
class Comparison:
    """A way in order against hints and free choice, at every error that it reaches within the hour."""

    points: tuple[Point, ...]

    @property
    def most_more(self) -> float:
        """How much more hints cost than the order where they do worst; negative: they always save."""
        return max(point.hinted - point.in_order for point in self.points)

    @property
    def share(self) -> float:
        """Of what free choice saves, how much hints save, over all points."""
        return sum(point.in_order - point.hinted for point in self.points) / sum(
            point.in_order - point.free for point in self.points
        )

    @property
    def last(self) -> Point:
        """At the error that the order has reached after the hour."""
        return self.points[-1]


def compare(order: Curve, hints: Curve, choice: Curve, *, minutes: bool) -> Comparison:
    steps = [k for k in range(1, len(order.expected)) if order.minutes[k] <= HOUR]
    effort = order.minutes if minutes else order.probes
    points = []
    for k in steps:
        error = order.expected[k]
        if error < min(order.expected[:k]):  # whoever has ended before adds no point
            points.append(
                Point(error, effort[k], hints.cost(error, minutes=minutes), choice.cost(error, minutes=minutes))
            )
    return Comparison(tuple(points))


WAYS: dict[str, tuple[Way, int]] = {
    "in order, one miss": (in_order, 1),
    "in order, two misses": (in_order, 2),
    "hinted": (hinted, 2),
    "free choice": (free, 2),
}
"""Ways of asking, with how many misses in a row end a tree."""


def curves(shape: str, *, candidates: int, seed: int = 1, calibrated: bool = True) -> dict[str, Curve]:
    """The same candidates by every way."""
    found = {}
    for name, (way, misses) in WAYS.items():
        drawn = trials(shape, candidates=candidates, seed=seed, calibrated=calibrated, misses=misses)
        found[name] = curve([walk(trial, way) for trial in drawn])
    return found
