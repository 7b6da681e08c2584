"""Orders that more than one part of the bank needs. Pure."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence


def english_first(tag: str) -> tuple[bool, str]:
    """The key by which languages are sorted: English, then by tag."""
    return (tag != "en", tag)


def longest_rise(order: Sequence[str], numbers: Mapping[str, int]) -> set[str]:
    """Return the most keys whose numbers rise strictly in this order, in any distance. Keys without one are no part."""
    tails: list[int] = []
    last: list[str] = []
    before: dict[str, str | None] = {}
    for key in order:
        if key not in numbers:
            continue
        place = bisect_left(tails, numbers[key])
        before[key] = last[place - 1] if place else None
        tails[place : place + 1], last[place : place + 1] = [numbers[key]], [key]
    kept: set[str] = set()
    here = last[-1] if last else None
    while here is not None:
        kept.add(here)
        here = before[here]
    return kept
