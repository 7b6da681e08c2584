"""What a calibration says beside its estimates: in points of the scale, of each interviewer, of each probe.

All of it is found once, in the night, and kept: pages only read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

import numpy as np

from interviews.enums import Aim
from scoring.calibration.answers import (
    Answer,
    Asking,
    against_others,
    alpha_of,
    house_agreement,
    house_lead_effect,
    own_lead_effect,
    shared_answers,
)
from scoring.calibration.fitting import Fitted
from scoring.calibration.rows import JUDGE
from scoring.rules.linked import RatingRow
from scoring.stats.arrays import Floats
from scoring.stats.cautions import linked
from scoring.stats.drift import PERIODS, drift, last_period
from scoring.stats.facets import Options
from scoring.stats.fair import Z95
from scoring.stats.likelihood import Scale
from scoring.stats.results import Calibration

FEWEST_TALKS = 5
"""Fewer conversations than this, and nothing is said of one person's halo."""
Figures = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Beside:
    """`house`: of all together. `people`: by interviewer's id. `probes`: item -> aim -> Krippendorff's alpha."""

    house: Figures
    people: Mapping[int, Figures]
    probes: Mapping[str, Mapping[str, float]]


class Curve:
    """Logits in points: ratings to be expected of the average candidate on what was asked, and what severity takes."""

    def __init__(self, found: Calibration) -> None:
        self.scale, self.slope, self.thresholds = Scale(found.ratings.top[0]), found.slopes[0], found.thresholds[0]
        self.level = float(found.intercepts[0]) - float(found.difficulty[found.ratings.column].mean())

    def points(self, *logits: float) -> list[float]:
        """How many points lower a rating comes out with each of so many logits of severity."""
        predictor = self.level - np.array((0.0, *logits))
        expected = self.scale.expected(float(self.slope) * predictor, self.thresholds)
        return [round(float(expected[0] - one), 4) for one in expected[1:]]


def look_beside(fitted: Fitted, rows: Sequence[RatingRow], askings: Mapping[str, Asking]) -> Beside:
    """`rows`: those of the calibration, in its order. `askings`: who asked what they rate, and when.

    Automatic judges that count are part of the calibration, and of nothing that is said here of people.
    """
    found = fitted.found
    answers = shared_answers(row for row in rows if row.person > 0)
    by_person: dict[int, list[Answer]] = defaultdict(list)
    for answer in answers:
        for person in answer.ratings:
            by_person[person].append(answer)
    curve, drifted = Curve(found), _drift(found, rows, askings)
    spread = float(np.sqrt(found.variances.severity))
    halo = float(np.sqrt(found.variances.halo))
    house: Figures = {
        "agreement": house_agreement(answers),
        "lead_effect": house_lead_effect(answers, askings),
        "severity_points": curve.points(spread)[0],
        "halo_points": curve.points(halo)[0],
    }
    severities, halos = _severities(fitted, curve), _halos(found, curve)
    codes = {name: code for code, name in enumerate(found.ratings.labels.interviewer) if not name.startswith(JUDGE)}
    house["severities"] = [{"id": name, **severities[code]} for name, code in codes.items()]
    people = {
        int(name): {
            "severity": severities[code],
            "halo": halos[code],
            "agreement": against_others(int(name), by_person[int(name)]),
            "lead_effect": own_lead_effect(int(name), by_person[int(name)], askings),
            "drift": _drifted(drifted, code, curve),
        }
        for name, code in codes.items()
    }
    house["drift"] = drifted and _house_drift(drifted.since, [one["drift"] for one in people.values()])
    return Beside(house, people, _by_probe(found, rows, answers))


def _house_drift(since: str, drifts: Sequence[Figures | None]) -> Figures:
    tested = [one for one in drifts if one]
    return {"since": since, "tested": len(tested), "moved": sum(one["points"] is not None for one in tested)}


def _by_probe(found: Calibration, rows: Sequence[RatingRow], answers: Sequence[Answer]) -> dict[str, dict[str, float]]:
    names = found.ratings.labels.item
    items = {row.asked: names[item] for row, item in zip(rows, found.ratings.item.tolist(), strict=True)}
    by_item: dict[tuple[str, Aim], list[Answer]] = defaultdict(list)
    for answer in answers:
        by_item[items[answer.asked], answer.aim].append(answer)
    alphas: dict[str, dict[str, float]] = defaultdict(dict)
    for (item, aim), answers in by_item.items():
        alpha = alpha_of(answers)
        if alpha is not None:
            alphas[item][aim.value] = round(alpha, 4)
    return dict(alphas)


def _severities(fitted: Fitted, curve: Curve) -> list[Figures]:
    """Points below the average interviewer with the ends of the interval, how many linked ratings stand behind, and
    whether they are tied to most others: severities of two islands, or where all ask questions of their own, rest on
    what is assumed."""
    found, group = fitted.found, fitted.connected.interviewer_group
    ratings, candidates = linked(found.ratings)
    tied = (group == 0) & (np.count_nonzero(group == 0) > 1)
    return [
        {
            "points": curve.points(estimate, estimate - Z95 * error, estimate + Z95 * error),
            "linked": [int(ratings[code]), int(candidates[code])],
            "tied": bool(tied[code]),
        }
        for code, (estimate, error) in enumerate(zip(found.severity, found.severity_se, strict=True))
    ]


def _halos(found: Calibration, curve: Curve) -> list[Figures | None]:
    """How far a conversation's impression moves all its ratings: in points, and as a share of what is usual.

    From posterior means and variances, and so drawn towards what is usual in the house.
    """
    size, usual = found.ratings.interviewers, float(np.sqrt(found.variances.halo))
    if not len(found.halo) or usual <= 0:
        return [None] * size
    who = found.ratings.session_interviewer
    talks = np.bincount(who, minlength=size)
    square = np.bincount(who, found.halo**2 + found.halo_se**2, size) / np.maximum(talks, 1)
    return [
        {"talks": int(n), "points": curve.points(own)[0], "of_usual": round(own / usual, 4)}
        if n >= FEWEST_TALKS
        else None
        for n, own in zip(talks, np.sqrt(square).tolist(), strict=True)
    ]


# --- drift ------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Drifted:
    """`moved`: code -> (shift, its error) in logits. `since`: the month in which the last period begins."""

    since: str
    tested: np.ndarray[Any, np.dtype[np.bool_]]
    moved: Mapping[int, tuple[float, float]]


def _drift(found: Calibration, rows: Sequence[RatingRow], askings: Mapping[str, Asking]) -> _Drifted | None:
    """Who became stricter or more lenient in the last of four periods; None where there are no two periods."""
    if not found.terms.halo:
        return None
    days = np.array([askings[row.asked].day.toordinal() if row.asked in askings else 0 for row in rows], np.float64)
    session: Floats = np.full(len(found.ratings.session_candidate), np.inf)
    np.minimum.at(session, found.ratings.session, days)
    late = last_period(session, PERIODS)
    if late.all() or not late.any():
        return None
    options = replace(Options(), terms=found.terms, variances=found.variances, begin=found.vector)
    seen = drift(found.ratings, late, options)
    since = date.fromordinal(int(session[late].min()))
    moved = {one.interviewer: (one.shift, one.shift_se) for one in seen.shifts}
    return _Drifted(f"{since:%Y-%m}", seen.tested, moved)


def _drifted(drifted: _Drifted | None, code: int, curve: Curve) -> Figures | None:
    """None where nothing could be tested; `points` is None for somebody who stayed as they were."""
    if drifted is None or not drifted.tested[code]:
        return None
    moved = drifted.moved.get(code)
    if moved is None:
        return {"since": drifted.since, "points": None}
    shift, error = moved
    return {"since": drifted.since, "points": curve.points(shift, shift - Z95 * error, shift + Z95 * error)}
