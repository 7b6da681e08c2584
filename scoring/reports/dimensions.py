"""The plot of the three dimensions on the scale 0 to 4: every rater's value and their mean, and on the same axis the
calibrated value with its 95% interval. Two shapes of it, so that a narrow page needs no scrolling."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from scoring.labels import AIMS
from scoring.reports.sentences import interval, one_decimal, two_decimals

LANE = 84  # height of one dimension
CLOSE = 14  # letters nearer than this would touch: the next one is lifted
LIFT = 12


@dataclass(frozen=True, slots=True)
class Shape:
    """`left`: x of 0; `unit`: width of one point. The figures' columns end at their x; 0 leaves them to the words.
    `clash_below`: how far below the calibrated line it is said that raters differ."""

    width: int
    left: int
    unit: int
    kind_x: int
    clash_below: int
    raw_x: int = 0
    calibrated_x: int = 0
    interval_x: int = 0


WIDE = Shape(width=824, left=184, unit=104, kind_x=170, clash_below=4, raw_x=668, calibrated_x=736, interval_x=820)
NARROW = Shape(width=388, left=118, unit=65, kind_x=106, clash_below=20)


@dataclass(frozen=True, slots=True)
class Letter:
    letter: str
    x: str
    y: int


@dataclass(frozen=True, slots=True)
class Interval:
    """A calibrated value and its interval, as SVG paths at the lane's `calibrated_y`."""

    range_path: str
    caps_path: str
    dot_x: str
    value: str
    interval: str


@dataclass(frozen=True, slots=True)
class Lane:
    """One dimension. Coordinates are attribute texts; `note` and `waits` say in words what the drawing can't."""

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
    clash_y: int
    provisional: bool
    calibrated: Interval | None
    waits: str


@dataclass(frozen=True, slots=True)
class Row:
    """The table's row: a cell for each rater, in the order of the letters."""

    label: str
    cells: tuple[str, ...]
    raw: str
    calibrated: str
    interval: str


@dataclass(frozen=True, slots=True)
class Plot:
    shape: Shape
    height: int
    grid: tuple[tuple[str, int], ...]
    lanes: tuple[Lane, ...]
    summary: str
    rows: tuple[Row, ...]
    calibrated: bool


def draw(
    dimensions: Mapping[str, Any],
    letters: Mapping[int, str],
    names: Mapping[int, str],
    clashes: Mapping[str, str],
    *,
    shape: Shape = WIDE,
) -> Plot:
    """`dimensions`: a panel card's. `letters`, `names`: by person. `clashes`: aim -> words, where raters differ."""
    lanes = tuple(
        _lane(aim, dimensions[aim], place, letters, clashes.get(aim, ""), shape) for place, aim in enumerate(AIMS)
    )
    bottom = 34 + LANE * len(lanes)
    return Plot(
        shape=shape,
        height=bottom + 26,
        grid=tuple((str(shape.left + shape.unit * value), value) for value in range(5)),
        lanes=lanes,
        summary=" ".join(_said(aim, dimensions[aim], names) for aim in AIMS),
        rows=tuple(_row(aim, dimensions[aim], list(letters)) for aim in AIMS),
        calibrated=any(dimensions[aim]["calibrated"] for aim in AIMS),
    )


def _lane(aim: str, row: Mapping[str, Any], place: int, letters: Mapping[int, str], clash: str, shape: Shape) -> Lane:
    top = 26 + LANE * place
    y = top + 34
    known = sorted(
        (rater["value"], letters[rater["person"]]) for rater in row["by_rater"] if rater["value"] is not None
    )
    xs = [_x(value, shape) for value, _letter in known]
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
        mean_path=f"M{_x(mean, shape):.1f} {y - 5}l5 5l-5 5l-5-5z" if mean is not None else "",
        raw=two_decimals(mean) if mean is not None else "",
        note="" if mean is not None else missing(row["missing"]),
        clash=clash,
        clash_y=y + 28 + shape.clash_below,
        provisional=bool(row["provisional"]) and mean is not None,
        calibrated=_interval(row["calibrated"], y + 28, shape) if row["calibrated"] else None,
        waits="" if row["calibrated"] else waits(row["calibrated_missing"]),
    )


def _x(value: float, shape: Shape) -> float:
    return shape.left + shape.unit * value


def _interval(found: Mapping[str, Any], y: int, shape: Shape) -> Interval:
    low, high = _x(found["low"], shape), _x(found["high"], shape)
    return Interval(
        range_path=f"M{low:.1f} {y}H{high:.1f}",
        caps_path=f"M{low:.1f} {y - 5}v10M{high:.1f} {y - 5}v10",
        dot_x=f"{_x(found['value'], shape):.1f}",
        value=two_decimals(found["value"]),
        interval=interval(found["low"], found["high"]),
    )


def _letters(xs: Sequence[float], letters: Sequence[str], y: int) -> list[Letter]:
    """Place letters over their values; where they would touch, lift the next one."""
    placed: list[Letter] = []
    lifted = 0
    for place, (x, letter) in enumerate(zip(xs, letters, strict=True)):
        lifted = lifted + 1 if place and x - xs[place - 1] < CLOSE else 0
        placed.append(Letter(letter, f"{x:.1f}", y - LIFT * min(lifted, 2)))
    return placed


def missing(code: str) -> str:
    """Why there is no raw value."""
    return {"not_enough_evidence": _("not enough evidence"), "no_raters": _("no card yet")}[code]


def waits(code: str) -> str:
    """Why there is no calibrated value."""
    return {
        "no_calibration_run": _("not yet"),
        "cannot_be_told": _("can't be told"),
        "switched_off": _("switched off"),
    }[code]


def _said(aim: str, row: Mapping[str, Any], names: Mapping[int, str]) -> str:
    label = str(AIMS[aim])
    if row["value"] is None:
        return _("%(aim)s: %(missing)s.") % {"aim": label, "missing": missing(row["missing"])}
    each = _(", ").join(
        f"{names[rater['person']]} {one_decimal(rater['value'])}"
        for rater in row["by_rater"]
        if rater["value"] is not None
    )
    words = {"aim": label, "value": two_decimals(row["value"]), "each": each}
    if found := row["calibrated"]:
        words |= {"calibrated": two_decimals(found["value"]), "interval": interval(found["low"], found["high"])}
        return _("%(aim)s: raw %(value)s (%(each)s), calibrated %(calibrated)s (95%%: %(interval)s).") % words
    return _("%(aim)s: raw %(value)s (%(each)s).") % words


def _row(aim: str, row: Mapping[str, Any], people: Sequence[int]) -> Row:
    values = {rater["person"]: rater["value"] for rater in row["by_rater"]}
    found = row["calibrated"]
    return Row(
        label=str(AIMS[aim]),
        cells=tuple(
            one_decimal(values[person]) if values.get(person) is not None else _("not enough evidence")
            for person in people
        ),
        raw=two_decimals(row["value"]) if row["value"] is not None else missing(row["missing"]),
        calibrated=two_decimals(found["value"]) if found else waits(row["calibrated_missing"]),
        interval=interval(found["low"], found["high"]) if found else "",
    )
