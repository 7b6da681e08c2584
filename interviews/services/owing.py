"""Who owes a card after an interview: each lead and interviewer who was there for at least one probe."""

from __future__ import annotations

from django.db.models import F, Q
from django.db.models.functions import Coalesce

from interviews.models import Asked, Attendance, Interview, Mark, Seat
from interviews.sealed import OWING


def open_cards_owed(interview: Interview) -> None:
    """Write down who owes a card. Having marked something is being there, whatever the line did."""
    asked = list(
        Asked.objects.filter(interview=interview, retracted_at__isnull=True)
        .order_by("made_at")
        .values_list("made_at", flat=True)
    )
    if not asked:
        return
    until = interview.ended_at or asked[-1]
    there = Q()
    for begun, over in zip(asked, [*asked[1:], until], strict=True):
        there |= Q(started_at__lte=over, last__gte=begun)
    present = (
        Attendance.objects.filter(seat__interview=interview)
        .annotate(last=Coalesce("ended_at", "seen_at"))
        .filter(there)
        .values("seat")
    )
    marked = Mark.objects.unsealed_for_compiling().filter(asked__interview=interview, version__gt=0).values("seat")
    led = Asked.objects.filter(interview=interview).annotate(seat=F("by")).values("seat")
    Seat.objects.filter(
        Q(pk__in=present) | Q(pk__in=marked) | Q(pk__in=led), interview=interview, role__in=OWING
    ).update(card_owed=True)
