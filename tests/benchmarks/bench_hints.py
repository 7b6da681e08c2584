"""Hints: how long ranking 200 probes takes, and what hints save against asking in order and against a free choice."""

from __future__ import annotations

from random import Random

from interviews.enums import Aid, Outcome, ProbeKind
from interviews.hints import Probe, Tree, rank
from interviews.rules import ability
from interviews.rules.ability import Difficulty
from interviews.rules.boundaries import Ask, TreeRule
from tests.benchmarks.hint_trials import SHAPES, Comparison, compare, curves
from tests.benchmarks.report import Report, timed

CANDIDATES = 1000
PROBES = 200
MOST_MS = 5.0
LEAST_SHARE = 0.8
BARE = "bare chain"  # nothing to choose but the tree: shown, and nothing promised


def run(report: Report) -> None:
    speed(report)
    for shape in SHAPES:
        saving(report, shape)
    saving(report, "mixed", calibrated=False)


def speed(report: Report) -> None:
    trees = bank(PROBES)
    first, warm = [], []
    for _ in range(report.scaled(100, least=3)):
        ability.forget()
        first += timed(lambda: rank(trees))
        warm += timed(lambda: rank(trees))
    report.percentiles(f"ranking {PROBES} probes, nothing known from before", first, p95=MOST_MS)
    report.percentiles("the same again", warm, p95=MOST_MS)


def bank(probes: int) -> list[Tree]:
    """Trees of ten probes, each probe calibrated, the two first levels of every tree heard."""
    random = Random(3)  # noqa: S311 - the same bank each time
    outcomes = (Outcome.SUSTAINED, Outcome.PARTIAL, Outcome.NOT_SUSTAINED)
    trees = []
    for number in range(probes // 10):
        key = f"t{number}"
        levels = (1, 2, 2, 3, 3, 3, 4, 4, 5, 5, 1, 2)
        found = tuple(
            Probe(
                id=f"{key}/{place}",
                parent=f"{key}/0" if place else "",
                level=level,
                kind=ProbeKind.PROBE,
                minutes=random.choice((2, 3, 4)),
                difficulty=Difficulty(level - 2.5 + random.gauss(0, 0.7), random.choice((0.1, 0.2, 0.3))),
            )
            for place, level in enumerate(levels)
        )
        asks = tuple(Ask(probe.id, probe.level, random.choice(outcomes), Aid.UNAIDED) for probe in found[10:])
        trees.append(Tree(key, TreeRule(top_level=5), found, asks))
    return trees


def saving(report: Report, shape: str, *, calibrated: bool = True) -> None:
    found = curves(shape, candidates=report.scaled(CANDIDATES, least=5), calibrated=calibrated)
    hinted, free = found["hinted"], found["free choice"]
    name = shape if calibrated else f"{shape}, by level alone"
    for order in ("in order, one miss", "in order, two misses"):
        for minutes in (False, True):
            done = compare(found[order], hinted, free, minutes=minutes)
            promised = not minutes and calibrated and shape != BARE
            says(report, f"{name}, {order}", done, "min" if minutes else "probes", promised=promised)
    for way, curve in found.items():
        for k in (5, 10, 15, 20):
            if k < len(curve.rmse):
                report.figure(f"{name}, {way}: RMSE after {curve.probes[k]:.1f} probes", curve.rmse[k], "logits")


def says(report: Report, name: str, done: Comparison, unit: str, *, promised: bool) -> None:
    last = done.last
    report.figure(f"{name}: {last.error:.2f} logits in order", last.in_order, unit)
    report.figure(f"{name}: {last.error:.2f} logits hinted", last.hinted, unit)
    report.figure(f"{name}: {last.error:.2f} logits by free choice", last.free, unit)
    report.figure(f"{name}: hints need at most more", done.most_more, unit, limit=0 if promised else None)
    lost = 1 - done.share
    report.figure(f"{name}: of free choice's saving lost", lost, "", limit=1 - LEAST_SHARE if promised else None)
