"""Two texts compared: by the word in scripts with spaces, by the character in Chinese and its like. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Final

from questionbank.outline import Text

# A Han, kana or Hangul character stands alone; letters and digits make a word; blanks and signs are themselves.
_ALONE: Final = r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
TOKEN: Final = re.compile(rf"{_ALONE}|(?:(?!{_ALONE})[^\W_])+|\s+|.", re.DOTALL)
UNLIKE: Final = 0.4
"""Below this likeness a text was written anew: the old and the new whole are easier to read than their shreds."""
MOST_EDITS: Final = 120
"""A text with more words changed than this is shown whole, too; and comparing one never takes long."""


class Part(StrEnum):
    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class Piece:
    part: Part
    text: str


def likeness(one: Text, other: Text) -> float:
    """Return from 0 to 1 how much the two have of the same tokens, in the language where that is most."""
    likeness = 0.0
    for tag in one:
        if tag in other:
            before, after = _counted(one[tag]), _counted(other[tag])
            likeness = max(likeness, 2 * (before & after).total() / max(before.total() + after.total(), 1))
    return likeness


@lru_cache(maxsize=2048)
def tokens(text: str) -> tuple[str, ...]:
    return tuple(TOKEN.findall(text))


@lru_cache(maxsize=2048)
def _counted(text: str) -> Counter[str]:
    return Counter(tokens(text))


def pieces(old: str, new: str) -> tuple[Piece, ...]:
    """Return what stayed, what went and what came, in order: without the added pieces the old text, and the reverse."""
    before, after = tokens(old), tokens(new)
    start = _shared(before, after)
    end = _shared(before[start:][::-1], after[start:][::-1])
    middle_old, middle_new = before[start : len(before) - end], after[start : len(after) - end]
    found = [Piece(Part.SAME, "".join(before[:start]))]
    found += _middle(middle_old, middle_new, written_anew=start + end == 0)
    found.append(Piece(Part.SAME, "".join(before[len(before) - end :])))
    return tuple(piece for piece in found if piece.text)


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """Return how many tokens the two begin with alike."""
    return next(
        (n for n, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), min(len(one), len(other))
    )


@dataclass(slots=True)
class _Run:
    """Tokens that stayed (`kept`), or what went (`gone`) and came (`come`) in one place."""

    kept: list[str] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    come: list[str] = field(default_factory=list)

    @property
    def size(self) -> int:
        return max(len(self.gone), len(self.come))


def _middle(old: Sequence[str], new: Sequence[str], *, written_anew: bool) -> list[Piece]:
    most = MOST_EDITS
    if written_anew:
        most = min(most, int((1 - UNLIKE) * (len(old) + len(new))))
    kept = _longest_kept(old, new, most) if old and new else []
    if kept is None:
        kept = []
    return [
        piece
        for run in _joined(_runs(old, new, kept))
        for piece in (
            Piece(Part.SAME, "".join(run.kept)),
            Piece(Part.REMOVED, "".join(run.gone)),
            Piece(Part.ADDED, "".join(run.come)),
        )
    ]


def _longest_kept(old: Sequence[str], new: Sequence[str], most: int) -> list[tuple[int, int]] | None:
    """Return the places (in old, in new) of a longest common sequence of tokens, None beyond `most` edits.

    Myers' greedy algorithm: quick where little changed, and never more than most * most steps.
    """
    n, m = len(old), len(new)
    furthest = {1: 0}
    trail: list[dict[int, int]] = []
    for edits in range(most + 1):
        trail.append(dict(furthest))
        for k in range(-edits, edits + 1, 2):
            down = k == -edits or (k != edits and furthest[k - 1] < furthest[k + 1])
            x = furthest[k + 1] if down else furthest[k - 1] + 1
            while x < n and x - k < m and old[x] == new[x - k]:
                x += 1
            furthest[k] = x
            if x >= n and x - k >= m:
                return _way_back(trail, n, m)
    return None


def _way_back(trail: Sequence[dict[int, int]], n: int, m: int) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    x, y = n, m
    for edits in range(len(trail) - 1, -1, -1):
        furthest, k = trail[edits], x - y
        down = k == -edits or (k != edits and furthest[k - 1] < furthest[k + 1])
        before = furthest[k + 1] if down else furthest[k - 1]
        start = before if down else before + 1
        if not edits:
            start = 0
        found += [(place, place - k) for place in range(x - 1, start - 1, -1)]
        x, y = before, before - (k + 1 if down else k - 1)
    return found[::-1]


def _runs(old: Sequence[str], new: Sequence[str], kept: Sequence[tuple[int, int]]) -> Iterator[_Run]:
    x = y = 0
    for i, j in (*kept, (len(old), len(new))):
        if i > x or j > y:
            yield _Run(gone=list(old[x:i]), come=list(new[y:j]))
        if i < len(old):
            yield _Run(kept=[old[i]])
        x, y = i + 1, j + 1


def _joined(runs: Iterator[_Run]) -> list[_Run]:
    """Join what stayed into runs, and changes that little stands between: "one two" -> "three four" is one change.

    Little is what is no longer than the changes on both its sides (as in diff-match-patch).
    """
    found: list[_Run] = []
    for run in runs:
        if run.kept and found and found[-1].kept:
            found[-1].kept += run.kept
            continue
        found.append(run)
        while len(found) > 2 and not found[-1].kept and len(found[-2].kept) <= min(found[-3].size, found[-1].size):
            last, between, first = found.pop(), found.pop().kept, found[-1]
            first.gone += between + last.gone
            first.come += between + last.come
    return found
