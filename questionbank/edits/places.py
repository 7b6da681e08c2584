"""Numbers for an order, of which as few as possible change: a move in a tree of 200 writes one row, not 200."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Final

STRIDE: Final = 1000
"""How far apart numbers are when they are given anew: room for about ten probes in the same gap, one after another."""


def positions(order: Sequence[str], old: Mapping[str, int]) -> dict[str, int]:
    """Return the numbers that differ from `old`, so that all of `order` then rises strictly. None is negative."""
    kept = _longest_rise(order, old)
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


def _longest_rise(order: Sequence[str], old: Mapping[str, int]) -> set[str]:
    """Return the most keys whose old numbers already rise in this order."""
    tails: list[int] = []
    last: list[str] = []
    before: dict[str, str | None] = {}
    for key in order:
        if key not in old:
            continue
        index = bisect_left(tails, old[key])
        before[key] = last[index - 1] if index else None
        if index == len(tails):
            tails.append(old[key])
            last.append(key)
        else:
            tails[index], last[index] = old[key], key
    kept: set[str] = set()
    key_: str | None = last[-1] if last else None
    while key_ is not None:
        kept.add(key_)
        key_ = before[key_]
    return kept
