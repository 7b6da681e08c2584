"""The plot of the three dimensions: every rater's value and their mean on the scale 0 to 4, and a lane kept free for
the calibrated value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scoring.labels import AIMS
from scoring.reports.sentences import one_decimal, two_decimals

LEFT, UNIT = 184, 104  # x of 0, and width of one point of the scale
LANE = 84  # height of one dimension
CLOSE = 14  # letters nearer than this would touch: the next one is lifted
LIFT = 12


@dataclass(frozen=True, slots=True)
class Letter:
    letter: str
    x: str
    y: int


@dataclass(frozen=True, slots=True)
class Lane:
    """One dimension. Coordinates are attribute texts; `note` says in words what the drawing can't."""

    label: str
    raw_y: int
    calibrated_y: int
    figure_y: int
    rule_y: int
    range_path: str
    ticks: tuple[str, ...]
    letters: tuple[Letter, ...]
    mean_path: str
    raw: str
    note: str
    clash: str


@dataclass(frozen=True, slots=True)
class Plot:
    height: int
    grid: tuple[tuple[str, int], ...]
    lanes: tuple[Lane, ...]
    summary: str
    rows: tuple[tuple[str, tuple[str, ...], str], ...]


def draw(
    dimensions: Mapping[str, Any], letters: Mapping[int, str], names: Mapping[int, str], clashes: Mapping[str, str]
) -> Plot:
    """`dimensions`: a panel card's. `letters`, `names`: by person. `clashes`: aim -> words, where raters differ."""
    lanes = tuple(_lane(aim, dimensions[aim], place, letters, clashes.get(aim, "")) for place, aim in enumerate(AIMS))
    bottom = 34 + LANE * len(lanes)
    return Plot(
        height=bottom + 26,
        grid=tuple((str(LEFT + UNIT * value), value) for value in range(5)),
        lanes=lanes,
        summary=" ".join(_said(aim, dimensions[aim], names) for aim in AIMS),
        rows=tuple(_row(aim, dimensions[aim], list(letters)) for aim in AIMS),
    )


def _lane(aim: str, row: Mapping[str, Any], place: int, letters: Mapping[int, str], clash: str) -> Lane:
    top = 26 + LANE * place
    y = top + 34
    known = sorted(
        (rater["value"], letters[rater["person"]]) for rater in row["by_rater"] if rater["value"] is not None
    )
    xs = [LEFT + UNIT * value for value, _letter in known]
    mean = row["value"]
    return Lane(
        label=str(AIMS[aim]),
        raw_y=y,
        calibrated_y=y + 28,
        figure_y=y + 18,
        rule_y=top + LANE + 6,
        range_path=f"M{xs[0]:.1f} {y}H{xs[-1]:.1f}" if len(xs) > 1 else "",
        ticks=tuple(f"M{x:.1f} {y - 3}v6" for x in xs),
        letters=tuple(_letters(xs, [letter for _value, letter in known], y - 7)),
        mean_path=f"M{LEFT + UNIT * mean:.1f} {y - 5}l5 5l-5 5l-5-5z" if mean is not None else "",
        raw=two_decimals(mean) if mean is not None else "",
        note="" if mean is not None else _missing(row["missing"]),
        clash=clash,
    )


def _letters(xs: Sequence[float], letters: Sequence[str], y: int) -> list[Letter]:
    """Place letters over their values; where they would touch, lift the next one."""
    placed: list[Letter] = []
    lifted = 0
    for place, (x, letter) in enumerate(zip(xs, letters, strict=True)):
        lifted = lifted + 1 if place and x - xs[place - 1] < CLOSE else 0
        placed.append(Letter(letter, f"{x:.1f}", y - LIFT * min(lifted, 2)))
    return placed


def _missing(code: str) -> str:
    return {"not_enough_evidence": _("not enough evidence"), "no_raters": _("no card yet")}[code]


def _said(aim: str, row: Mapping[str, Any], names: Mapping[int, str]) -> str:
    label = str(AIMS[aim])
    if row["value"] is None:
        return _("%(aim)s: %(missing)s.") % {"aim": label, "missing": _missing(row["missing"])}
    each = _(", ").join(
        f"{names[rater['person']]} {one_decimal(rater['value'])}"
        for rater in row["by_rater"]
        if rater["value"] is not None
    )
    return _("%(aim)s: raw %(value)s (%(each)s).") % {"aim": label, "value": two_decimals(row["value"]), "each": each}


def _row(aim: str, row: Mapping[str, Any], people: Sequence[int]) -> tuple[str, tuple[str, ...], str]:
    values = {rater["person"]: rater["value"] for rater in row["by_rater"]}
    cells = tuple(
        one_decimal(values[person]) if values.get(person) is not None else _("not enough evidence") for person in people
    )
    return str(AIMS[aim]), cells, two_decimals(row["value"]) if row["value"] is not None else _missing(row["missing"])
