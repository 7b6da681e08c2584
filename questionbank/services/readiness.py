"""What keeps a version from being published, in words, with the probe it is about."""

from __future__ import annotations

from dataclasses import dataclass

from questionbank.exchange.problems import Problem
from questionbank.lint import flaws, gaps, looks
from questionbank.outline import OutlineTree


@dataclass(frozen=True, slots=True)
class Blocker:
    """One thing to mend. `probe` is a key, "" for the tree itself."""

    probe: str
    message: str
    remedy: str


def blockers(tree: OutlineTree) -> list[Blocker]:
    """Return everything that stops publishing, in the order of the tree; nothing for a tree that can be published."""
    return [_said(Problem.of(finding)) for finding in (*flaws(tree), *gaps(tree))]


def remarks(tree: OutlineTree) -> list[Blocker]:
    """Return what is probably a slip and stops nothing; of a tree that isn't sound, nothing.

    What is said of a text in each of its languages in the same words is said once.
    """
    found = [] if flaws(tree) else [_said(Problem.of(finding)) for finding in looks(tree)]
    return list(dict.fromkeys(found))


def _said(problem: Problem) -> Blocker:
    return Blocker(problem.probe, problem.message, problem.remedy)
