"""Markings from the timeline without names: how they are drawn, what is read, and how they compare with the panel.

A second marking never enters a panel figure; it is compared with the figures of the panel's independent cards.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction
from typing import Any, Final, TypeVar
from unicodedata import normalize

from interviews.enums import Aim, Outcome, Role
from scoring.enums import MarkingCause
from scoring.rules.inputs import MarkIn, PanelInputs
from scoring.rules.readings import read_rater
from scoring.rules.values import counted_ratings, number

T = TypeVar("T")

WHOLE: Final = 10_000
"""A draw is a number from 0 up to this, in hundredths of a percent."""


def draw(seed: str, application: int) -> int:
    """Return the application's number, from 0 below WHOLE: the same for the same seed, so that it can be explained."""
    return int.from_bytes(_hash(seed, "draw", application)) % WHOLE


def cause_of(drawn: int, percent: int, *, disagrees: bool) -> MarkingCause | None:
    """Say why an application is marked a second time, if it is. What is drawn is drawn whatever the panel found."""
    if drawn < percent * WHOLE // 100:
        return MarkingCause.RANDOM
    return MarkingCause.DISAGREEMENT if disagrees else None


def pick(seed: str, about: int, among: Collection[T]) -> T:
    """Choose one of several, alike for the same seed. `among` is not empty; its items have a lasting `str`."""
    return min(among, key=lambda one: _hash(seed, "pick", about, one))


def _hash(*parts: object) -> bytes:
    return hashlib.sha256("\n".join(map(str, parts)).encode()).digest()


def without_names(words: str, names: Iterable[str]) -> str:
    """Put "[...]" for every name of a person in the words: the whole name, and each part of it of two letters or more.

    Names in Chinese characters are found inside running text, the given name also alone (without one character of
    surname, or two); others only as words of their own, however accents and apostrophes are written. A surname of one
    character is not told from the word that it also is, and stays. Returns the words in NFC.
    """
    words = normalize("NFC", words)
    parts = {part for name in names for part in _parts(normalize("NFC", name))}
    for part in sorted(parts, key=lambda part: (-len(part), part)):
        sought = APOSTROPHE.sub(lambda _found: APOSTROPHE.pattern, re.escape(part))
        if not HAN.fullmatch(part):
            sought = rf"(?<!\w){sought}(?!\w)"
        words = re.sub(sought, "[...]", words, flags=re.IGNORECASE)
    return words


APOSTROPHE: Final = re.compile("['\u2018\u2019\u02bc\uff07]")
HAN: Final = re.compile(r"[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]+")


def _parts(name: str) -> set[str]:
    parts = {name.strip(), *name.split()}
    given = {part[surname:] for part in parts if HAN.fullmatch(part) for surname in (1, 2)}
    return {part for part in parts | given if len(part) > 1}


def agreement(own: Sequence[MarkIn], panel: PanelInputs) -> dict[str, Any]:
    """Compare one person's marks, answer by answer, with the panel's value of the same answers.

    The panel's value of an answer is the mean of the counted ratings of its raters' last independent revisions, its
    outcome the one most of them heard (none where they are even). `pairs` answers were rated by both; `difference` is
    the mean of own minus panel, `distance` that of what lies between, whichever way. None without a pair.
    """
    theirs: dict[tuple[str, Aim], list[int]] = {}
    heard: dict[str, Counter[Outcome]] = {}
    for rater in panel.raters:
        reading = read_rater(rater, panel.trees).independent
        if reading is None or rater.role == Role.SHADOW:
            continue
        for aim, value in reading.values.items():
            for one in value.ratings:
                theirs.setdefault((one.asked, aim), []).append(one.counts)
        for mark in reading.marks.values():
            if mark.outcome and mark.outcome != Outcome.NOT_JUDGED:
                heard.setdefault(mark.asked, Counter())[mark.outcome] += 1
    standing = {ask.asked for ask in panel.asked if ask.scored and not ask.voided}
    marks = [mark for mark in own if mark.asked in standing]
    ratings = {(one.asked, one.aim): one.counts for one in counted_ratings(marks, {})}
    return {
        "dimensions": {aim.value: _compared(aim, ratings, theirs) for aim in Aim},
        "outcomes": _same_outcomes(marks, heard),
    }


def _compared(
    aim: Aim, own: dict[tuple[str, Aim], int], theirs: dict[tuple[str, Aim], list[int]]
) -> dict[str, float | int | None]:
    pairs = [
        (Fraction(rating), Fraction(sum(theirs[key]), len(theirs[key])))
        for key, rating in own.items()
        if key[1] == aim and key in theirs
    ]
    return {
        "pairs": len(pairs),
        "own": number(_mean([mine for mine, _panel in pairs])),
        "panel": number(_mean([panel for _mine, panel in pairs])),
        "difference": number(_mean([mine - panel for mine, panel in pairs])),
        "distance": number(_mean([abs(mine - panel) for mine, panel in pairs])),
    }


def _mean(values: Sequence[Fraction]) -> Fraction | None:
    return sum(values, Fraction()) / len(values) if values else None


def _same_outcomes(marks: Sequence[MarkIn], heard: dict[str, Counter[Outcome]]) -> dict[str, int]:
    compared = same = 0
    for mark in marks:
        most = heard.get(mark.asked, Counter()).most_common(2)
        even = len(most) == 2 and most[0][1] == most[1][1]
        if mark.outcome and mark.outcome != Outcome.NOT_JUDGED and most and not even:
            compared += 1
            same += mark.outcome == most[0][0]
    return {"same": same, "of": compared}
