"""The vectors of the fair-time meter as the rule's own values, for the tests of the rule and of its twin."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

from interviews.rules.minutes import AskedAt, Budget, FairTree, Pause, fair_time

ZERO = datetime(2026, 3, 12, 9, 0, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)


def read_minutes(given: dict[str, Any]) -> list[dict[str, Any]]:
    """Run the rule on a vector's input; times in milliseconds since any zero."""
    found = fair_time(
        [AskedAt(one["tree"], _at(one["made_at"])) for one in given["asks"]],
        [(one["tree"], one["probe"]) for one in given["asks"]],
        plan=[Budget(one["tree"], one["minutes"], one["probes"]) for one in given["plan"]],
        pauses=[Pause(_at(since), None if until is None else _at(until)) for since, until in given["pauses"]],
        end=_at(given["end"]),
        extra_percent=given["extra"],
    )
    return [_as_json(one) for one in found]


def _at(milliseconds: float) -> datetime:
    return ZERO + timedelta(milliseconds=milliseconds)


def _as_json(one: FairTree[str]) -> dict[str, Any]:
    return {
        "tree": one.tree,
        "used": one.used / MILLISECOND,
        "budget": one.budget / MILLISECOND,
        "offered": one.offered,
        "planned": one.planned,
        "over": one.over / MILLISECOND,
        "ahead": one.ahead / MILLISECOND,
    }
