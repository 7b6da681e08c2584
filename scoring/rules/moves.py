"""What a rater's amendments moved, against what they submitted first: values, boundaries, the recommendation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from interviews.enums import Aim
from interviews.rules import Boundary
from scoring.rules.inputs import TreeIn
from scoring.rules.readings import RaterReading
from scoring.rules.values import number

Move = dict[str, Any]


def moves(reading: RaterReading, trees: Sequence[TreeIn]) -> list[Move]:
    """List what differs, each with `before` and `after`; nothing for a rater who amended nothing."""
    if not reading.amended:
        return []
    return [*_values(reading), *_boundaries(reading, trees), *_recommendations(reading)]


def _values(reading: RaterReading) -> Iterator[Move]:
    for aim in Aim:
        before, after = reading.first.values[aim].value, reading.latest.values[aim].value
        if before != after:
            yield _move(reading, "value", aim=aim.value, before=number(before), after=number(after))


def _boundaries(reading: RaterReading, trees: Sequence[TreeIn]) -> Iterator[Move]:
    for tree in trees:
        before, after = _levels(reading.first.boundaries.get(tree.id)), _levels(reading.latest.boundaries.get(tree.id))
        if before != after:
            yield _move(reading, "boundary", tree=tree.id, before=before, after=after)


def _levels(found: Boundary | None) -> Move:
    if found is None or found.excluded:
        return {"floor": None, "ceiling": None}
    return {"floor": found.floor, "ceiling": found.ceiling}


def _recommendations(reading: RaterReading) -> Iterator[Move]:
    """The last interview's word is the person's, before as after."""
    if not reading.rater.first or not reading.rater.latest:
        return
    before, after = reading.rater.first[-1].recommendation, reading.rater.latest[-1].recommendation
    if before != after:
        yield _move(reading, "recommendation", before=before.value, after=after.value)


def _move(reading: RaterReading, kind: str, **what: Any) -> Move:
    return {"kind": kind, "person": reading.rater.person, **what}
