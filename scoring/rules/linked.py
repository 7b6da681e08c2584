"""What of a panel card's inputs enters the calibration: each interviewer's counted ratings, from independent cards."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import astuple, dataclass

from interviews.enums import Aim, Role
from scoring.rules.inputs import PanelInputs
from scoring.rules.readings import RaterReading, read_rater
from scoring.rules.values import CountedRating

TOP = 4
"""Ratings run from 0 to this."""


@dataclass(frozen=True, slots=True, order=True)
class RatingRow:
    """One rating that counts. `interview`: its place in the loop; `tree`, `probe` as in MarkIn; `asked` the answer,
    which several interviewers may have heard. `person`: negative for an automatic judge that counts, by its id."""

    application: int
    person: int
    interview: int
    tree: int
    probe: str
    aim: Aim
    asked: str
    rating: int


def rating_rows(inputs: PanelInputs) -> Iterator[RatingRow]:
    """Yield what each interviewer's last independent revisions say, capped and without what was voided.

    Shadows, trial probes, and people who had seen others' judgements are out.
    """
    for rater in inputs.raters:
        if rater.role != Role.SHADOW:
            yield from rows_of(inputs.application, read_rater(rater, inputs.trees))


def rows_of(application: int, rater: RaterReading) -> Iterator[RatingRow]:
    """Yield what one person's last independent revisions say, whatever their role."""
    reading = rater.independent
    if reading is None:
        return
    for value in reading.values.values():
        for one in value.ratings:
            yield row_of(application, rater.rater.person, reading.marks[one.asked].interview, one)


def row_of(application: int, person: int, interview: int, one: CountedRating) -> RatingRow:
    return RatingRow(
        application=application,
        person=person,
        interview=interview,
        tree=one.tree,
        probe=one.probe,
        aim=one.aim,
        asked=one.asked,
        rating=one.counts,
    )


def digest_of(
    rows: Iterable[RatingRow],
    wordings: Iterable[tuple[str, str]],
    aside: Iterable[tuple[str, Iterable[RatingRow]]] = (),
) -> str:
    """SHA-256 of ratings, of how what was asked was worded, and of what is measured aside, by source; in any order."""
    beside = sorted((source, sorted(map(astuple, own))) for source, own in aside)
    return hashlib.sha256(json.dumps([sorted(map(astuple, rows)), sorted(wordings), beside]).encode()).hexdigest()
