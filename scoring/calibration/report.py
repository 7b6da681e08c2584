"""A calibration as plain numbers and names: the JSON of `manage.py calibrate`, which docs/calibration.md describes."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import numpy as np

from scoring.calibration.fitting import Fitted
from scoring.calibration.scales import ScaleRange
from scoring.calibration.unidentified import sentences
from scoring.stats.arrays import Floats, Ints, count_met
from scoring.stats.cautions import cautions, interviewers_met, linked
from scoring.stats.fair import Fair, fair_candidates, fair_interviewers
from scoring.stats.fit import Fit, RowStatistics, fit_by, row_statistics, unexpected
from scoring.stats.reliability import components, decision_study, reliabilities

Row = dict[str, Any]

FORMAT = 1
MOST_UNEXPECTED = 100
MOST_STUDIED_DIMENSIONS = 10


def report(fitted: Fitted) -> dict[str, Any]:
    """Everything found. Numbers that do not exist are None."""
    found, ratings = fitted.found, fitted.found.ratings
    rows = row_statistics(found)
    ranges = [*fitted.sheet.scales, *([ScaleRange("boundary", 0, 1)] if fitted.fused else [])]
    result: dict[str, Any] = {
        "format": FORMAT,
        "model": found.model,
        "n": len(ratings),
        "counts": {
            "candidates": ratings.candidates,
            "interviewers": ratings.interviewers,
            "items": len(np.unique(ratings.item)),
            "sessions": len(ratings.session_candidate),
            "answers": len(ratings.answer_candidate),
        },
        "terms": asdict(found.terms),
        "variances": asdict(found.variances),
        "scales": [_scale(fitted, number, scale) for number, scale in enumerate(ranges)],
        "candidates": _candidates(fitted, rows),
        "interviewers": _interviewers(fitted, rows),
        "items": _items(fitted, rows),
        "reliability": {
            name: {
                "reliability": number(one.reliability),
                "separation": number(one.separation),
                "elements": one.elements,
            }
            for name, one in reliabilities(found).items()
        },
        "unidentified": sentences(fitted.connected, ratings),
        "unidentified_contrasts": fitted.connected.unidentified,
        "unexpected": _unexpected(fitted, rows),
        "converged": found.converged,
        "iterations": found.iterations,
        "log_likelihood": number(found.log_likelihood),
        "warnings": list(fitted.warnings),
        "cautions": [str(one) for one in cautions(found, fitted.connected)],
        "notes": list(fitted.sheet.notes),
    }
    if found.model == "laplace":
        dimensions = min(len(ratings.labels.dimension), MOST_STUDIED_DIMENSIONS)
        result["components"] = [asdict(one) for one in components(found)]
        result["decision_study"] = [asdict(one) for one in decision_study(found, dimensions=dimensions)]
    if fitted.held_out is not None:
        held = fitted.held_out
        result["boundary"] = {
            **{name: number(value) for name, value in asdict(held).items()},
            "worth_it": held.worth_it,
            "fused": fitted.fused,
        }
    return result


def number(value: float | None) -> float | None:
    """A number as JSON has it: None for what is not finite."""
    return float(value) if value is not None and np.isfinite(value) else None


def _scale(fitted: Fitted, code: int, scale: ScaleRange) -> Row:
    found = fitted.found
    return {
        "scale": scale.name,
        "lowest": scale.lowest,
        "highest": scale.highest,
        "thresholds": [number(value) for value in found.thresholds[code]],
        "thresholds_se": [number(value) for value in found.thresholds_se[code]],
        "intercept": number(found.intercepts[code]),
        "slope": number(found.slopes[code]),
    }


def _measure(estimates: Floats, errors: Floats, fit: Fit, group: Ints, code: int) -> Row:
    return {
        "estimate": number(estimates[code]),
        "se": number(errors[code]),
        "infit": number(fit.infit[code]),
        "outfit": number(fit.outfit[code]),
        "infit_z": number(fit.infit_z[code]),
        "outfit_z": number(fit.outfit_z[code]),
        "n": int(fit.n[code]),
        "group": int(group[code]) + 1,
    }


def _fair(fitted: Fitted, fair: Fair, code: int) -> Row:
    """A fair average on the first scale, in its own numbers."""
    lowest = fitted.sheet.scales[0].lowest
    values = {"fair": fair.value, "fair_low": fair.low, "fair_high": fair.high}
    return {name: number(array[code] + lowest) for name, array in values.items()}


def _means(fitted: Fitted, codes: Ints, size: int) -> Floats:
    """The plain mean of ratings on the first scale, NaN where there is none."""
    ratings = fitted.found.ratings
    first = ratings.scale == 0
    counts = np.bincount(codes[first], minlength=size)
    with np.errstate(invalid="ignore"):
        mean: Floats = np.bincount(codes[first], ratings.rating[first], size) / counts
    return mean + fitted.sheet.scales[0].lowest


def _candidates(fitted: Fitted, rows: RowStatistics) -> list[Row]:
    found, ratings, group = fitted.found, fitted.found.ratings, fitted.connected.candidate_group
    size = ratings.candidates
    fit = fit_by(rows, ratings.candidate, size)
    fair, means = fair_candidates(found), _means(fitted, ratings.candidate, size)
    interviewers = interviewers_met(ratings)
    return [
        {
            "id": name,
            **_measure(found.ability, found.ability_se, fit, group, code),
            "interviewers": int(interviewers[code]),
            "mean": number(means[code]),
            **_fair(fitted, fair, code),
            "dimensions": {
                dimension: {
                    "estimate": number(found.by_dimension[code, place]),
                    "se": number(found.by_dimension_se[code, place]),
                }
                for place, dimension in enumerate(ratings.labels.dimension)
                if dimension and np.isfinite(found.by_dimension[code, place])
            },
        }
        for code, name in enumerate(ratings.labels.candidate)
    ]


def _interviewers(fitted: Fitted, rows: RowStatistics) -> list[Row]:
    found, ratings, group = fitted.found, fitted.found.ratings, fitted.connected.interviewer_group
    size = ratings.interviewers
    fit = fit_by(rows, ratings.interviewer, size)
    fair, means = fair_interviewers(found), _means(fitted, ratings.interviewer, size)
    candidates = count_met(ratings.interviewer, ratings.candidate, size)
    sessions = np.bincount(ratings.session_interviewer, minlength=size)
    linked_ratings, linked_candidates = linked(ratings)
    return [
        {
            "id": name,
            **_measure(found.severity, found.severity_se, fit, group, code),
            "candidates": int(candidates[code]),
            "sessions": int(sessions[code]),
            "linked": int(linked_ratings[code]),
            "linked_candidates": int(linked_candidates[code]),
            "mean": number(means[code]),
            **_fair(fitted, fair, code),
        }
        for code, name in enumerate(ratings.labels.interviewer)
    ]


def _items(fitted: Fitted, rows: RowStatistics) -> list[Row]:
    found, ratings, group = fitted.found, fitted.found.ratings, fitted.connected.column_group
    labels = ratings.labels
    fit = fit_by(rows, ratings.column, ratings.columns)
    return [
        {
            "id": labels.item[ratings.column_item[code]],
            "dimension": labels.dimension[ratings.column_dimension[code]],
            "scale": labels.scale[ratings.column_scale[code]],
            **_measure(found.difficulty, found.difficulty_se, fit, group, code),
        }
        for code in range(ratings.columns)
    ]


def _unexpected(fitted: Fitted, rows: RowStatistics) -> list[Row]:
    """The ratings furthest from what was expected, with their rows in the file."""
    sheet, ratings = fitted.sheet, fitted.found.ratings
    labels = ratings.labels
    told = []
    for one in unexpected(rows, ratings.rating):
        if one.row >= len(sheet.rows):  # a boundary, which came from another file
            continue
        lowest = sheet.scales[ratings.scale[one.row]].lowest
        told.append(
            {
                "row": int(sheet.rows[one.row]),
                "candidate": labels.candidate[ratings.candidate[one.row]],
                "interviewer": labels.interviewer[ratings.interviewer[one.row]],
                "item": labels.item[ratings.item[one.row]],
                "dimension": labels.dimension[ratings.dimension[one.row]],
                "rating": one.rating + lowest,
                "expected": number(one.expected + lowest),
                "standardised": number(one.standardised),
            }
        )
        if len(told) == MOST_UNEXPECTED:
            break
    return told
