"""The panel scorecard: what the cards of an application add up to, as plain JSON values.

Shadows never enter. Raters are people, not cards. Raw figures use each rater's latest revision; "three raters" counts
those with a last independent one. Nothing here decides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from interviews.enums import Aim, EvidenceType, ReasonType, Role, StatementAid
from interviews.rules import Boundary
from scoring.enums import NoValue, StatementKind
from scoring.rules.calibrated import calibrated_content, calibration_content
from scoring.rules.canonical import in_order
from scoring.rules.findings import disagreements, not_covered, weak_spots
from scoring.rules.inputs import PanelInputs
from scoring.rules.moves import moves
from scoring.rules.readings import RaterReading, breadth, read_rater
from scoring.rules.values import DimensionValue, mean, number

CODE_VERSION = "panel-4"
"""Changes whenever the same inputs would give other content."""
ENOUGH_RATERS = 3

STRENGTH: tuple[str, ...] = (
    EvidenceType.RAN_IN_PRODUCTION,
    EvidenceType.DEBUGGED,
    EvidenceType.MEASURED,
    EvidenceType.BUILT,
    ReasonType.CHOICE,
    ReasonType.CRITERION,
    ReasonType.ALTERNATIVE,
    ReasonType.REGRET,
    EvidenceType.READ_ABOUT,
)


def compile_panel(inputs: PanelInputs) -> dict[str, Any]:
    """Return the content of a panel scorecard. The same inputs in any order give equal content."""
    inputs = in_order(inputs)
    readings = [read_rater(rater, inputs.trees) for rater in inputs.raters if rater.role != Role.SHADOW]
    return {
        "format": inputs.format,
        "application": inputs.application,
        "raters": [_rater(reading) for reading in readings],
        "dimensions": {aim.value: _dimension(aim, readings) | calibrated_content(aim, inputs, readings) for aim in Aim},
        "trees": [
            {
                "tree": tree.id,
                "topic": tree.topic,
                "top_level": tree.top_level,
                "required": tree.required,
                "optional": tree.optional,
                "asked": any(ask.tree == tree.id for ask in inputs.asked),
                "raters": [
                    {"person": reading.rater.person} | boundary_content(reading.latest.boundaries[tree.id])
                    for reading in readings
                    if tree.id in reading.latest.boundaries
                ],
            }
            for tree in inputs.trees
        ],
        "breadth": _breadth(inputs, readings),
        "probes_asked": len(inputs.asked),
        "disagreements": disagreements(readings, inputs.trees),
        "not_covered": not_covered(inputs, readings),
        "weak_spots": weak_spots(inputs, readings),
        "evidence": _evidence(readings),
        "recommendations": _recommendations(readings),
        "amendments": [moved for reading in readings for moved in moves(reading, inputs.trees)],
        "calibration": calibration_content(inputs),
    }


def boundary_content(found: Boundary) -> dict[str, Any]:
    """Return a boundary as kept: numbers and codes; the reason of an override stays in its text row."""
    return {
        "floor": found.floor,
        "ceiling": found.ceiling,
        "firm": found.firm,
        "gaps": list(found.gaps),
        "out_of_order": [
            {"level": row.level, "credit": row.credit.value, "ask_again": row.ask_again} for row in found.out_of_order
        ],
        "ended": found.reason.value if found.reason else None,
        "at_least": found.at_least,
        "ratable": found.ratable,
        "next": {"level": found.next.level, "why": found.next.why.value} if found.next else None,
        "excluded": found.excluded,
        "problem": found.problem.value if found.problem else None,
        "override": {"floor": found.override.floor, "ceiling": found.override.ceiling} if found.override else None,
        "rows": [{"level": row.level, "passed": row.passed} for row in found.rows],
    }


def rating_content(value: DimensionValue) -> list[dict[str, Any]]:
    """Return a dimension's ratings as kept, in asked order."""
    return [
        {
            "asked": rating.asked,
            "tree": rating.tree,
            "probe": rating.probe,
            "level": rating.level,
            "given": rating.given,
            "counts": rating.counts,
            "caps": [cap.value for cap in rating.caps],
        }
        for rating in value.ratings
    ]


def _rater(reading: RaterReading) -> dict[str, Any]:
    return {
        "person": reading.rater.person,
        "role": reading.rater.role.value,
        "revisions": [revision.id for revision in reading.rater.latest],
        "independent": reading.independent is not None,
        "amended": reading.amended,
    }


def _dimension(aim: Aim, readings: Sequence[RaterReading]) -> dict[str, Any]:
    own = [(reading, reading.latest.values[aim]) for reading in readings]
    values = [dimension.value for _, dimension in own if dimension.value is not None]
    independent = sum(
        reading.independent is not None and reading.independent.values[aim].value is not None for reading in readings
    )
    missing = None if values else NoValue.NOT_ENOUGH_EVIDENCE if readings else NoValue.NO_RATERS
    first = [value for reading in readings if (value := reading.first.values[aim].value) is not None]
    return {
        "value": number(mean(values)),
        "value_before_amendments": number(mean(first)),
        "missing": missing.value if missing else None,
        "lowest": number(min(values)) if values else None,
        "highest": number(max(values)) if values else None,
        "raters": len(values),
        "independent_raters": independent,
        "provisional": independent < ENOUGH_RATERS,
        "by_rater": [
            {
                "person": reading.rater.person,
                "value": number(dimension.value),
                "missing": NoValue.NOT_ENOUGH_EVIDENCE.value if dimension.value is None else None,
                "ratings": rating_content(dimension),
            }
            for reading, dimension in own
        ],
    }


def _breadth(inputs: PanelInputs, readings: Sequence[RaterReading]) -> dict[str, Any]:
    floors: dict[int, list[int]] = {}
    for reading in readings:
        for tree, boundary in reading.latest.boundaries.items():
            if boundary.floor is not None:
                floors.setdefault(tree, []).append(boundary.floor)
    topics = breadth(floors, {tree.id: tree.topic for tree in inputs.trees})
    return {"topics": topics, "count": len(topics)}


def _evidence(readings: Sequence[RaterReading]) -> list[dict[str, Any]]:
    """List evidence and reasons, strongest first, volunteered before asked for; their words stay in text rows."""
    found = []
    for reading in readings:
        for statement in reading.latest.statements:
            mark = reading.latest.marks.get(statement.asked or "")
            if statement.kind == StatementKind.NOTE or mark is None or mark.voided or mark.retracted:
                continue
            boundary = reading.latest.boundaries.get(mark.tree)
            if boundary and boundary.excluded:
                continue
            found.append(
                {
                    "statement": statement.id,
                    "person": reading.rater.person,
                    "asked": mark.asked,
                    "tree": mark.tree,
                    "probe": mark.probe,
                    "level": mark.level,
                    "kind": statement.kind.value,
                    "type": statement.type,
                    "aid": statement.aid,
                    "counts_for": (Aim.HANDS_ON if statement.kind == StatementKind.EVIDENCE else Aim.WHY).value,
                }
            )
    return sorted(
        found,
        key=lambda row: (STRENGTH.index(row["type"]), row["aid"] != StatementAid.UNAIDED, row["statement"]),
    )


def _recommendations(readings: Sequence[RaterReading]) -> dict[str, Any]:
    """Each person's latest word, and how often each was said."""
    each = [
        {
            "person": reading.rater.person,
            "recommendation": reading.rater.latest[-1].recommendation.value,
            "revision": reading.rater.latest[-1].id,
        }
        for reading in readings
        if reading.rater.latest
    ]
    return {"by_rater": each, "counts": dict(sorted(Counter(row["recommendation"] for row in each).items()))}
