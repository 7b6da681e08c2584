"""What a calibration run adds to a panel card: values with intervals, and the steps from the raw ones, which add up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from interviews.enums import Aim
from scoring.enums import NoValue
from scoring.rules.inputs import CalibratedIn, PanelInputs
from scoring.rules.readings import RaterReading
from scoring.rules.values import mean

AFTER_SEEING_OTHERS = "after_seeing_others"
"""Is there only where somebody submitted or amended after seeing others: the calibration leaves that out."""
STEPS: tuple[str, ...] = ("who_asked", "what_was_asked", "how_little_was_seen")
PLACES = 4


def calibrated_content(aim: Aim, inputs: PanelInputs, readings: Sequence[RaterReading]) -> dict[str, Any]:
    """Return `calibrated` (value, low, high, steps), or None and in `calibrated_missing` why there is no number."""
    if inputs.calibration is None:
        return _missing(NoValue.NO_CALIBRATION_RUN)
    raw = raw_value(aim, readings)
    found = next((row for row in inputs.calibration.dimensions if row.aim == aim), None)
    if found is None or raw is None:
        return _missing(NoValue.CANNOT_BE_TOLD)
    return {"calibrated": _calibrated(found, round(float(raw), PLACES)), "calibrated_missing": None}


def raw_value(aim: Aim, readings: Iterable[RaterReading]) -> Fraction | None:
    """The panel's raw value of a dimension: the mean of the raters' values; None where nobody has one."""
    return mean([value for reading in readings if (value := reading.latest.values[aim].value) is not None])


def _calibrated(found: CalibratedIn, raw: float) -> dict[str, Any]:
    names = STEPS
    values = [found.raw, found.who_allowed, found.what_allowed, found.value]
    if found.raw != raw:
        names, values = (AFTER_SEEING_OTHERS, *STEPS), [raw, *values]
    return {
        "value": found.value,
        "low": found.low,
        "high": found.high,
        "ratings": found.ratings,
        "steps": [
            {"step": step, "after": now, "moves": round(now - then, PLACES)}
            for step, (then, now) in zip(names, pairwise(values), strict=True)
        ],
    }


def _missing(why: NoValue) -> dict[str, Any]:
    return {"calibrated": None, "calibrated_missing": why.value}


def calibration_content(inputs: PanelInputs) -> dict[str, Any] | None:
    """Return the run that was used and what it says of those who asked; None before there is one."""
    if inputs.calibration is None:
        return None
    return {
        "run": inputs.calibration.run,
        "severities": [
            {"person": row.person, "points": row.points, "interviews": row.interviews, "assumed": row.assumed}
            for row in inputs.calibration.severities
        ],
    }
