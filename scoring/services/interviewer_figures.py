"""The nightly snapshot about interviewers: closed applications only, five new ones of a person at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import date
from typing import Any

from django.db import transaction

from people.locks import Lock, queue_on
from scoring.models import CountedForPerson, InterviewerFigures
from scoring.queries.figures import closed_applications
from scoring.queries.interviewer_figures import load_agreements, load_counted_for, load_sat, seats_held
from scoring.rules.figures import STEP
from scoring.rules.interviewer import Sat, figures_of_seats, pooled_agreement


@transaction.atomic
def write_interviewer_figures(today: date) -> int:
    """Take what is new into the figures of everybody for whom five or more closed applications wait, or five markings
    without names; return how many people's figures moved. Run twice, the second run changes nothing.
    """
    queue_on(Lock.FIGURES)
    closed = set(closed_applications().values_list("pk", flat=True))
    counted = load_counted_for()
    waiting: dict[int, set[int]] = defaultdict(set)
    for person, application in seats_held(closed).values_list("person", "interview__application"):
        if application not in counted.get(person, ()):
            waiting[person].add(application)
    fresh = {person: new for person, new in waiting.items() if len(new) >= STEP}
    agreed = {person: pooled_agreement(found) for person, found in load_agreements().items()}
    known = {row.person_id: row for row in InterviewerFigures.objects.all()}
    marked = {person for person, found in agreed.items() if found and found["markings"] > _markings(known.get(person))}
    if not fresh and not marked:
        return 0
    CountedForPerson.objects.bulk_create(
        CountedForPerson(person_id=person, application_id=application)
        for person, new in fresh.items()
        for application in sorted(new)
    )
    taken = {person: counted.get(person, set()) | new for person, new in fresh.items()}
    seats = load_sat(sorted(set().union(*taken.values()) & closed)) if taken else []
    held: dict[int, list[Sat]] = defaultdict(list)
    for seat in seats:
        held[seat.person].append(seat)
    rows = []
    for person in sorted({*fresh, *marked}):
        if person in taken:
            own = [seat for seat in held[person] if seat.application in taken[person]]
            content = figures_of_seats(own)
            applications = len({seat.application for seat in own})
        else:
            content, applications = _as_it_stands(known.get(person))
        # Of those without a batch of their own nothing but the agreement moves.
        kept = known[person].content.get("agreement") if person in known else None
        content["agreement"] = agreed.get(person) if person in marked else kept
        if person in known and "calibrated" in known[person].content:
            content["calibrated"] = known[person].content["calibrated"]
        rows.append(InterviewerFigures(person_id=person, applications=applications, content=content, counted_on=today))
    InterviewerFigures.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["person"],
        update_fields=["applications", "content", "counted_on"],
    )
    return len(rows)


def write_calibrated(found: Mapping[int, dict[str, Any]]) -> int:
    """Write down what a new calibration says of each person, where their own snapshot took applications in since it
    was written last: a severity that moved by one application would say what was marked there. Return how many
    people's figures moved.

    In the caller's transaction, which must have found it in closed applications alone.
    """
    queue_on(Lock.FIGURES)
    moved = []
    for row in InterviewerFigures.objects.filter(person__in=found, applications__gt=0):
        written = row.content.get("calibrated")
        if written is None or written.get("applications") != row.applications:
            row.content["calibrated"] = {**found[row.person_id], "applications": row.applications}
            moved.append(row)
    InterviewerFigures.objects.bulk_update(moved, ["content"])
    return len(moved)


def _markings(row: InterviewerFigures | None) -> int:
    agreed = row.content.get("agreement") if row else None
    return int(agreed["markings"]) if agreed else 0


def _as_it_stands(row: InterviewerFigures | None) -> tuple[dict[str, Any], int]:
    return (dict(row.content), row.applications) if row else (figures_of_seats([]), 0)
