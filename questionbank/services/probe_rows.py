"""What a probe says, as rows: the one place that knows which column holds what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from questionbank.enums import Scoring, SignalKind
from questionbank.models import Anchor, Signal
from questionbank.outline import OutlineProbe, probe_hash


def columns(probe: OutlineProbe) -> dict[str, Any]:
    """Return the columns of the probe's own row, but for its key, its place and its level."""
    return {
        "kind": probe.kind.value,
        "same_level": probe.same_level,
        "aims": [aim.value for aim in probe.aims],
        "title": dict(probe.title),
        "prompt": dict(probe.prompt),
        "on_outcomes": [outcome.value for outcome in probe.branch.outcomes] if probe.branch else [],
        "heard": dict(probe.branch.heard) if probe.branch else {},
        "minutes": probe.minutes,
        "scoring": (Scoring.SCORED if probe.scored else Scoring.TRIAL).value,
        "content_hash": probe_hash(probe),
    }


def signals(probes: Iterable[OutlineProbe], pks: Mapping[str, int]) -> list[Signal]:
    return [signal for probe in probes for kind in SignalKind for signal in signals_of(probe, kind, pks)]


def signals_of(probe: OutlineProbe, kind: SignalKind, pks: Mapping[str, int]) -> list[Signal]:
    return [
        Signal(probe_id=pks[probe.key], kind=kind.value, position=position, text=dict(text))
        for position, text in enumerate(probe.signals.get(kind, ()))
    ]


def anchors(probes: Iterable[OutlineProbe], pks: Mapping[str, int]) -> list[Anchor]:
    return [
        Anchor(probe_id=pks[probe.key], aim=aim.value, rating=rating, text=dict(text))
        for probe in probes
        for aim, scale in probe.anchors.items()
        for rating, text in scale.items()
    ]
