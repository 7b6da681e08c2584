"""How alike two prompts are, and which of thousands nearly repeat another.

Likeness is the one that PostgreSQL's pg_trgm computes, so that a file is judged without a database as the bank is with
one: the share of trigrams that two texts have in common, over their normalised form.
"""

from __future__ import annotations

import math
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from questionbank.enums import ProbeKind
from questionbank.lint.findings import Finding, Severity
from questionbank.outline import OutlineProbe, OutlineTree

NEAR: Final = 0.5
"""From here on two prompts nearly repeat each other. Unlike prompts on one topic stay below 0.4 in English and 0.2 in
Chinese (measured over the starter bank); one with a word exchanged or a few added stays above 0.5."""
FEWEST: Final = 8
"""Trigrams. Shorter prompts ("Why?", "为什么？") are asked everywhere and repeat nothing."""
MOST_COMPARED: Final = 200
MOST_LOOKED_AT: Final = 20_000
"""For each prompt. A bank of thousands made by one pattern comes near; one that a prompt repeats is found even so."""


def normalised(words: str) -> str:
    """Return letters and digits of any script, small, one space between words: what likeness is measured on."""
    folded = unicodedata.normalize("NFKC", words).casefold()
    return " ".join("".join(char if char.isalnum() else " " for char in folded).split())


def trigrams(words: str) -> frozenset[str]:
    """Return the trigrams of a normalised text, each word with two spaces before and one behind (`show_trgm`)."""
    padded = (f"  {word} " for word in words.split())
    return frozenset(word[start : start + 3] for word in padded for start in range(len(word) - 2))


def similarity(one: str, other: str) -> float:
    """Return how alike two texts are, 0 to 1, as pg_trgm's `similarity()` of their normalised forms."""
    return _shared(trigrams(normalised(one)), trigrams(normalised(other)))


def _shared(one: frozenset[str], other: frozenset[str]) -> float:
    common = len(one & other)
    return common / ((len(one) + len(other) - common) or 1)


@dataclass(frozen=True, slots=True)
class _Prompt:
    place: tuple[int, int]
    """Number of the tree, index of the probe."""
    probe: OutlineProbe
    grams: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Match:
    likeness: float
    language: str
    other: _Prompt


def near_duplicates(trees: Sequence[OutlineTree], *, near: float = NEAR) -> list[Finding]:
    """Return one finding for each probe whose prompt nearly repeats an earlier one, in any language of both.

    A rescue may repeat the probe that it rephrases.
    """
    best: dict[tuple[int, int], _Match] = {}
    for language in sorted({tag for tree in trees for probe in tree.probes for tag in probe.prompt}):
        for prompt, other, likeness in _matches(_prompts(trees, language), near):
            if prompt.place not in best or best[prompt.place].likeness < likeness:
                best[prompt.place] = _Match(likeness, language, other)
    return [
        near_duplicate(
            trees[tree].key,
            trees[tree].probes[index].key,
            match.language,
            other=(trees[match.other.place[0]].key, match.other.probe.key),
            likeness=match.likeness,
            index=index,
        )
        for (tree, index), match in sorted(best.items(), key=lambda item: item[0])
    ]


def near_duplicate(
    tree: str, probe: str, language: str, *, other: tuple[str, str], likeness: float, index: int | None = None
) -> Finding:
    """Return the finding that a probe nearly repeats another, named by its tree and key."""
    values: dict[str, str | int] = {
        "language": language,
        "other_tree": other[0],
        "other": other[1],
        "percent": round(100 * likeness),
    }
    return Finding("near_duplicate", Severity.LOOK, tree, probe, f"prompt.{language}", values, index)


def _prompts(trees: Sequence[OutlineTree], language: str) -> list[_Prompt]:
    found = (
        _Prompt((number, index), probe, trigrams(normalised(probe.prompt.get(language, ""))))
        for number, tree in enumerate(trees)
        for index, probe in enumerate(tree.probes)
    )
    return [prompt for prompt in found if len(prompt.grams) >= FEWEST]


def _matches(prompts: Sequence[_Prompt], near: float) -> Iterator[tuple[_Prompt, _Prompt, float]]:
    """Yield (later, earlier, likeness): for each prompt the earlier one most like it, if that is at least `near`.

    Not all pairs are compared. Two sets that share at least `near` of their union share n of the rarest trigrams of
    each, |A| - ceil(near |A|) + n of them: it is enough to count who holds those.
    """
    frequency = Counter(gram for prompt in prompts for gram in prompt.grams)
    holders: dict[str, list[int]] = {}
    shared = math.ceil(near * FEWEST)
    for number, prompt in enumerate(prompts):
        size = len(prompt.grams)
        by_rarity = sorted(prompt.grams, key=lambda gram: (frequency[gram], gram))
        rarest = by_rarity[: size - math.ceil(near * size - 1e-9) + shared]
        rated = [
            (_shared(prompt.grams, prompts[other].grams), -other)
            for other in _holding(rarest, holders, shared)
            if not _rephrases(prompt, prompts[other])
        ]
        likeness, other = max(rated, default=(0.0, 0))
        if likeness >= near:
            yield prompt, prompts[-other], likeness
        for gram in rarest:
            holders.setdefault(gram, []).append(number)


def _holding(grams: Sequence[str], holders: Mapping[str, Sequence[int]], shared: int) -> list[int]:
    """Return who holds at least `shared` of these trigrams, those that hold most first, up to a limit."""
    counts: Counter[int] = Counter()
    looked_at = 0
    for gram in grams:
        found = holders.get(gram, ())
        looked_at += len(found)
        if looked_at > MOST_LOOKED_AT:
            break
        counts.update(found)
    return [number for number, count in counts.most_common(MOST_COMPARED) if count >= shared]


def _rephrases(one: _Prompt, other: _Prompt) -> bool:
    if one.place[0] != other.place[0]:
        return False
    return any(
        rescue.probe.kind is ProbeKind.RESCUE and rescue.probe.parent == asked.probe.key
        for rescue, asked in ((one, other), (other, one))
    )
