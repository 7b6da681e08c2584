"""Answers that several interviewers rated, and how far those agreed: over the house, on a probe, one against the rest.

Figures are plain numbers, as they are kept; None where there is nothing to tell them from.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np

from interviews.enums import Aim
from scoring.calibration.report import number
from scoring.rules.linked import TOP, RatingRow
from scoring.stats.agreement import (
    Estimate,
    Weights,
    cohen_kappa,
    cross_table,
    icc,
    krippendorff_alpha,
    lead_effect,
    shares_within,
)
from scoring.stats.arrays import Floats

FEWEST_ANSWERS = 5
"""Fewer answers than this, heard by several, and no agreement is told from them."""
MOST_DRAWN = 4_000_000
"""Of the bootstrap: draws times answers, so that a large house doesn't wait."""


@dataclass(frozen=True, slots=True)
class Asking:
    """Who asked, and on which day."""

    by: int
    day: date


@dataclass(frozen=True, slots=True)
class Answer:
    """One answer on one dimension, rated by two or more people. `ratings`: by person."""

    asked: str
    aim: Aim
    ratings: Mapping[int, int]


def shared_answers(rows: Iterable[RatingRow]) -> list[Answer]:
    """Gather the answers that two or more interviewers rated."""
    found: dict[tuple[str, Aim], dict[int, int]] = defaultdict(dict)
    for row in rows:
        found[row.asked, row.aim][row.person] = row.rating
    return [Answer(asked, aim, ratings) for (asked, aim), ratings in found.items() if len(ratings) > 1]


def house_agreement(answers: Sequence[Answer]) -> dict[str, Any]:
    """Agreement by dimension: alpha, the one-way intraclass correlation and quadratic weighted kappa, the first two
    with 95% intervals, and the shares of pairs that are the same and at most one apart."""
    found = {}
    for aim in Aim:
        table = _table([answer for answer in answers if answer.aim == aim])
        if table.shape[1] >= FEWEST_ANSWERS:
            draws = int(min(2000, max(MOST_DRAWN // table.shape[1], 200)))
            alpha = krippendorff_alpha(table, draws=draws)
            found[aim.value] = {
                "answers": table.shape[1],
                "alpha": _estimate(Estimate(alpha.value, alpha.low, alpha.high)),
                "icc": _estimate(icc(table[:2].T).one_way),
                "kappa": _kappa(table[0], table[1]),
                "same": number(shares_within(table)),
                "within_one": number(shares_within(table, 1)),
            }
    return found


def alpha_of(answers: Sequence[Answer]) -> float | None:
    """Krippendorff's alpha (ordinal) of these answers; None from too few of them, or where all are alike."""
    if len(answers) < FEWEST_ANSWERS:
        return None
    return number(krippendorff_alpha(_table(answers), draws=0).value)


def _table(answers: Sequence[Answer]) -> Floats:
    """Ratings as (most raters of an answer, answers), NaN where there are fewer: whose they are doesn't matter."""
    table = np.full((max((len(answer.ratings) for answer in answers), default=2), len(answers)), np.nan)
    for place, answer in enumerate(answers):
        given = list(answer.ratings.values())
        table[: len(given), place] = given
    return table


def _estimate(found: Estimate) -> list[float | None]:
    return [number(value) for value in found]


def _kappa(one: Floats, other: Floats) -> float | None:
    """Quadratic weighted kappa of pairs that have no first and second."""
    table = cross_table(one, other, TOP + 1)
    return number(cohen_kappa(table + table.T, Weights.QUADRATIC).value)


# --- one against the rest ---------------------------------------------------------------------------------------------


def against_others(person: int, answers: Sequence[Answer]) -> dict[str, Any] | None:
    """How near one person's ratings come to everybody else's of the same answers, pair by pair."""
    pairs = [
        (answer.ratings[person], other)
        for answer in answers
        if person in answer.ratings
        for who, other in answer.ratings.items()
        if who != person
    ]
    heard = sum(person in answer.ratings for answer in answers)
    if heard < FEWEST_ANSWERS:
        return None
    own, theirs = (np.array(side, np.float64) for side in zip(*pairs, strict=True))
    apart = np.abs(own - theirs)
    return {
        "answers": heard,
        "same": number((apart == 0).mean()),
        "within_one": number((apart <= 1).mean()),
        "kappa": number(cohen_kappa(cross_table(own, theirs, TOP + 1), Weights.QUADRATIC).value),
    }


def house_lead_effect(answers: Sequence[Answer], askings: Mapping[str, Asking]) -> dict[str, Any] | None:
    """Whoever asked against those who listened, on the same answers: points, with a 95% interval."""
    led = [answer for answer in answers if answer.asked in askings and askings[answer.asked].by in answer.ratings]
    if len(led) < FEWEST_ANSWERS:
        return None
    own = [answer.ratings[askings[answer.asked].by] for answer in led]
    listeners = [
        [rating for who, rating in answer.ratings.items() if who != askings[answer.asked].by] for answer in led
    ]
    table = np.full((max(map(len, listeners)), len(led)), np.nan)
    for place, given in enumerate(listeners):
        table[: len(given), place] = given
    return {"answers": len(led), "points": _estimate(lead_effect(own, table))}


def own_lead_effect(person: int, answers: Sequence[Answer], askings: Mapping[str, Asking]) -> dict[str, Any] | None:
    """How much higher one person marks answers to their own questions than those to others': how far they lie from
    the others when asking, less how far when listening, so that being strict is no part of it. None from few of
    either."""
    asking: list[float] = []
    listening: list[float] = []
    for answer in answers:
        if person not in answer.ratings or answer.asked not in askings:
            continue
        others = [rating for who, rating in answer.ratings.items() if who != person]
        apart = answer.ratings[person] - sum(others) / len(others)
        (asking if askings[answer.asked].by == person else listening).append(apart)
    if min(len(asking), len(listening)) < 2 * FEWEST_ANSWERS:
        return None
    one, other = np.array(asking), np.array(listening)
    points = float(one.mean() - other.mean())
    half = 1.96 * float(np.sqrt(one.var(ddof=1) / len(one) + other.var(ddof=1) / len(other)))
    return {"asking": len(one), "listening": len(other), "points": [points, points - half, points + half]}
