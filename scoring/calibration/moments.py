"""The times of a file's ratings, for drift: dates, or plain numbers such as a year or a count of days."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np

from scoring.calibration.fitting import Fitted
from scoring.calibration.problems import BadInput, listed, printable, rows_said
from scoring.stats.arrays import Floats
from scoring.stats.drift import Drift, drift, last_period
from scoring.stats.facets import Options


def find_drift(fitted: Fitted, periods: int) -> tuple[Drift, str]:
    """Whose severity moved in the last of so many periods, and the cell that the last one begins with.

    Raises BadInput for a file without times, times that can't be read, and times that make no two periods.
    """
    sheet, found = fitted.sheet, fitted.found
    if sheet.time is None:
        raise BadInput("--drift needs to know when: a column time, or another one by --time-column.")
    read = [moment(cell) for cell in sheet.time.values]
    times = np.array([math.nan if one is None else one for one in read])[sheet.time.codes]
    bad = np.isnan(times)
    if bad.any():
        shown = dict.fromkeys(repr(printable(sheet.time.values[code], 30)) for code in sheet.time.codes[bad].tolist())
        raise BadInput(
            f"The time must be a date like 2026-03-31, a date with a time, or a number, but is {listed(list(shown))} "
            f"({rows_said(sheet.rows[bad])})."
        )
    session: Floats = np.full(len(sheet.ratings.session_candidate), np.inf)
    np.minimum.at(session, sheet.ratings.session, times)
    late = last_period(session, periods)
    if late.all():
        raise BadInput("--drift: the times make no two periods.")
    first = session[late].min()
    since = sheet.time.values[int(sheet.time.codes[int(np.flatnonzero(times == first)[0])])]
    begin = None if fitted.fused else found.vector  # with boundaries there are more parameters than ratings have
    return drift(sheet.ratings, late, Options(terms=found.terms, variances=found.variances, begin=begin)), since


def moment(cell: str) -> float | None:
    """Seconds of a date, or the number itself; None for neither. Times without a zone are taken as UTC."""
    text = cell.strip()
    try:
        number = float(text)
    except ValueError:
        return _date(text)
    return number if math.isfinite(number) else None


def _date(text: str) -> float | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    zoned = found if found.tzinfo else found.replace(tzinfo=UTC)
    try:
        return zoned.timestamp()
    except (OverflowError, ValueError):
        return None


def drift_json(found: Drift, since: str, names: Sequence[str]) -> dict[str, object]:
    """Drift as plain numbers and names."""
    return {
        "since": since,
        "tested": int(found.tested.sum()),
        "shifts": [
            {
                "id": names[one.interviewer],
                "shift": one.shift,
                "se": one.shift_se,
                "t": one.t,
                "p": one.p,
                "sessions_before": one.before,
                "sessions_after": one.after,
            }
            for one in found.shifts
        ],
    }
