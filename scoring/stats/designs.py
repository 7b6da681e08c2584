"""Simulated interviews with the truth known: the designs the calibration is judged on, and the demo's numbers."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from scoring.stats.arrays import Floats, Ints
from scoring.stats.ratings import Ratings

THRESHOLDS = (-1.8, -0.6, 0.6, 1.8)


@dataclass(frozen=True)
class Design:
    """Who meets whom, who asks what, and how much each effect varies (standard deviations in logits).

    `raters` is the least and most interviewers of a candidate; each asks `asked` items of a `pool`. `ask` is "own draw"
    (each interviewer draws from the pool for each session), "own items" (an interviewer has the same items always) or
    "same" (all interviewers of a candidate rate the same answers). Every answer is rated on `dimensions` dimensions.
    """

    candidates: int = 300
    interviewers: int = 20
    pool: int = 20
    raters: tuple[int, int] = (1, 5)
    asked: int = 3
    dimensions: int = 3
    ask: str = "own draw"
    ability: float = 1.0
    severity: float = 0.6
    difficulty: float = 0.7
    by_dimension: float = 0.0
    halo: float = 0.0
    answer: float = 0.0
    thresholds: tuple[float, ...] = THRESHOLDS


_A = Design()
_R = replace(_A, halo=0.4)
DESIGNS = {
    "A": _A,
    "B": replace(_A, halo=0.5),
    "C": replace(_A, halo=0.4, severity=1.0),
    "D": replace(_A, candidates=30, interviewers=5, pool=8, raters=(1, 3), asked=2, halo=0.4),
    "E": replace(_A, pool=60, ask="own items", halo=0.4),
    "F": replace(_A, candidates=200, interviewers=40, pool=40, raters=(1, 2), asked=2, halo=0.4),
    **{f"R{k}": replace(_R, raters=(k, k)) for k in range(1, 6)},
    "P2": replace(_R, raters=(2, 2), asked=8, ask="same", answer=0.5),
    "P3": replace(_R, raters=(3, 3), asked=6, ask="same", answer=0.8),
}
"""The designs of the published figures, by their names there."""


@dataclass(frozen=True, eq=False)
class Simulated:
    """Ratings and the truth behind them, by code."""

    ratings: Ratings
    ability: Floats
    severity: Floats
    difficulty: Floats
    halo: Floats
    answer: Floats
    by_dimension: Floats


def simulate(design: Design, seed: int) -> Simulated:
    """Draw one data set. The same design and seed give the same data."""
    draw = np.random.default_rng(seed)
    candidate, interviewer, item = _sessions(design, draw)
    size = len(candidate)
    candidate, interviewer, item = (np.repeat(codes, design.dimensions) for codes in (candidate, interviewer, item))
    dimension = np.tile(np.arange(design.dimensions), size)
    if design.ask == "same":
        place = candidate * design.pool + item
    else:
        place = (candidate * design.interviewers + interviewer) * design.pool + item
    _, answer = np.unique(place, return_inverse=True)
    _, session = np.unique(candidate * design.interviewers + interviewer, return_inverse=True)
    ability = draw.normal(0.0, design.ability, design.candidates)
    severity = draw.normal(0.0, design.severity, design.interviewers)
    difficulty = draw.normal(0.0, design.difficulty, (design.pool, design.dimensions))
    by_dimension = draw.normal(0.0, design.by_dimension, (design.candidates, design.dimensions))
    halo = draw.normal(0.0, design.halo, session.max() + 1)
    luck = draw.normal(0.0, design.answer, answer.max() + 1)
    psi = ability[candidate] + by_dimension[candidate, dimension] + halo[session] + luck[answer]
    psi -= severity[interviewer] + difficulty[item, dimension]
    rating = draw_ratings(psi, np.array(design.thresholds), draw)
    ratings = Ratings.from_codes(
        candidate,
        interviewer,
        item,
        rating,
        dimension=dimension,
        answer=answer if design.ask == "same" else None,
        top=[len(design.thresholds)],
    )
    return Simulated(ratings, ability, severity, difficulty.ravel(), halo, luck, by_dimension)


def draw_ratings(psi: Floats, thresholds: Floats, draw: np.random.Generator) -> Ints:
    """Draw adjacent-category ratings at predictors psi (n,)."""
    steps = np.concatenate([[0.0], np.cumsum(thresholds)])
    logits = np.arange(len(steps))[:, None] * psi - steps[:, None]
    upto = np.cumsum(np.exp(logits - logits.max(axis=0)), axis=0)
    return np.asarray((draw.random(len(psi)) * upto[-1] > upto).sum(axis=0), np.int64)


def _sessions(design: Design, draw: np.random.Generator) -> tuple[Ints, Ints, Ints]:
    """Who was asked what by whom: candidate, interviewer and item of each item rated."""
    low, high = design.raters
    how_many = draw.integers(low, high + 1, design.candidates)
    candidate = np.repeat(np.arange(design.candidates), how_many)
    # Drawn without replacement for everyone at once: the first few of a random order.
    seats = np.argsort(draw.random((design.candidates, design.interviewers)), axis=1)
    interviewer = np.concatenate([seat[:many] for seat, many in zip(seats, how_many, strict=True)])
    if design.ask == "own items":
        item = interviewer[:, None] * design.asked + np.arange(design.asked)
    elif design.ask == "same":
        asked = np.argsort(draw.random((design.candidates, design.pool)), axis=1)[:, : design.asked]
        item = asked[candidate]
    else:
        item = np.argsort(draw.random((len(candidate), design.pool)), axis=1)[:, : design.asked]
    return np.repeat(candidate, design.asked), np.repeat(interviewer, design.asked), item.ravel()
