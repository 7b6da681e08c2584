"""One candidate over all the applications and interviews that the reader may know of; the rest isn't there for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import BooleanField, ExpressionWrapper, Prefetch, Q, QuerySet
from django.http import Http404

from interviews.models import Application, Interview, Seat
from interviews.queries.hiring import name_of
from interviews.queries.reach import applications_for, interviews_seen_by, seats_of, timelines_for
from interviews.sealed import open_seats, readable
from people.models import Person
from scoring.models import PanelScorecard
from scoring.queries.comparison import TreeColumn, load_columns, with_seal
from scoring.queries.panel import drawable_panels


@dataclass(frozen=True, slots=True)
class Held:
    """An interview the reader may know of: who sat there, whether its course may be read, whose cards (by seat)."""

    interview: Interview
    seats: Sequence[Seat]
    timeline: bool
    cards: Sequence[Seat]


@dataclass(frozen=True, slots=True)
class Applied:
    """An application. `managed`: the reader is in charge. `content`: the whole panel card, where the seal lets."""

    application: Application
    managed: bool
    readable: bool
    card: PanelScorecard | None
    held: Sequence[Held]

    @property
    def content(self) -> Mapping[str, Any] | None:
        return self.card.content if self.card else None


@dataclass(frozen=True, slots=True)
class CandidateData:
    code: UUID
    name: str
    applied: Sequence[Applied]
    trees: Sequence[TreeColumn]
    people: Mapping[int, Person]


def load_candidate(viewer: Person, code: UUID) -> CandidateData:
    """Load a candidate in a constant number of queries. Raises Http404 for who has no part in any application."""
    applications = list(_applications(viewer, code))
    if not applications:
        raise Http404
    cards = _cards(viewer, applications)
    held = _held(viewer, applications)
    contents = [card.content for card in cards.values()]
    raters = {rater["person"] for content in contents for rater in content["raters"]}
    return CandidateData(
        code=code,
        name=name_of(applications[0].candidate),
        applied=[
            Applied(
                application=row,
                managed=row.managed,  # type: ignore[attr-defined]  # annotated
                readable=row.readable,  # type: ignore[attr-defined]
                card=cards.get(row.pk),
                held=held.get(row.pk, []),
            )
            for row in applications
        ],
        trees=load_columns(None, contents),
        people=Person.objects.in_bulk(raters),
    )


def _applications(viewer: Person, code: UUID) -> QuerySet[Application]:
    """Those the reader is in charge of or has a seat in, oldest first."""
    managed = Q(pk__in=applications_for(viewer).values("pk"))
    seated = Q(pk__in=seats_of(viewer).values("interview__application"))
    rows = Application.objects.filter(managed | seated, candidate__code=code)
    rows = with_seal(rows.select_related("position", "candidate__identity"), viewer)
    return rows.annotate(managed=ExpressionWrapper(managed, output_field=BooleanField())).order_by("created_at", "pk")


def _cards(viewer: Person, applications: Sequence[Any]) -> dict[int, PanelScorecard]:
    newest = [row.newest for row in applications if row.readable]
    found = drawable_panels(viewer).filter(pk__in=newest).defer("inputs")
    return {card.application_id: card for card in found}


def _held(viewer: Person, applications: Sequence[Application]) -> dict[int, list[Held]]:
    """Interviews by application: those where the reader sits or that they manage, and those whose judgements they may
    read."""
    seats = Seat.objects.filter(person__isnull=False, removed_at__isnull=True).select_related("person").order_by("pk")
    known = Q(pk__in=interviews_seen_by(viewer).values("pk")) | readable(viewer, "application")
    interviews = list(
        Interview.objects.filter(known, application__in=applications)
        .order_by("starts_at", "pk")
        .prefetch_related(Prefetch("seats", queryset=seats, to_attr="panel"))
    )
    told = set(timelines_for(viewer).filter(pk__in=[row.pk for row in interviews]).values_list("pk", flat=True))
    cards: dict[int, list[Seat]] = {}
    submitted = open_seats(viewer).filter(interview__in=interviews, card_submitted_at__isnull=False)
    for seat in submitted.select_related("person").order_by("pk"):
        cards.setdefault(seat.interview_id, []).append(seat)
    found: dict[int, list[Held]] = {}
    for row in interviews:
        panel: list[Seat] = row.panel  # prefetched
        found.setdefault(row.application_id, []).append(
            Held(row, panel, row.started_at is not None and row.pk in told, cards.get(row.pk, []))
        )
    return found
