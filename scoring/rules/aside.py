"""What is measured against the calibration and moves no one: shadows, trial probes, automatic judges.

Every rating has one *source*, the one thing it is there to measure, so that no source's figures depend on another's:
trial probes by interviewers' ratings alone, shadows and judges by ratings of scored probes alone.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from interviews.enums import Aim, Role
from scoring.rules.figures import STEP
from scoring.rules.inputs import PanelInputs, RaterIn
from scoring.rules.linked import RatingRow, row_of, rows_of
from scoring.rules.readings import read_rater
from scoring.rules.values import counted_ratings, evidence_types


class Aside(StrEnum):
    """What a source is; the keys of `second_step` in a run's JSON."""

    INTERVIEWERS = "interviewers"
    ITEMS = "items"
    JUDGES = "judges"


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """Who or what is measured: `id` as in the run's JSON."""

    kind: Aside
    id: str

    def __str__(self) -> str:
        return f"{self.kind} {self.id}"


@dataclass(frozen=True, slots=True, order=True)
class JudgedIn:
    """One rating by an automatic judge, of an asking; higher ids are later."""

    id: int
    judge: int
    asked: str
    aim: Aim
    rating: int


def shadow_rows(inputs: PanelInputs, shadows: Iterable[RaterIn]) -> Iterator[RatingRow]:
    """Yield what shadows' last independent revisions say, read as an interviewer's."""
    for rater in shadows:
        yield from rows_of(inputs.application, read_rater(rater, inputs.trees))


def trial_rows(inputs: PanelInputs) -> Iterator[RatingRow]:
    """Yield the interviewers' ratings of trial probes, from last independent revisions; caps as on scored ones."""
    for rater in inputs.raters:
        reading = read_rater(rater, inputs.trees).independent
        if rater.role == Role.SHADOW or reading is None:
            continue
        on_trial = [replace(mark, scored=True) for mark in reading.marks.values() if not mark.scored]
        left_out = {tree for tree, found in reading.boundaries.items() if found.excluded}
        for one in counted_ratings(on_trial, evidence_types(reading.statements), excluded_trees=left_out):
            yield row_of(inputs.application, rater.person, reading.marks[one.asked].interview, one)


def judged_rows(inputs: PanelInputs, judged: Iterable[JudgedIn]) -> Iterator[RatingRow]:
    """Yield automatic judges' ratings of scored answers that stand and are not voided; no caps, since a judge says
    neither outcome nor aid. `person` is the judge's id. Of a probe asked twice the later answer counts."""
    standing = {one.asked: one for one in inputs.asked if one.scored and not one.voided}
    last: dict[tuple[int, int, str, Aim], tuple[tuple[int, int], RatingRow]] = {}
    for said in judged:
        asked = standing.get(said.asked)
        if asked is None or said.aim not in asked.aims:
            continue
        row = RatingRow(
            application=inputs.application,
            person=said.judge,
            interview=asked.interview,
            tree=asked.tree,
            probe=asked.probe,
            aim=said.aim,
            asked=said.asked,
            rating=said.rating,
        )
        key, place = (said.judge, asked.tree, asked.probe, said.aim), (asked.interview, asked.order)
        if key not in last or last[key][0] < place:
            last[key] = (place, row)
    for _place, row in last.values():
        yield row


def as_judge(row: RatingRow) -> RatingRow:
    """A judge's row among people's: ids of judges are told apart by their sign."""
    return replace(row, person=-row.person)


def taken_by_fives(
    rows: Mapping[Source, Sequence[RatingRow]], known: Mapping[str, Collection[int]]
) -> dict[Source, list[RatingRow]]:
    """Keep of each source what it stood on before, and what is new once five or more new applications wait for it.

    `known`: {source in words: applications}, as `applications_of` gave it for the last run. A source's figure that
    moved by one application would say what was said there.
    """
    taken: dict[Source, list[RatingRow]] = {}
    for source, own in rows.items():
        before = set(known.get(str(source), ()))
        now = {row.application for row in own}
        some = now if len(now - before) >= STEP else now & before
        if kept := sorted(row for row in own if row.application in some):
            taken[source] = kept
    return dict(sorted(taken.items()))


def applications_of(taken: Mapping[Source, Iterable[RatingRow]]) -> dict[str, list[int]]:
    return {str(source): sorted({row.application for row in own}) for source, own in taken.items()}


def by_source(kind: Aside, rows: Iterable[tuple[str, RatingRow]]) -> dict[Source, list[RatingRow]]:
    found: dict[Source, list[RatingRow]] = defaultdict(list)
    for name, row in rows:
        found[Source(kind, name)].append(row)
    return dict(found)
