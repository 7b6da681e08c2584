"""Who owes a card after an interview: each lead and interviewer who was there for at least one probe."""

from __future__ import annotations

from django.db.models import F, Min, Q
from django.db.models.functions import Coalesce
from django.utils import timezone

from interviews.models import Asked, Attendance, Interview, Mark, Seat
from interviews.sealed import OWING
from interviews.services.unsealing import note_unsealed


def open_cards_owed(interview: Interview) -> None:
    """Write down who owes a card. Having marked something is being there, whatever the line did."""
    asked = Asked.objects.filter(interview=interview, retracted_at__isnull=True)
    first = asked.aggregate(at=Min("made_at"))["at"]
    if first is None:
        return
    # From the first question to the end there is always one being answered: who had a line at any time then was there.
    present = (
        Attendance.objects.filter(seat__interview=interview, started_at__lte=interview.ended_at or timezone.now())
        .annotate(last=Coalesce("ended_at", "seen_at"))
        .filter(last__gte=first)
        .values("seat")
    )
    marked = Mark.objects.unsealed_for_compiling().filter(asked__interview=interview, version__gt=0).values("seat")
    led = Asked.objects.filter(interview=interview).annotate(seat=F("by")).values("seat")
    Seat.objects.filter(
        Q(pk__in=present) | Q(pk__in=marked) | Q(pk__in=led), interview=interview, role__in=OWING
    ).update(card_owed=True)


def owe_card(seat: Seat) -> None:
    """A judgement that comes after the end shows that its author was there, so that they owe a card.

    `seat` as it is now, with its interview's application. Until now they may have read the others'.
    """
    if seat.card_owed or seat.role not in OWING:
        return
    note_unsealed(seat.interview.application.candidate_id)
    Seat.objects.filter(pk=seat.pk, role__in=OWING, card_owed=False).update(card_owed=True)
