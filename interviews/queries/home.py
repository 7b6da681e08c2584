"""What the home page tells a person about interviews: what needs them now, most urgent first, and what comes next."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.db.models import Count, Exists, Max, Min, OuterRef, Q
from django.utils import timezone
from django.utils.timesince import timesince, timeuntil
from django.utils.translation import gettext as _

from interviews.enums import InterviewStatus, Revealed, Role
from interviews.models import Application, Interview, Reveal, Seat
from interviews.queries.hiring import name_of
from interviews.queries.interviews import Line, lines_for
from interviews.queries.reach import applications_for, interviews_managed_by
from interviews.queries.seating import may_sit
from interviews.sealed import CARD_MISSING, all_in, readable_panel, told_nothing
from people.models import Person
from questionbank.enums import ReviewStepKind
from questionbank.models import TreeVersion
from questionbank.rules import may_write
from questionbank.versions import awaiting

LATE = timedelta(days=1)
SOON = timedelta(days=7)
DOOR = timedelta(minutes=15)


class Kind(StrEnum):
    """What a person has to do. The template has the words."""

    ROOM = "room"
    PREPARE = "prepare"
    CARD = "card"
    READ = "read"
    CARDS_LATE = "cards_late"
    NOT_STARTED = "not_started"
    SEAT = "seat"
    REVIEW = "review"


@dataclass(slots=True)
class Need:
    """One thing that waits for somebody. `at` orders them: the moment it is about."""

    kind: Kind
    at: datetime
    name: str
    position: str
    interview: Interview | None = None
    application: Application | None = None
    seat: Seat | None = None
    count: int = 0
    version: TreeVersion | None = None

    @property
    def when(self) -> str:
        """The distance to now, in the largest unit."""
        now = timezone.now()
        if abs(self.at - now) < timedelta(minutes=1):
            return _("now")
        if self.at > now:
            return _("in %(time)s") % {"time": timeuntil(self.at, now, depth=1)}
        return _("%(time)s ago") % {"time": timesince(self.at, now, depth=1)}


@dataclass(slots=True)
class Home:
    needs: list[Need]
    next: list[Line]


def home(viewer: Person) -> Home:
    """Read the home page's part about interviews. Eight queries at most."""
    lines = lines_for(viewer)
    today = timezone.localdate()
    needs = [need for line in lines if (need := _mine(line, today))] + _to_review(viewer)
    if viewer.is_manager or viewer.is_administrator:
        needs += [*_to_read(viewer), *_cards_late(viewer), *_interviews(viewer)]
    now = timezone.now()
    # What has a time to come is urgent by nearness; what has waited, by how long; both by distance to now, rooms first.
    needs.sort(key=lambda need: (need.kind != Kind.ROOM, need.kind != Kind.PREPARE, abs(need.at - now)))
    coming = [line for line in lines if line.ahead and timezone.localdate(line.interview.starts_at) > today]
    return Home(needs, coming)


def _mine(line: Line, today: object) -> Need | None:
    interview, seat = line.interview, line.seat
    if seat is None:
        return None
    running = line.ahead and interview.status != InterviewStatus.SCHEDULED
    if running or (line.ahead and timezone.localdate(interview.starts_at) <= today):  # type: ignore[operator]
        begun = running or interview.starts_at <= timezone.now() + DOOR
        kind = Kind.ROOM if begun or not line.prepares else Kind.PREPARE
        return _need(kind, interview.starts_at, interview.application, interview=interview, seat=seat)
    if seat.card_owed and not seat.card_submitted_at and not seat.card_excused_at:
        at = interview.ended_at or interview.starts_at
        return _need(Kind.CARD, at, interview.application, interview=interview, seat=seat)
    if seat.card_amending_at:
        return _need(Kind.CARD, seat.card_amending_at, interview.application, interview=interview, seat=seat)
    return None


def _need(
    kind: Kind,
    at: datetime,
    application: Application,
    *,
    interview: Interview | None = None,
    seat: Seat | None = None,
    count: int = 0,
) -> Need:
    return Need(
        kind=kind,
        at=at,
        name=name_of(application.candidate),
        position=application.position.title,
        interview=interview,
        application=application,
        seat=seat,
        count=count,
    )


def _to_read(viewer: Person) -> list[Need]:
    """Applications whose cards are all in and whose panel card the viewer may read and has not opened yet."""
    seen = Reveal.objects.filter(application=OuterRef("pk"), viewer=viewer, what=Revealed.PANEL)
    submitted = Seat.objects.filter(interview__application=OuterRef("pk"), card_submitted_at__isnull=False)
    applications = (
        applications_for(viewer)
        .filter(all_in(""), readable_panel(viewer, ""), Exists(submitted), ~Exists(seen), erased_at__isnull=True)
        .select_related("position", "candidate__identity")
        .annotate(last_in=Max("interviews__seats__card_submitted_at"))
    )
    return [_need(Kind.READ, row.last_in, row) for row in applications[:20]]


def _to_review(viewer: Person) -> list[Need]:
    """Versions of trees that were sent to the viewer."""
    if not may_write(viewer.roles):
        return []
    sent = awaiting(viewer).annotate(sent_at=Max("steps__at", filter=Q(steps__kind=ReviewStepKind.SENT)))
    return [Need(Kind.REVIEW, row.sent_at or row.created_at, name="", position="", version=row) for row in sent[:20]]


def _cards_late(viewer: Person) -> list[Need]:
    late = Seat.objects.filter(CARD_MISSING, interview__ended_at__lt=timezone.now() - LATE)
    missing = Q(interviews__seats__in=late)
    applications = (
        applications_for(viewer)
        .filter(~told_nothing(viewer, ""), erased_at__isnull=True)
        .annotate(
            late=Count("interviews__seats", filter=missing, distinct=True),
            since=Min("interviews__ended_at", filter=missing),
        )
        .filter(late__gt=0)
        .select_related("position", "candidate__identity")
    )
    return [_need(Kind.CARDS_LATE, row.since, row, count=row.late) for row in applications[:20]]


def _interviews(viewer: Person) -> list[Need]:
    """Interviews that should have begun, and those to come with somebody in a seat who can't take it any more."""
    now = timezone.now()
    rows = (
        interviews_managed_by(viewer)
        .filter(status=InterviewStatus.SCHEDULED, starts_at__lt=now + SOON)
        .select_related("application__position", "application__candidate__identity")
        .prefetch_related("seats__person")
        .order_by("starts_at")
    )
    needs = []
    for row in rows[:50]:
        if row.starts_at < now - DOOR:
            needs.append(_need(Kind.NOT_STARTED, row.starts_at, row.application, interview=row))
            continue
        needs.extend(
            _need(Kind.SEAT, row.starts_at, row.application, interview=row, seat=seat)
            for seat in row.seats.all()
            if seat.person and seat.removed_at is None and not may_sit(seat.person, Role(seat.role))
        )
    return needs
