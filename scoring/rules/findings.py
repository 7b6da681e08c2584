"""What a reader of a panel card should look at: where the panel disagrees, what was not covered, what to ask next.

Findings are codes with ids and numbers; the page finds the words.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from interviews.enums import Aim
from interviews.rules import Boundary, credit_of
from scoring.rules.inputs import AskedIn, PanelInputs, TreeIn
from scoring.rules.readings import RaterReading, lower_median
from scoring.rules.values import number

VALUES_DIFFER_BY = Fraction(2)
FLOORS_DIFFER_BY = 2

Finding = dict[str, Any]


def disagreements(readings: Sequence[RaterReading], trees: Sequence[TreeIn]) -> list[Finding]:
    """Dimensions whose values differ by 2.0 or more, then trees whose floors differ by two levels or more.

    Each names the lowest and the highest; `low_at_least`: the lower floor was cut short, so it may hide no difference.
    """
    return [*_value_disagreements(readings), *_floor_disagreements(readings, trees)]


def _value_disagreements(readings: Sequence[RaterReading]) -> list[Finding]:
    found = []
    for aim in Aim:
        values = [(reading.latest.values[aim].value, reading.rater.person) for reading in readings]
        known = sorted((value, person) for value, person in values if value is not None)
        if len(known) > 1 and known[-1][0] - known[0][0] >= VALUES_DIFFER_BY:
            (low, low_person), (high, high_person) = known[0], known[-1]
            found.append(
                {
                    "kind": "value",
                    "aim": aim.value,
                    "difference": number(high - low),
                    "low": {"person": low_person, "value": number(low)},
                    "high": {"person": high_person, "value": number(high)},
                }
            )
    return found


def _floor_disagreements(readings: Sequence[RaterReading], trees: Sequence[TreeIn]) -> list[Finding]:
    found = []
    for tree in trees:
        floors = []
        for reading in readings:
            boundary = reading.latest.boundaries.get(tree.id)
            if boundary and boundary.floor is not None:
                floors.append((boundary.floor, reading.rater.person, boundary.at_least))
        floors.sort()
        if len(floors) > 1 and floors[-1][0] - floors[0][0] >= FLOORS_DIFFER_BY:
            (low, low_person, low_at_least), (high, high_person, _) = floors[0], floors[-1]
            found.append(
                {
                    "kind": "floor",
                    "tree": tree.id,
                    "difference": high - low,
                    "low": {"person": low_person, "floor": low},
                    "high": {"person": high_person, "floor": high},
                    "low_at_least": low_at_least,
                }
            )
    return found


def not_covered(inputs: PanelInputs, readings: Sequence[RaterReading]) -> list[Finding]:
    """Required trees not asked; required aims not asked or not rated on a tree; asked and judged by nobody; dimensions
    nobody has enough evidence on."""
    asked_by_tree: dict[int, list[AskedIn]] = {}
    for ask in inputs.asked:
        if ask.scored and not ask.voided:
            asked_by_tree.setdefault(ask.tree, []).append(ask)
    rated = {
        (rating.tree, rating.aim)
        for reading in readings
        for dimension in reading.latest.values.values()
        for rating in dimension.ratings
    }
    found: list[Finding] = []
    for tree in inputs.trees:
        asks = asked_by_tree.get(tree.id, [])
        if not asks:
            if tree.required and not tree.optional:
                found.append({"kind": "tree_not_asked", "tree": tree.id})
            continue
        if _is_excluded(tree, readings):
            continue
        found += _aims_missing(tree, asks, inputs.required_aims, rated)
        found += _judged_by_nobody(asks, readings)
    for aim in Aim:
        if readings and all(reading.latest.values[aim].value is None for reading in readings):
            found.append({"kind": "not_enough_evidence", "aim": aim.value})
    return found


def _is_excluded(tree: TreeIn, readings: Iterable[RaterReading]) -> bool:
    boundaries = [reading.latest.boundaries.get(tree.id) for reading in readings]
    said = [boundary for boundary in boundaries if boundary]
    return bool(said) and all(boundary.excluded for boundary in said)


def _aims_missing(
    tree: TreeIn, asks: Sequence[AskedIn], required: Iterable[Aim], rated: set[tuple[int, Aim]]
) -> list[Finding]:
    offered = {aim for probe in tree.probes if probe.scored for aim in probe.aims}
    asked = {aim for ask in asks for aim in ask.aims}
    found = []
    for aim in required:
        if aim in asked and (tree.id, aim) not in rated:
            found.append({"kind": "aim_not_rated", "tree": tree.id, "aim": aim.value})
        elif aim in offered and aim not in asked:
            found.append({"kind": "aim_not_asked", "tree": tree.id, "aim": aim.value})
    return found


def _judged_by_nobody(asks: Sequence[AskedIn], readings: Sequence[RaterReading]) -> list[Finding]:
    judged = {
        asked
        for reading in readings
        for asked, mark in reading.latest.marks.items()
        if credit_of(mark.outcome, mark.aid)
    }
    return [
        {"kind": "not_judged", "tree": ask.tree, "probe": ask.probe, "asked": ask.asked, "level": ask.level}
        for ask in asks
        if ask.asked not in judged
    ]


def weak_spots(inputs: PanelInputs, readings: Sequence[RaterReading]) -> list[Finding]:
    """Where the candidate stopped or nobody knows how deep they go, and the probe to ask there; missed ones first.

    `kind`: missed (a ceiling), unclear, unknown_above (at least the floor, and the tree goes on).
    """
    asked = {(ask.tree, ask.probe) for ask in inputs.asked}
    found = []
    for tree in inputs.trees:
        boundaries = [
            boundary
            for reading in readings
            if (boundary := reading.latest.boundaries.get(tree.id)) and not boundary.excluded and boundary.levels
        ]
        if spot := _weak_spot(tree, boundaries):
            found.append(spot | {"probe": _probe_to_ask(tree, spot["level"], asked)})
    order = ["missed", "unclear", "unknown_above"]
    return sorted(found, key=lambda spot: (order.index(spot["kind"]), spot["level"]))


def _weak_spot(tree: TreeIn, boundaries: Sequence[Boundary]) -> Finding | None:
    if not boundaries:
        return None
    ceilings = [boundary.ceiling for boundary in boundaries if boundary.ceiling is not None]
    spot: Finding = {"tree": tree.id, "raters": len(boundaries), "misses": len(ceilings)}
    if ceilings:
        level = lower_median(ceilings)
        firm = any(boundary.firm and boundary.ceiling == level for boundary in boundaries)
        return spot | {"kind": "missed", "level": level, "firm": firm}
    floor = max(boundary.floor or 0 for boundary in boundaries)
    unclear = [row.level for boundary in boundaries for row in boundary.levels if row.level > floor]
    if unclear:
        return spot | {"kind": "unclear", "level": min(unclear), "firm": False}
    if floor < tree.top_level:
        return spot | {"kind": "unknown_above", "level": floor + 1, "firm": False}
    return None


def _probe_to_ask(tree: TreeIn, level: int, asked: set[tuple[int, str]]) -> Finding | None:
    """The first scored probe of that level that was not asked; where all were, none: ask again in other words."""
    for probe in tree.probes:
        if probe.level == level and probe.scored and (tree.id, probe.key) not in asked:
            return {"key": probe.key, "minutes": probe.minutes}
    return None
