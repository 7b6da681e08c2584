"""What keeps a version from being published, in words, with the probe it is about."""

from __future__ import annotations

from dataclasses import dataclass

from questionbank.exchange.problems import Problem
from questionbank.lint import flaws, gaps
from questionbank.outline import OutlineTree


@dataclass(frozen=True, slots=True)
class Blocker:
    """One thing to mend. `probe` is a key, "" for the tree itself."""

    probe: str
    message: str
    remedy: str


def blockers(tree: OutlineTree) -> list[Blocker]:
    """Return everything that stops publishing, in the order of the tree; nothing for a tree that can be published."""
    problems = map(Problem.of, (*flaws(tree), *gaps(tree)))
    return [Blocker(problem.probe, problem.message, problem.remedy) for problem in problems]
