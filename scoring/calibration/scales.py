"""Reading the cells that hold ratings, and the scales they are on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from scoring.calibration.problems import BadInput, counted, listed, printable, rows_said
from scoring.stats.arrays import Bools, Ints
from scoring.stats.ratings import TOP_OF_THE_SCALE

WHOLE = re.compile(r"([+-]?[0-9]{1,9})(?:\.0*)?")
NUMBER = re.compile(r"[+-]?[0-9]*[.,]?[0-9]+(?:[eE][+-]?[0-9]+)?")
NO_RATING = {"", ".", "na", "n/a", "nan", "none", "null"}
RANGE = re.compile(r"(?:(?P<scale>.*)=)?(?P<low>-?[0-9]{1,9})(?:\.\.|-|:)(?P<high>-?[0-9]{1,9})")
ANY_SCALE = ""


@dataclass(frozen=True)
class ScaleRange:
    """A scale's name as given ("" where the file has one scale only), and its lowest and highest rating."""

    name: str
    lowest: int
    highest: int

    def __str__(self) -> str:
        return f"{f'{printable(self.name)} ' if self.name else ''}{self.lowest} to {self.highest}"


def read_range(text: str) -> ScaleRange:
    """Read `LOW-HIGH` or `SCALE=LOW-HIGH`; raises ValueError."""
    found = RANGE.fullmatch(text.strip())
    if found is None:
        raise ValueError(f"{text!r} is no range: write 0-4, or depth=0-4 for one scale")
    low, high = int(found["low"]), int(found["high"])
    if not 1 <= high - low <= TOP_OF_THE_SCALE:
        raise ValueError(f"{text!r}: a scale has 2 to {TOP_OF_THE_SCALE + 1} categories")
    return ScaleRange(found["scale"] or ANY_SCALE, low, high)


def read_cells(codes: Ints, cells: Sequence[str], rows: Ints, column: str) -> tuple[Ints, Bools]:
    """The ratings (n,) of coded cells, and where there is none. Raises BadInput for cells that are no whole number."""
    values, missing, bad = np.zeros(len(cells), np.int64), np.zeros(len(cells), bool), np.zeros(len(cells), bool)
    fractions = False
    for number, cell in enumerate(cells):
        text = cell.strip()
        whole = WHOLE.fullmatch(text)
        if whole is not None:
            values[number] = int(whole[1])
        elif text.casefold() in NO_RATING:
            missing[number] = True
        else:
            bad[number] = True
            fractions |= NUMBER.fullmatch(text) is not None
    if bad.any():
        at = np.flatnonzero(bad[codes])
        shown = [f"{printable(cells[code], 20)!r}" for code in dict.fromkeys(codes[at].tolist())]
        hint = " Fractions of a rating have no place on a rating scale." if fractions else ""
        raise BadInput(
            f"The column {printable(column)!r} must hold whole numbers, but holds {listed(shown)} "
            f"({rows_said(rows[at])}).{hint}"
        )
    return values[codes], missing[codes]


def place_on_scales(
    values: Ints, scale: Ints, names: Sequence[str], rows: Ints, given: Mapping[str, ScaleRange]
) -> tuple[list[ScaleRange], list[str]]:
    """Each scale's range, given or from its lowest to its highest rating, and what is to be noted of it.

    Raises BadInput for ratings off a given range, for negative ones and for too wide a span without one.
    """
    strange = sorted(set(given) - set(names) - {ANY_SCALE})
    if strange:
        known = (
            f"the scales are {listed([printable(name) for name in names], 10)}" if any(names) else "it has one scale"
        )
        raise BadInput(f"--range names a scale that the file has not: {printable(strange[0])}; {known}.")
    ranges, notes, problems = [], [], []
    for code, name in enumerate(names):
        at = np.flatnonzero(scale == code)
        mine, where = values[at], rows[at]
        wanted = given.get(name) or given.get(ANY_SCALE)
        found = _guess(name, mine) if wanted is None else ScaleRange(name, wanted.lowest, wanted.highest)
        problem = _guessed_badly(found, mine, where) if wanted is None else _off(found, mine, where)
        if problem:
            problems.append(problem)
            continue
        ranges.append(found)
        notes += _noted(found, mine, where, guessed=wanted is None)
    if problems:
        raise BadInput(*problems)
    return ranges, notes


def _guess(name: str, values: Ints) -> ScaleRange:
    low, high = int(values.min()), int(values.max())
    return ScaleRange(name, min(low, 0) if low == high else low, max(high, 1) if low == high else high)


def _off(scale: ScaleRange, values: Ints, rows: Ints) -> str:
    off = (values < scale.lowest) | (values > scale.highest)
    if not off.any():
        return ""
    shown = listed([str(value) for value in np.unique(values[off]).tolist()])
    return f"{counted(int(off.sum()), 'rating')} off the scale {scale}: {shown} ({rows_said(rows[off])})."


def _guessed_badly(scale: ScaleRange, values: Ints, rows: Ints) -> str:
    negative = values < 0
    if negative.any():
        return (
            f"Negative ratings ({rows_said(rows[negative])}). If they stand for missing ones, leave these cells empty; "
            "if the scale has them, say so: --range=-2..2"
        )
    if scale.highest - scale.lowest > TOP_OF_THE_SCALE:
        far = values - np.median(values)
        furthest = np.abs(far) == np.abs(far).max()
        return (
            f"Ratings run from {int(values.min())} to {int(values.max())}, and a scale has at most "
            f"{TOP_OF_THE_SCALE + 1} categories. The furthest: {rows_said(rows[furthest])}. Say what the scale is by "
            "--range, or group scores into categories."
        )
    return ""


def _noted(scale: ScaleRange, values: Ints, rows: Ints, *, guessed: bool) -> list[str]:
    notes = []
    counts = np.bincount(values - scale.lowest, minlength=scale.highest - scale.lowest + 1)
    seen = np.flatnonzero(counts)
    of = f" on the scale {printable(scale.name)}" if scale.name else ""
    if guessed:
        notes.append(
            f"Ratings{of} are taken to run from {scale.lowest} to {scale.highest}, as they do; --range says otherwise."
        )
    if len(seen) == 1:
        notes.append(f"All ratings{of} are {int(values[0])}: nothing can be told apart, and intervals are wide.")
    elif len(seen) < len(counts):
        never = [str(int(value) + scale.lowest) for value in np.setdiff1d(np.arange(len(counts)), seen)]
        notes.append(f"Nobody was ever given {listed(never, 20)}{of}.")
        gap = int(np.diff(seen).argmax())
        if guessed and seen[gap + 1] - seen[gap] > 1:
            beyond = values - scale.lowest >= seen[gap + 1]
            lone = beyond if 2 * beyond.sum() <= len(values) else ~beyond
            notes.append(f"If a rating is a slip, it may stand in {rows_said(rows[lone])}, apart from all others.")
    return notes
