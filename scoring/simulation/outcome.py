"""What a simulation led to: who was acknowledged what, what was heard, and the panel card, in the script's names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from scoring.simulation.line import Heard
from scoring.simulation.outbox import Acked, Refused


@dataclass(frozen=True, slots=True)
class Took:
    """One person's part. `closing`: the server's counts after the end, for seats that judge."""

    name: str
    seat: str
    role: str
    accepted: Sequence[Acked]
    refused: Sequence[Refused]
    heard: Sequence[Heard]
    resent: int
    lines: int
    gaps: int
    closing: Mapping[str, int] | None
    submitted: bool

    def as_json(self) -> dict[str, Any]:
        return {
            "seat": self.seat,
            "role": self.role,
            "accepted": len(self.accepted),
            "resent": self.resent,
            "refused": [_fields(one, "id", "name", "code", "message") for one in self.refused],
            "lines": self.lines,
            "gaps": self.gaps,
            "heard": dict(sorted(Counter(one.stream for one in self.heard).items())),
            "closing": self.closing,
            "submitted": self.submitted,
            "acks": [_fields(one, "id", "name", "stream", "seq", "version", "sends") for one in self.accepted],
        }


def _fields(row: object, *names: str) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}


@dataclass(slots=True)
class Outcome:
    """`panel`: the panel card's JSON as the site gave it, {} where nobody read one. `failures`: what does not hold."""

    url: str
    interview: str
    application: str
    people: Mapping[str, Took]
    shared: Sequence[str] | None
    panel: Mapping[str, Any]
    raters: Mapping[str, int] = field(default_factory=dict)
    """Name in the script -> the id of that person in the panel card."""
    trees: Mapping[str, int] = field(default_factory=dict)
    """Key of a tree -> its id in the panel card."""
    failures: list[str] = field(default_factory=list)

    @property
    def content(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.panel.get("content", {})
        return found

    def as_json(self) -> dict[str, Any]:
        return {
            "url": self.url,
            "interview": self.interview,
            "application": self.application,
            "people": {name: took.as_json() for name, took in self.people.items()},
            "shared": self.shared,
            "raters": self.raters,
            "trees": self.trees,
            "panel": self.panel or None,
            "failures": self.failures,
            "holds": not self.failures,
        }
