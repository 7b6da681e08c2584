"""What a finding is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from questionbank.outline import OutlineTree


class Severity(StrEnum):
    STOPS = "stops"
    """The tree can't be published."""
    LOOK = "look"
    """A person decides whether it is meant."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing to say about a tree. `probe` is a key, "" for the tree itself; `place` stands inside that.

    `index` points into `OutlineTree.probes`: while a tree is wrong, two probes may have the same key.
    """

    code: str
    severity: Severity
    tree: str
    probe: str = ""
    place: str = ""
    values: Mapping[str, str | int] = field(default_factory=dict)
    index: int | None = None


@dataclass(frozen=True, slots=True)
class About:
    """Makes findings of one severity about one tree."""

    tree: OutlineTree
    severity: Severity

    def whole(self, code: str, place: str = "", **values: str | int) -> Finding:
        return Finding(code, self.severity, self.tree.key, place=place, values=values)

    def probe(self, index: int, code: str, place: str = "", **values: str | int) -> Finding:
        return Finding(code, self.severity, self.tree.key, self.tree.probes[index].key, place, values, index)


def in_order(findings: list[Finding]) -> list[Finding]:
    """Sort by probe, the tree itself first; what is said of one probe keeps its order."""
    return sorted(findings, key=lambda finding: -1 if finding.index is None else finding.index)
