"""What one rater's revisions say, read as the panel reads them: boundary of every tree, values of every dimension."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from interviews.enums import Aim
from interviews.rules import Ask, Boundary, Ending, Override, TreeRule, boundary
from scoring.rules.inputs import EndingIn, MarkIn, RaterIn, RevisionIn, StatementIn, TreeIn
from scoring.rules.values import DimensionValue, counted_ratings, dimension_values, evidence_types


@dataclass(frozen=True, slots=True)
class Reading:
    """`boundaries` has an entry for each tree the person judged anything of or said an ending for."""

    values: Mapping[Aim, DimensionValue]
    boundaries: Mapping[int, Boundary]
    statements: tuple[StatementIn, ...]
    marks: Mapping[str, MarkIn]


@dataclass(frozen=True, slots=True)
class RaterReading:
    """`independent` is None for a rater all of whose revisions were made after seeing others.

    `first`: what was submitted first, the same as `latest` where nothing was amended.
    """

    rater: RaterIn
    latest: Reading
    independent: Reading | None
    first: Reading

    @property
    def amended(self) -> bool:
        return any(revision.number > 1 for revision in self.rater.latest)


def read_rater(rater: RaterIn, trees: Sequence[TreeIn]) -> RaterReading:
    """Pool a person's revisions over interviews: each person is once in the panel."""
    independent = read(rater.last_independent, trees) if rater.last_independent else None
    latest = read(rater.latest, trees)
    first = latest if rater.first == rater.latest else read(rater.first, trees)
    return RaterReading(rater, latest, independent, first)


def read(revisions: Sequence[RevisionIn], trees: Sequence[TreeIn]) -> Reading:
    """Read the pooled marks of revisions, oldest interview first."""
    marks = sorted(
        (mark for revision in revisions for mark in revision.marks), key=lambda mark: (mark.interview, mark.order)
    )
    endings = {ending.tree: ending for revision in revisions for ending in revision.endings if _says_something(ending)}
    statements = tuple(statement for revision in revisions for statement in revision.statements)
    boundaries = {}
    for tree in trees:
        own = [mark for mark in marks if mark.tree == tree.id]
        if own or tree.id in endings:
            boundaries[tree.id] = tree_boundary(own, tree, endings.get(tree.id))
    ratings = counted_ratings(
        marks,
        evidence_types(statements),
        excluded_trees={tree for tree, found in boundaries.items() if found.excluded},
    )
    return Reading(dimension_values(ratings), boundaries, statements, {mark.asked: mark for mark in marks})


def tree_boundary(marks: Sequence[MarkIn], tree: TreeIn, ending: EndingIn | None) -> Boundary:
    """Read one tree's boundary from marks in asked order. Submitting confirms the ending, so none is reopened."""
    override = None
    if ending and ending.override_floor is not None:
        override = Override(ending.override_floor, ending.override_ceiling, ending.override_reason or "")
    return boundary(
        [
            Ask(mark.probe, mark.level, mark.outcome, mark.aid, mark.scored, mark.retracted, mark.voided)
            for mark in marks
        ],
        tree=TreeRule(tree.top_level, tree.misses_to_end, tree.retry_unclear, tree.optional),
        ended=Ending(ending.reason, len(marks)) if ending and ending.reason else None,
        override=override,
    )


def _says_something(ending: EndingIn) -> bool:
    return ending.reason is not None or ending.override_floor is not None


def breadth(floors: Mapping[int, Sequence[int]], topics: Mapping[int, int]) -> list[int]:
    """List the topics with a floor of 2 or more. `floors`: tree -> the raters' floors; `topics`: tree -> topic.

    Several raters' floor of a tree is their lower median: as with one person's, a tie goes to the lower.
    """
    deep = {topics[tree] for tree, found in floors.items() if found and lower_median(found) >= DEEP_ENOUGH}
    return sorted(deep)


DEEP_ENOUGH = 2


def lower_median(numbers: Sequence[int]) -> int:
    return sorted(numbers)[(len(numbers) - 1) // 2]
