"""What the interviews of closed applications say about one interviewer. Counts and sums only, so that they add up."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from interviews.enums import Aim
from scoring.rules.figures import STEP

MIDDLE: Final = 2
FEWEST_OTHERS: Final = 3
"""With fewer others than this a group's figure would be about somebody."""


@dataclass(frozen=True, slots=True)
class Sat:
    """One seat that asks or may come to ask, in one held interview.

    `ratings`: as given in the last independent card. `heard`: answers heard, `marked` of them. `planned`: trees that
    were this seat's to ask, `asked` of them. `late`: the card came late, or None where none was owed.
    """

    person: int
    application: int
    ratings: tuple[int, ...]
    heard: int
    marked: int
    planned: int
    asked: int
    late: bool | None


def figures_of_seats(seats: Sequence[Sat]) -> dict[str, Any]:
    """Add up the seats of one person."""
    ratings = Counter(rating for seat in seats for rating in seat.ratings)
    return {
        "interviews": len(seats),
        "ratings": {str(rating): ratings[rating] for rating in range(5)},
        "heard": sum(seat.heard for seat in seats),
        "marked": sum(seat.marked for seat in seats),
        "planned": sum(seat.planned for seat in seats),
        "asked": sum(seat.asked for seat in seats),
        "cards": sum(seat.late is not None for seat in seats),
        "late": sum(seat.late is True for seat in seats),
    }


def added_up(contents: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Add up the figures of a group; None for so few people that it would be about somebody."""
    if len(contents) < FEWEST_OTHERS:
        return None
    names = ("interviews", "heard", "marked", "planned", "asked", "cards", "late")
    total: dict[str, Any] = {name: sum(content[name] for content in contents) for name in names}
    total["ratings"] = {
        str(rating): sum(content["ratings"][str(rating)] for content in contents) for rating in range(5)
    }
    return total


@dataclass(frozen=True, slots=True)
class Spread:
    """How ratings lie: how many, their mean, their standard deviation, and the share of the middle one."""

    count: int
    mean: float
    deviation: float
    middle: float


def spread_of(ratings: Mapping[str, int]) -> Spread | None:
    """Return how ratings lie, by {rating: how often}; None without two of them."""
    count = sum(ratings.values())
    if count < 2:
        return None
    mean = sum(int(rating) * often for rating, often in ratings.items()) / count
    squares = sum((int(rating) - mean) ** 2 * often for rating, often in ratings.items())
    return Spread(count, mean, math.sqrt(squares / (count - 1)), ratings.get(str(MIDDLE), 0) / count)


def pooled_agreement(agreements: Iterable[Mapping[str, Any]]) -> dict[str, Any] | None:
    """Pool a person's markings without names, the first ones handed in first, in whole fives; None before the fifth.

    `difference` and `distance` are means over pairs, as in scoring.rules.blind.
    """
    agreements = list(agreements)
    kept = agreements[: len(agreements) // STEP * STEP]
    if not kept:
        return None
    return {
        "markings": len(kept),
        "dimensions": {aim.value: _pooled([one["dimensions"][aim.value] for one in kept]) for aim in Aim},
        "outcomes": {name: sum(one["outcomes"][name] for one in kept) for name in ("same", "of")},
    }


def _pooled(parts: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    pairs = sum(part["pairs"] for part in parts)
    found: dict[str, Any] = {"pairs": pairs}
    for name in ("difference", "distance"):
        total = sum(part[name] * part["pairs"] for part in parts if part["pairs"])
        found[name] = round(total / pairs, 4) if pairs else None
    return found
