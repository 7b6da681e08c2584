"""What the nightly snapshot reads about interviewers, and their figures for those who may look at them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.http import Http404

from interviews.enums import JUDGES, InterviewStatus
from interviews.models import Asked, Attendance, PlannedSeat, Seat
from interviews.queries.reach import positions_for
from interviews.sealed import OWING, SEATED
from people.enums import PersonRole
from people.models import Person
from questionbank.enums import Scoring
from scoring.models import BlindMarking, CountedForPerson, InterviewerFigures, RevisionMark
from scoring.queries.revisions import last_independent
from scoring.queries.voids import not_voided
from scoring.rules.interviewer import Sat, added_up

LATE = timedelta(days=1)
"""A card that comes later than this after the interview's end is late."""


def seats_held(applications: Collection[int]) -> QuerySet[Seat]:
    """The seats that ask or may come to ask, of held interviews of these applications."""
    return Seat.objects.filter(
        SEATED,
        interview__application__in=applications,
        interview__status=InterviewStatus.ENDED,
        role__in=OWING,
        person__isnull=False,
    )


def load_sat(applications: Collection[int]) -> list[Sat]:
    """Read what interviewers did in these applications; six queries."""
    seats = list(seats_held(applications).select_related("interview").order_by("pk"))
    asked = _asked({seat.interview_id for seat in seats})
    lines = _lines(seat.pk for seat in seats)
    planned = defaultdict(set)
    for seat, tree in PlannedSeat.objects.filter(seat__in=seats).values_list("seat", "pinned__version__tree"):
        planned[seat].add(tree)
    last = last_independent(seat__in=seats)
    marks: dict[int, list[RevisionMark]] = defaultdict(list)
    for mark in RevisionMark.objects.unsealed_for_compiling().filter(revision__in=last.values()):
        marks[mark.seat_id].append(mark)
    return [_sat(seat, asked[seat.interview_id], marks[seat.pk], lines[seat.pk], planned[seat.pk]) for seat in seats]


@dataclass(frozen=True, slots=True)
class _Asking:
    pk: UUID
    tree: int
    at: datetime
    scored: bool


Line = tuple[datetime, datetime]


def _asked(interviews: Iterable[int]) -> dict[int, list[_Asking]]:
    """What stands asked, but for voided probes; own questions of a lead belong to their parent's tree."""
    rows = Asked.objects.filter(not_voided(), interview__in=list(interviews), retracted_at__isnull=True)
    tree = Coalesce("probe__version__tree", "adhoc__parent__version__tree")
    found: dict[int, list[_Asking]] = defaultdict(list)
    for pk, interview, at, scoring, of in rows.annotate(of=tree).values_list(
        "pk", "interview", "made_at", "probe__scoring", "of"
    ):
        found[interview].append(_Asking(pk, of, at, scoring is None or scoring == Scoring.SCORED))
    return found


def _lines(seats: Iterable[int]) -> dict[int, list[Line]]:
    rows = Attendance.objects.filter(seat__in=list(seats)).annotate(until=Coalesce("ended_at", "seen_at"))
    found: dict[int, list[Line]] = defaultdict(list)
    for seat, since, until in rows.values_list("seat", "started_at", "until"):
        found[seat].append((since, until))
    return found


def _sat(seat: Seat, asked: list[_Asking], marks: list[Any], lines: list[Line], planned: set[int]) -> Sat:
    """A probe counts as heard where the seat had a line by then, or marked it all the same."""
    scored = {one.pk: one for one in asked if one.scored}
    judged = {mark.asked_id for mark in marks if mark.outcome and mark.asked_id in scored}
    heard = {pk for pk, one in scored.items() if pk in judged or any(a <= one.at <= b for a, b in lines)}
    ratings = [
        rating
        for mark in marks
        if mark.asked_id in scored
        for rating in (mark.depth, mark.why, mark.hands_on)
        if rating is not None
    ]
    ended, came = seat.interview.ended_at, seat.card_submitted_at
    late = ended is not None and came is not None and came > ended + LATE
    trees = {one.tree for one in asked}
    return Sat(
        person=seat.person_id or 0,
        application=seat.interview.application_id,
        ratings=tuple(ratings),
        heard=len(heard),
        marked=len(judged),
        planned=len(planned),
        asked=len(planned & trees),
        late=late if came is not None and seat.card_owed else None,
    )


def load_counted_for() -> dict[int, set[int]]:
    """{person: the closed applications that their figures include}"""
    counted: dict[int, set[int]] = defaultdict(set)
    for person, application in CountedForPerson.objects.values_list("person", "application"):
        counted[person].add(application)
    return counted


def load_agreements() -> dict[int, list[dict[str, Any]]]:
    """{person: how their markings without names agreed with panels}, in the order they were handed in."""
    found: dict[int, list[dict[str, Any]]] = defaultdict(list)
    rows = BlindMarking.objects.filter(submitted_at__isnull=False, agreement__isnull=False)
    for person, agreed in rows.order_by("submitted_at", "pk").values_list("marker", "agreement"):
        if agreed is not None:
            found[person].append(agreed)
    return found


# --- for pages --------------------------------------------------------------------------------------------------------


def interviewers_for(viewer: Person) -> QuerySet[Person]:
    """The people whose figures the viewer may look at: their own; managers those who sat on their panels;
    administrators everybody's. By name."""
    if viewer.is_administrator:
        allowed = Q(roles__contains=[PersonRole.INTERVIEWER.value])
    else:
        sat = Seat.objects.filter(
            SEATED, role__in=JUDGES, person=OuterRef("pk"), interview__application__position__in=positions_for(viewer)
        )
        allowed = Q(Exists(sat))
    if viewer.is_interviewer:
        allowed |= Q(pk=viewer.pk)
    return Person.objects.filter(allowed).order_by("name", "pk")


def interviewer_for(viewer: Person, code: UUID) -> Person:
    """Fetch an interviewer whose figures the viewer may look at. 403 for colleagues: that they exist is no secret."""
    found = interviewers_for(viewer).filter(code=code).first()
    if found is not None:
        return found
    if viewer.is_interviewer and Person.objects.filter(code=code, is_active=True).exists():
        raise PermissionDenied
    raise Http404


@dataclass(frozen=True, slots=True)
class Compared:
    """A person's figures and the others' added up. Each is None while it would say too much."""

    own: InterviewerFigures | None
    group: dict[str, Any] | None


def load_compared(person: Person) -> Compared:
    """Read one person's figures and all others' sum; one query."""
    rows = {row.person_id: row for row in InterviewerFigures.objects.all()}
    own = rows.pop(person.pk, None)
    return Compared(own, added_up([row.content for row in rows.values() if row.applications]))
