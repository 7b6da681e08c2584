"""What a person's browsers may forget: interviews that are over for them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from django.db.models import Q
from django.utils import timezone

from interviews.enums import InterviewStatus
from interviews.models import Seat
from people.models import Person

KEPT_AFTER_CARD = timedelta(days=1)


def settled_among(person: Person, codes: Sequence[UUID]) -> list[UUID]:
    """Return those of the interviews that a device keeps no longer: a day after the card is in and not amended (or
    excused, or, where none is owed, after the end), and those in which the person has no seat."""
    before = timezone.now() - KEPT_AFTER_CARD
    ended = Q(interview__status=InterviewStatus.ENDED)
    over = (
        Q(interview__status__in=[InterviewStatus.CANCELLED, InterviewStatus.NO_SHOW])
        | (ended & Q(card_amending_at=None) & (Q(card_submitted_at__lt=before) | Q(card_excused_at__lt=before)))
        | (ended & Q(card_owed=False, card_amending_at=None, interview__ended_at__lt=before))
    )
    seats = Seat.objects.filter(person=person, removed_at__isnull=True, interview__code__in=codes).exclude(over)
    kept = set(seats.values_list("interview__code", flat=True))
    return [code for code in codes if code not in kept]
