"""One order, one text and one digest for one set of inputs, whoever loaded it."""

from __future__ import annotations

import hashlib
import json
import types
import typing
from dataclasses import asdict, fields, is_dataclass, replace
from enum import Enum
from functools import lru_cache
from typing import Any, TypeVar, cast

from scoring.rules.inputs import CalibrationIn, PanelInputs, RaterIn, RevisionIn

T = TypeVar("T")


class InputsUnreadable(ValueError):
    """Stored inputs do not have the shape this code reads; says where."""


def in_order(inputs: PanelInputs) -> PanelInputs:
    """Put every list into its one order."""
    return replace(
        inputs,
        required_aims=tuple(sorted(inputs.required_aims)),
        trees=tuple(
            replace(tree, probes=tuple(sorted(tree.probes, key=lambda probe: (probe.level, probe.key))))
            for tree in sorted(inputs.trees, key=lambda tree: (tree.order, tree.id))
        ),
        asked=tuple(sorted(inputs.asked, key=lambda ask: (ask.interview, ask.order, ask.asked))),
        raters=tuple(_rater_in_order(rater) for rater in sorted(inputs.raters, key=lambda r: (r.order, r.person))),
        calibration=_calibration_in_order(inputs.calibration) if inputs.calibration else None,
    )


def _rater_in_order(rater: RaterIn) -> RaterIn:
    return replace(
        rater,
        latest=_revisions_in_order(rater.latest),
        last_independent=_revisions_in_order(rater.last_independent),
        first=_revisions_in_order(rater.first),
    )


def _calibration_in_order(calibration: CalibrationIn) -> CalibrationIn:
    return replace(
        calibration,
        dimensions=tuple(sorted(calibration.dimensions, key=lambda dimension: dimension.aim)),
        severities=tuple(sorted(calibration.severities, key=lambda severity: severity.person)),
    )


def _revisions_in_order(revisions: tuple[RevisionIn, ...]) -> tuple[RevisionIn, ...]:
    return tuple(
        replace(
            revision,
            marks=tuple(sorted(revision.marks, key=lambda mark: (mark.order, mark.asked))),
            statements=tuple(sorted(revision.statements, key=lambda statement: statement.id)),
            endings=tuple(sorted(revision.endings, key=lambda ending: ending.tree)),
        )
        for revision in sorted(revisions, key=lambda revision: (revision.interview, revision.id))
    )


def as_json(inputs: PanelInputs) -> dict[str, Any]:
    """Return the inputs in order as plain JSON values."""
    return cast(dict[str, Any], json.loads(json.dumps(asdict(in_order(inputs)))))


def digest(inputs: PanelInputs) -> str:
    """Return the SHA-256, in hex, of the canonical JSON of the inputs."""
    return digest_of(as_json(inputs))


def digest_of(kept: object) -> str:
    """Return the digest of inputs as they are kept, whether or not this code still reads their shape."""
    text = json.dumps(kept, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def from_json(data: object) -> PanelInputs:
    """Read what `as_json` wrote. Raises InputsUnreadable, naming the place."""
    return cast(PanelInputs, _read(PanelInputs, data, "inputs"))


def _read(wanted: Any, value: object, place: str) -> object:
    origin = typing.get_origin(wanted)
    if origin in {types.UnionType, typing.Union}:
        if value is None:
            return None
        return _read(next(part for part in typing.get_args(wanted) if part is not type(None)), value, place)
    if origin is tuple:
        if not isinstance(value, list):
            raise InputsUnreadable(f"{place}: expected a list")
        item = typing.get_args(wanted)[0]
        return tuple(_read(item, part, f"{place}[{number}]") for number, part in enumerate(value))
    if is_dataclass(wanted):
        return _read_object(cast(type, wanted), value, place)
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        try:
            return wanted(value)
        except ValueError as error:
            raise InputsUnreadable(f"{place}: {error}") from error
    # bool is an int in Python; in stored inputs it is not.
    if type(value) is not wanted:
        raise InputsUnreadable(f"{place}: expected {wanted.__name__}")
    return value


def _read_object(wanted: type[T], value: object, place: str) -> T:
    names = [field.name for field in fields(cast(Any, wanted))]
    if not isinstance(value, dict) or set(value) != set(names):
        raise InputsUnreadable(f"{place}: expected exactly {', '.join(names)}")
    hints = _hints(cast(Any, wanted))
    return wanted(**{name: _read(hints[name], value[name], f"{place}.{name}") for name in names})


@lru_cache(maxsize=64)
def _hints(wanted: Any) -> dict[str, Any]:
    """Types of a shape's fields: worked out once, since a house has ten thousands of rows."""
    return typing.get_type_hints(wanted)
