"""What an import, an export or a check of files comes to, in the one line that each of them ends with."""

from __future__ import annotations

from dataclasses import dataclass

from questionbank.outline import Difference

NAMES = ("topics", "trees", "probes", "added", "changed", "left", "not_placed")


@dataclass(slots=True)
class Counts:
    """Over all files. `added`, `changed` and `left` count probes and add up to `probes`; `not_placed` counts the rows
    that no tree took."""

    topics: int = 0
    trees: int = 0
    added: int = 0
    changed: int = 0
    left: int = 0
    not_placed: int = 0

    @property
    def probes(self) -> int:
        return self.added + self.changed + self.left

    def count(self, probes: Difference) -> None:
        """Add one tree."""
        self.trees += 1
        self.added += len(probes.added)
        self.changed += len(probes.changed)
        self.left += len(probes.left)

    @property
    def line(self) -> str:
        """The last line of every command; scripts read it, so it isn't translated."""
        return (
            f"topics {self.topics}, trees {self.trees}, probes {self.probes}: added {self.added}, "
            f"changed {self.changed}, left {self.left}, not placed {self.not_placed}"
        )

    def as_json(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in NAMES}
