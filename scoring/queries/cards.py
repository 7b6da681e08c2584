"""Whose card is asked for, and what the viewer may do with it. A card is fetched with the right to it or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db.models import Q
from django.http import Http404
from django.utils.translation import gettext as _

from interviews import log
from interviews.enums import InterviewStatus, Revealed
from interviews.models import Application, Attendance, Event, Mark, Position, Reveal, Seat, Unsealed
from interviews.sealed import CARD_MISSING, RATERS, SEATED, in_charge, on_panel, open_seats
from people.models import Person
from scoring.models import Revision, Scorecard


class Sealed(PermissionDenied):
    """The viewer may not read this yet, or ever. The words are the same for everyone, so that they tell nothing."""

    def __str__(self) -> str:
        return _(
            "Sealed. Judgements are read by those who judged too, and by who is in charge, when their time has come."
        )


@dataclass(frozen=True, slots=True)
class CardAccess:
    """A seat whose card may be read by the viewer; `own`: it is theirs to write.

    `revision` is the one to show, None for a draft or an amendment that is being written; `revisions`: all, in order.
    """

    seat: Seat
    own: bool
    revision: Revision | None
    revisions: tuple[Revision, ...]

    @property
    def amending(self) -> bool:
        """Whether this is the author's amendment, as it is being written."""
        return self.own and self.revision is None and bool(self.revisions)


def card_for(viewer: Person, seat: UUID, *, number: int | None = None) -> CardAccess:
    """Fetch a card for its author, or a submitted one for a reader whom the seal lets.

    `number`: a revision that is not the newest; 404 where there is none. Strangers to the application get 404. Insiders
    get 403 for every other seat alike, so that the answer does not tell whether a card exists.
    """
    found = Seat.objects.select_related(
        "person", "interview__application__position", "interview__application__candidate__identity"
    ).filter(code=seat, role__in=RATERS)
    row = found.first()
    # A seat that was taken away from somebody who had judged makes them no insider, and leaves them their card.
    own = row is not None and row.person_id == viewer.pk
    if row is None or not (is_insider(viewer, row.interview.application) or (own and _judged(row))):
        raise Http404
    if own:
        return _access(row, own=True, number=number)
    if not open_seats(viewer).filter(pk=row.pk).exists():
        raise Sealed
    return _access(row, own=False, number=number)


def own_seat(viewer: Person, interview: UUID) -> Seat:
    """Fetch the viewer's own rating seat in an interview; 404 without one."""
    seats = Seat.objects.filter(interview__code=interview, person=viewer, role__in=RATERS)
    seat = seats.filter(SEATED).last() or next((seat for seat in seats.order_by("-pk") if _judged(seat)), None)
    if seat is None:
        raise Http404
    return seat


def _judged(seat: Seat) -> bool:
    return Mark.objects.written_by(seat).filter(version__gt=0).exists()


def _access(seat: Seat, *, own: bool, number: int | None) -> CardAccess:
    rows = tuple(
        Revision.objects.written_by(seat)
        .select_related("card", "seat", "summary", "reason", "amendment")
        .order_by("number")
    )
    if number is not None:
        chosen = next((row for row in rows if row.number == number), None)
        if chosen is None:
            raise Http404
    else:
        chosen = rows[-1] if rows and not (own and seat.card_amending_at) else None
    return CardAccess(seat, own=own, revision=chosen, revisions=rows)


def is_insider(viewer: Person, application: Application) -> bool:
    """Whether the viewer has any part in the application: in charge of it, or with a seat in one of its interviews."""
    return is_in_charge(viewer, application) or (
        Seat.objects.filter(SEATED, interview__application=application, person=viewer).exists()
    )


def is_in_charge(viewer: Person, application: Application) -> bool:
    return Position.objects.filter(in_charge(viewer, ""), pk=application.position_id).exists()


def is_rater(viewer: Person, application: Application) -> bool:
    return Application.objects.filter(on_panel(viewer, ""), pk=application.pk).exists()


def application_for(viewer: Person, code: UUID) -> Application:
    """Fetch an application for someone with a part in it; 404 for strangers."""
    row = Application.objects.select_related("position__plan", "candidate__identity").filter(code=code).first()
    if row is None or not is_insider(viewer, row):
        raise Http404
    return row


def working_card(seat: Seat) -> Scorecard:
    """Return the seat's working card, or a blank one that is not kept: looking writes nothing, saving makes it."""
    kept: Scorecard | None = Scorecard.objects.written_by(seat).select_related("summary", "reason", "amendment").first()
    return kept or Scorecard(seat=seat)


def may_submit(seat: Seat) -> bool:
    """Whether there is a card to hand in: after the end, by who owes one or has judged something (shadows too)."""
    if seat.interview.status != InterviewStatus.ENDED or seat.role not in RATERS:
        return False
    return seat.card_owed or _judged(seat)


def unsent_marks(seat: Seat) -> int:
    """How many marks the seat's devices last said they had not sent, each by its newest report."""
    newest = Attendance.objects.filter(seat=seat).order_by("device", "-seen_at", "-pk").distinct("device")
    return sum(newest.values_list("unsent", flat=True))


def could_have_seen_others(seat: Seat) -> bool:
    """Whether the seat's person can read, or could have read, another's judgements of this application.

    They looked (the ledger says so), they could once, however it is sealed by now (Unsealed), or they can now. From
    before that was kept: what an earlier card of their own, or being in charge of an application opened early, let
    them read before they got this seat.
    """
    application, person = seat.interview.application, seat.person
    if person is None:
        return False
    # The panel's chat is in the ledger too, and is no judgement seen.
    if Reveal.objects.filter(application=application, viewer=person).exclude(what=Revealed.CHAT).exists():
        return True
    if Unsealed.objects.filter(application=application, person=person).exists():
        return True
    others = Q(interview__application=application) & ~Q(person=person)
    if open_seats(person).filter(others).exists():
        return True
    submitted = Seat.objects.filter(others, card_submitted_at__lt=seat.added_at).exists()
    if not submitted:
        return False
    opened = application.opened_at is not None and application.opened_at < seat.added_at
    earlier = Seat.objects.filter(
        interview__application=application, person=person, card_submitted_at__lt=seat.added_at
    ).exists()
    # Whoever is named as a manager counts also without the role now: they may have had it then.
    named = person.is_administrator or application.position.managers.filter(pk=person.pk).exists()
    return earlier or (opened and named)


def marked_while_amending(seat: Seat) -> bool:
    """Whether the author judged anything in the room since the amendment was begun."""
    own = Event.objects.filter(room=seat.interview.room_id, stream=log.mine(seat))
    return own.filter(at__gte=seat.card_amending_at).exists()


def missing_cards(application: Application) -> list[Seat]:
    """Return the seats whose card is owed and neither in nor excused. For managers off the panel only."""
    return list(
        Seat.objects.filter(CARD_MISSING, interview__application=application)
        .select_related("person", "interview")
        .order_by("id")
    )
