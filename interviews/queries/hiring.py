"""Reads of positions and applications. No judgement is touched here.

Who has submitted a card is shown to those in charge who do not judge the application themselves; raters know only their
own duty (DOMAIN.md, *What must not be inferred*). So counts of cards leave out whom the viewer judges, here or in
another position (sealed.told_nothing).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import (
    BooleanField,
    Count,
    ExpressionWrapper,
    F,
    IntegerField,
    OuterRef,
    Prefetch,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _

from interviews.enums import InterviewStatus
from interviews.models import Application, Candidate, Claim, Interview, Position, Seat, Text
from interviews.queries.reach import applications_for, positions_for
from interviews.sealed import AHEAD, CARD_MISSING, all_in, told_nothing
from people.models import AuditEntry, Person


def name_of(candidate: Candidate) -> str:
    """The candidate's name, or a number once the name is erased. Needs `identity` selected to cost nothing."""
    identity = getattr(candidate, "identity", None)
    return identity.name if identity else _("Candidate %(number)s") % {"number": candidate.pk}


def position_rows(viewer: Person) -> QuerySet[Position]:
    """The viewer's positions, open ones and newest first, each with `candidates`, `this_week` and `owed` (cards)."""
    now = timezone.now()
    coming = Interview.objects.filter(
        application__position=OuterRef("pk"),
        status=InterviewStatus.SCHEDULED,
        starts_at__range=(now, now + timedelta(days=7)),
    )
    owed = Seat.objects.filter(
        CARD_MISSING,
        ~told_nothing(viewer, "interview__application"),
        interview__application__position=OuterRef("pk"),
    )
    return (
        positions_for(viewer)
        .select_related("plan")
        .annotate(
            candidates=Count("applications", distinct=True),
            this_week=_counted(coming, "application__position"),
            owed=_counted(owed, "interview__application__position"),
        )
        .order_by(F("closed_at").asc(nulls_first=True), "-created_at")
    )


def _counted(rows: QuerySet[Interview] | QuerySet[Seat], group: str) -> Coalesce:
    counted = rows.order_by().values(group).annotate(n=Count("pk")).values("n")
    return Coalesce(Subquery(counted), 0, output_field=IntegerField())


@dataclass(slots=True)
class ApplicationRow:
    """One line of a position's page. The counts of cards are None where the viewer judges the candidate."""

    application: Application
    name: str
    next: Interview | None
    held: int
    cards_in: int | None
    cards_owed: int | None


def application_rows(viewer: Person, position: Position) -> list[ApplicationRow]:
    """The applications of a position, newest first."""
    interviews = Interview.objects.order_by("starts_at").prefetch_related("seats")
    applications = (
        applications_for(viewer)
        .filter(position=position)
        .select_related("candidate__identity")
        .annotate(hidden=ExpressionWrapper(told_nothing(viewer, ""), output_field=BooleanField()))
        .prefetch_related(Prefetch("interviews", queryset=interviews))
    )
    return [_application_row(application) for application in applications]


def _application_row(application: Application) -> ApplicationRow:
    interviews = list(application.interviews.all())
    cards = [seat for interview in interviews for seat in interview.seats.all() if seat.card_owed]
    done = [seat for seat in cards if seat.card_submitted_at or seat.card_excused_at]
    hidden: bool = application.hidden  # type: ignore[attr-defined]  # annotated
    return ApplicationRow(
        application=application,
        name=name_of(application.candidate),
        next=next((interview for interview in interviews if interview.status in AHEAD), None),
        held=sum(interview.status == InterviewStatus.ENDED for interview in interviews),
        cards_in=None if hidden else len(done),
        cards_owed=None if hidden else len(cards),
    )


@dataclass(slots=True)
class Card:
    """A card that is owed or given: "owed", "submitted" or "excused", with the reason of an excuse."""

    seat: Seat
    state: str
    reason: str = ""


@dataclass(slots=True)
class ApplicationPage:
    """What the page of an application shows. `cards` and `all_in` are None where the viewer judges the candidate."""

    application: Application
    name: str
    interviews: list[Interview]
    claims: list[str]
    cards: list[Card] | None
    all_in: bool | None
    still_scheduled: int


def application_page(viewer: Person, application: Application) -> ApplicationPage:
    """Read an application that the viewer manages (from reach.applications_for, with position and identity)."""
    seats = Seat.objects.select_related("person").order_by("pk")
    interviews = list(application.interviews.order_by("starts_at").prefetch_related(Prefetch("seats", queryset=seats)))
    hidden = judges(viewer, application)
    return ApplicationPage(
        application=application,
        name=name_of(application.candidate),
        interviews=interviews,
        claims=claims_of(application),
        cards=None if hidden else _cards(interviews),
        all_in=None if hidden else Application.objects.filter(all_in(""), pk=application.pk).exists(),
        still_scheduled=sum(interview.status in AHEAD for interview in interviews),
    )


def judges(viewer: Person, application: Application) -> bool:
    """Whether the viewer judges this person, here or elsewhere: then whose card is in is kept from them."""
    return Application.objects.filter(told_nothing(viewer, ""), pk=application.pk).exists()


def known_candidates(viewer: Person, position: Position) -> QuerySet[Candidate]:
    """The candidates of the viewer's other positions who have not applied for this one, by name."""
    return (
        Candidate.objects.filter(applications__in=applications_for(viewer), identity__isnull=False)
        .exclude(applications__position=position)
        .select_related("identity")
        .distinct()
        .order_by("identity__name", "pk")
    )


def claims_of(application: Application) -> list[str]:
    claims = Claim.objects.filter(application=application, text__body__isnull=False).select_related("text")
    return [claim.text.body or "" for claim in claims]


def _cards(interviews: Iterable[Interview]) -> list[Card]:
    seats = [seat for interview in interviews for seat in interview.seats.all()]
    cards = []
    for seat in seats:
        if seat.card_submitted_at:
            cards.append(Card(seat, "submitted"))
        elif seat.card_excused_at:
            cards.append(Card(seat, "excused"))
        elif seat.card_owed:
            cards.append(Card(seat, "owed"))
    _add_reasons([card for card in cards if card.state == "excused"])
    return cards


def _add_reasons(excused: list[Card]) -> None:
    """The words of an excuse are a Text; which one is said by the audit entry of the excuse."""
    if not excused:
        return
    entries = AuditEntry.objects.filter(
        action="seat.excused", object_kind="interviews.seat", object_id__in=[str(card.seat.pk) for card in excused]
    )
    text_of = {int(entry.object_id): int(entry.data["text"]) for entry in entries}
    bodies = dict(Text.objects.filter(pk__in=text_of.values()).values_list("pk", "body"))
    for card in excused:
        card.reason = bodies.get(text_of.get(card.seat.pk, 0)) or ""
