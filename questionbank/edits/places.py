"""Numbers for an order, of which as few as possible change: a move in a tree of 200 writes one row, not 200."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from questionbank.ordering import longest_rise

STRIDE: Final = 1000
"""How far apart numbers are when they are given anew: room for about ten probes in the same gap, one after another."""


def positions(order: Sequence[str], old: Mapping[str, int]) -> dict[str, int]:
    """Return the numbers that differ from `old`, so that all of `order` then rises strictly. None is negative."""
    kept = longest_rise(order, old)
    numbers: dict[str, int] = {}
    low = -1
    waiting: list[str] = []
    for key in order:
        if key not in kept:
            waiting.append(key)
            continue
        if len(waiting) > old[key] - low - 1:
            return _anew(order, old)
        _spread(numbers, waiting, low, old[key])
        low, waiting = old[key], []
    _spread(numbers, waiting, low, low + STRIDE * (len(waiting) + 1))
    return numbers


def _anew(order: Sequence[str], old: Mapping[str, int]) -> dict[str, int]:
    numbers = {key: (index + 1) * STRIDE for index, key in enumerate(order)}
    return {key: number for key, number in numbers.items() if old.get(key) != number}


def _spread(numbers: dict[str, int], keys: Sequence[str], low: int, high: int) -> None:
    for index, key in enumerate(keys, 1):
        numbers[key] = low + (high - low) * index // (len(keys) + 1)
