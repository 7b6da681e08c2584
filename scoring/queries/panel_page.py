"""Who may see an application's panel page in which state, and the names and words behind a compiled card's ids."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.utils import timezone

from interviews.enums import InterviewStatus
from interviews.models import Application, Interview, Seat
from interviews.queries.hiring import judges
from interviews.queries.pauses import pauses_of
from interviews.rules import AskedAt, tree_times
from interviews.sealed import AHEAD, may_read_panel
from people.models import Job, Person
from scoring.models import PanelScorecard, Revision, RevisionStatement
from scoring.queries.cards import Sealed, application_for, is_in_charge, is_rater, missing_cards
from scoring.queries.panel import newest_panel, panel_visible_to
from scoring.queries.revisions import AskedProbe, load_asked
from scoring.queries.titles import Titles, load_titles


class PanelState(StrEnum):
    """`readable`: the seal lets. `waiting`: in charge, off the panel, and cards or interviews are still to come."""

    READABLE = "readable"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class PanelAccess:
    application: Application
    state: PanelState
    in_charge: bool
    card: PanelScorecard | None
    compiling: bool
    outdated: bool = False
    """There is a card, made by other code: it has to be compiled again before it can be drawn."""


def panel_for(viewer: Person, code: UUID) -> PanelAccess:
    """Fetch an application's panel page for the viewer: 404 for strangers, 403 for insiders whom the seal keeps out.

    Raters are told nothing but that it is sealed. Who is in charge and off the panel, and owes this person no
    judgement elsewhere, is told what is missing.
    """
    application = application_for(viewer, code)
    in_charge = is_in_charge(viewer, application) and not is_rater(viewer, application)
    if may_read_panel(viewer, application):
        card = panel_visible_to(viewer, application)
        outdated = card is None and newest_panel(application.pk) is not None
        return PanelAccess(application, PanelState.READABLE, in_charge, card, _is_compiling(application), outdated)
    if not in_charge or judges(viewer, application):
        raise Sealed
    return PanelAccess(application, PanelState.WAITING, in_charge, None, compiling=False)


def sealed_panel_for(viewer: Person, code: UUID) -> Application:
    """Fetch an application that the viewer may open early: in charge of it, off its panel, and it is still sealed.

    404 for strangers, 403 for everyone else, also once it can be read: then there is nothing to open.
    """
    access = panel_for(viewer, code)
    if access.state != PanelState.WAITING:
        raise Sealed
    return access.application


def _is_compiling(application: Application) -> bool:
    return Job.objects.filter(
        name="scoring.compile_panel", key=f"panel:{application.pk}", done_at__isnull=True
    ).exists()


# --- waiting ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Waiting:
    """What must still happen before the panel card can be read, for who is in charge."""

    missing: list[Seat]
    to_come: list[Interview]
    excused: list[Seat]
    submitted: list[Seat]


def load_waiting(application: Application) -> Waiting:
    seats = Seat.objects.filter(interview__application=application, card_owed=True).select_related(
        "person", "interview"
    )
    unclosed = application.loop_closed_at is None
    statuses = AHEAD if unclosed else (InterviewStatus.LIVE, InterviewStatus.PAUSED)
    return Waiting(
        missing=missing_cards(application),
        to_come=list(Interview.objects.filter(application=application, status__in=statuses)),
        excused=list(seats.filter(card_excused_at__isnull=False, card_submitted_at__isnull=True)),
        submitted=list(seats.filter(card_submitted_at__isnull=False)),
    )


# --- readable ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PanelNames:
    """The names and words that a compiled card's ids stand for. `texts`: statement -> words, None once erased."""

    people: Mapping[int, Person]
    letters: Mapping[int, str]
    titles: Titles
    asked: Mapping[str, AskedProbe]
    texts: Mapping[int, str | None]
    revisions: Mapping[int, Revision]
    interviews: list[Interview]
    time_seen: timedelta | None


def load_names(viewer: Person, application: Application, content: Mapping[str, Any]) -> PanelNames:
    """Load names and words in a constant number of queries; words only through the seal."""
    interviews = list(Interview.objects.filter(application=application, started_at__isnull=False))
    asked = load_asked([interview.pk for interview in interviews])
    order = [rater["person"] for rater in content["raters"]]
    people = Person.objects.in_bulk(order)
    statements = [row["statement"] for row in content["evidence"]]
    texts = RevisionStatement.objects.visible_to(viewer).filter(pk__in=statements).select_related("text")
    revisions = [pk for rater in content["raters"] for pk in rater["revisions"]]
    visible = Revision.objects.visible_to(viewer).filter(pk__in=revisions).order_by("pk")
    return PanelNames(
        people={pk: people[pk] for pk in order},
        letters={pk: letter(place) for place, pk in enumerate(order)},
        titles=load_titles(
            [interview.pk for interview in interviews],
            asked=asked,
            trees=[tree["tree"] for tree in content["trees"]],
        ),
        asked=asked,
        texts={row.pk: row.text.body for row in texts},
        revisions={row.pk: row for row in visible.select_related("seat", "summary", "reason", "amendment")},
        interviews=interviews,
        time_seen=None if application.erased_at else _time_seen(interviews, asked),
    )


def letter(place: int) -> str:
    """A, B, ... Z, then A2, B2: one letter for each interviewer."""
    round_, index = divmod(place, 26)
    return chr(ord("A") + index) + (str(round_ + 1) if round_ else "")


def _time_seen(interviews: list[Interview], asked: Mapping[str, AskedProbe]) -> timedelta:
    """Sum the time from each first question to the end of its interview, pauses out."""
    pauses = pauses_of(interview.room_id for interview in interviews)
    total = timedelta()
    for interview in interviews:
        asks = [AskedAt(0, found.row.made_at) for found in asked.values() if found.row.interview_id == interview.pk]
        end = interview.ended_at or timezone.now()
        total += sum(tree_times(asks, pauses=pauses[interview.room_id], end=end).values(), timedelta())
    return total
