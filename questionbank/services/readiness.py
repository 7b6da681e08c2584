"""What keeps a version from being published, in words, with the probe it is about."""

from __future__ import annotations

from dataclasses import dataclass

from questionbank.exchange.problems import Problem
from questionbank.outline import OutlineTree, flaws, gaps


@dataclass(frozen=True, slots=True)
class Blocker:
    """One thing to mend. `probe` is a key, "" for the tree itself."""

    probe: str
    message: str
    remedy: str


def blockers(tree: OutlineTree) -> list[Blocker]:
    """Return everything that stops publishing, in the order of the tree; nothing for a tree that can be published."""
    found = []
    for flaw in (*flaws(tree), *gaps(tree)):
        problem = Problem("", 0, flaw.place, flaw.code, flaw.values)
        key = "" if flaw.index is None else tree.probes[flaw.index].key
        found.append(Blocker(key, problem.message, problem.remedy))
    return found
