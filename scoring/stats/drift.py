"""Whether an interviewer has become stricter or more lenient, found one by one.

Every session has a posterior halo effect gamma. An interviewer whose severity moved leaves it in their sessions: those
of the last period are held against those before by Welch's t-test (1947), whose null p-values are calibrated here. But
whoever moved pulls those who shared candidates with them, so that testing all at once flags their colleagues too.
Therefore stepwise: while the step-up rule of Benjamini & Hochberg (1995) would reject anyone, whoever has the least p
is flagged and gets a severity of their own for the last period, everything is fitted again, and the rest tested anew.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
import scipy

from scoring.stats.arrays import Bools, Floats, Ints, count_by
from scoring.stats.facets import Options, calibrate
from scoring.stats.ratings import Ratings
from scoring.stats.results import Calibration

LEVEL = 0.10
"""Share of the flagged who did not move, on average; the chance of flagging anyone when nobody did."""
FEWEST_SESSIONS = 3
PERIODS = 4
LATE = "{} (last period)"


@dataclass(frozen=True)
class Shift:
    """A flagged interviewer, by code: sessions in both periods, Welch's t and its p, and the change of severity with
    its standard error (logits, positive is stricter) from the last fit."""

    interviewer: int
    before: int
    after: int
    t: float
    p: float
    shift: float
    shift_se: float


@dataclass(frozen=True, eq=False)
class Drift:
    """What was found. `shifts` in the order of flagging; `tested` (R,) who had sessions enough in both periods; `p`
    (R,) from the first fit, NaN for those not tested. `calibration` is the last fit: flagged interviewers have a second
    code in it for the last period, after all others, in the order of `shifts`."""

    shifts: tuple[Shift, ...]
    tested: Bools
    p: Floats
    calibration: Calibration = field(repr=False)


def last_period(time: Floats, periods: int = PERIODS) -> Bools:
    """Cut sessions with times (sessions,) into so many periods of as many sessions each; which lie in the last.

    Sessions of one time are never parted: they all belong to the later period."""
    if not len(time):
        return np.zeros(0, bool)
    start = np.sort(time)[len(time) - max(len(time) // periods, 1)]
    return np.asarray(time >= start)


def drift(ratings: Ratings, late: Bools, options: Options | None = None, *, level: float = LEVEL) -> Drift:
    """Find the interviewers whose severity is another in the sessions `late` (sessions,) than in those before.

    Raises ValueError when the halo effect is switched off: it is what is tested.
    """
    options = options or Options()
    if not options.terms.halo:
        raise ValueError("Drift is looked for in halo effects: don't switch them off.")
    if late.shape != ratings.session_candidate.shape:
        raise ValueError(f"late must say of each of {len(ratings.session_candidate)} sessions whether it is late.")
    found = calibrate(ratings, options)
    t, p = welch(found.halo, ratings.session_interviewer, late, ratings.interviewers)
    first = p
    flagged: list[tuple[int, float, float]] = []
    while True:
        if not _anyone(p, len(flagged), int(np.isfinite(first).sum()), level):
            break
        worst = int(np.nanargmin(p))
        flagged.append((worst, float(t[worst]), float(p[worst])))
        found = _refitted(found, worst, late, options)
        t, p = welch(found.halo, found.ratings.session_interviewer, late, found.ratings.interviewers)
        t, p = t[: len(first)], p[: len(first)]
    return Drift(_shifts(ratings, late, flagged, found), np.isfinite(first), first, found)


def welch(effects: Floats, code: Ints, late: Bools, size: int) -> tuple[Floats, Floats]:
    """Welch's t and two-sided p of late minus early effects (m,) for each of `size` codes (m,), NaN where either
    period has fewer than three."""
    with np.errstate(invalid="ignore", divide="ignore"):
        n, mean, spread = np.empty((3, 2, size))
        for place, rows in enumerate((~late, late)):
            n[place] = np.bincount(code[rows], minlength=size)
            mean[place] = count_by(code[rows], effects[rows], size) / n[place]
            off = effects[rows] - mean[place][code[rows]]
            spread[place] = count_by(code[rows], off**2, size) / (n[place] - 1.0) / n[place]
        t = (mean[1] - mean[0]) / np.sqrt(spread.sum(axis=0))
        freedom = spread.sum(axis=0) ** 2 / (spread**2 / (n - 1.0)).sum(axis=0)
        p = 2.0 * scipy.special.stdtr(freedom, -np.abs(t))
    enough = (n >= FEWEST_SESSIONS).all(axis=0) & np.isfinite(t) & np.isfinite(freedom)
    return np.where(enough, t, np.nan), np.where(enough, p, np.nan)


def _anyone(p: Floats, flagged: int, tested: int, level: float) -> bool:
    """Whether the step-up rule rejects one of the p left, those flagged before being the least of all."""
    left = np.sort(p[np.isfinite(p)])
    ranks = flagged + np.arange(1, len(left) + 1)
    return bool((left <= level * ranks / max(tested, 1)).any())


def _refitted(found: Calibration, worst: int, late: Bools, options: Options) -> Calibration:
    """Fit again, starting where the last fit ended, with a second code for the worst one's late sessions."""
    ratings = found.ratings
    moved = (ratings.interviewer == worst) & late[ratings.session]
    names = ratings.labels.interviewer
    split = replace(
        ratings,
        interviewer=np.where(moved, ratings.interviewers, ratings.interviewer),
        labels=replace(ratings.labels, interviewer=(*names, LATE.format(names[worst]))),
    )
    begin = np.insert(found.vector, ratings.interviewers, found.vector[worst])
    return calibrate(split, replace(options, begin=begin, variances=found.variances))


def _shifts(
    ratings: Ratings, late: Bools, flagged: list[tuple[int, float, float]], found: Calibration
) -> tuple[Shift, ...]:
    of = ratings.session_interviewer
    shifts = []
    for place, (code, t, p) in enumerate(flagged):
        second = ratings.interviewers + place
        covariance = found.covariance[np.ix_([code, second], [code, second])]
        variance = covariance[0, 0] + covariance[1, 1] - 2.0 * covariance[0, 1]
        shifts.append(
            Shift(
                interviewer=code,
                before=int(((of == code) & ~late).sum()),
                after=int(((of == code) & late).sum()),
                t=t,
                p=p,
                shift=float(found.severity[second] - found.severity[code]),
                shift_se=float(np.sqrt(max(variance, 0.0))),
            )
        )
    return tuple(shifts)
