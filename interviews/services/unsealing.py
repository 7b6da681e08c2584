"""Writing down to whom others' judgements became readable. Whoever could have read them judges independently no more.

The seal is what it is at each moment, and it closes again: an interview is planned, one runs again, a late mark makes
somebody owe a card. So each change that may open or close it asks here in its own transaction: after it, if it opens;
before it, if it closes or seats somebody. Asking too often writes nothing.

Where the panel's card is asked for in the same transaction, that comes first: two that see the same wait for each other
at its row, and at these, in one order.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Exists, OuterRef

from interviews.models import Application, Seat, Unsealed
from interviews.sealed import readable, readers
from people.models import Person


def note_unsealed(candidate: int) -> None:
    """Write down who can read others' judgements of this candidate now, in every position: a duty in one of them
    seals the others."""
    for application in Application.objects.filter(_with_cards(), candidate=candidate).order_by("pk"):
        known = Unsealed.objects.filter(application=application).values("person")
        fresh = readers(application).exclude(pk__in=known).order_by("pk").values_list("pk", flat=True)
        _write((application.pk, person) for person in fresh)


def note_unsealed_to(person: Person) -> None:
    """Write down whose judgements this person can read now, before a role or a position is taken from them."""
    known = Unsealed.objects.filter(person=person).values("application")
    others = Seat.objects.filter(interview__application=OuterRef("pk"), card_submitted_at__isnull=False)
    fresh = Application.objects.filter(readable(person, ""), Exists(others.exclude(person=person))).exclude(
        pk__in=known
    )
    _write((application, person.pk) for application in fresh.order_by("pk").values_list("pk", flat=True))


def _with_cards() -> Exists:
    return Exists(Seat.objects.filter(interview__application=OuterRef("pk"), card_submitted_at__isnull=False))


def _write(found: Iterable[tuple[int, int]]) -> None:
    rows = [Unsealed(application_id=application, person_id=person) for application, person in found]
    if rows:  # two transactions may see the same for the first time; the constraint keeps the earlier row
        Unsealed.objects.bulk_create(rows, ignore_conflicts=True)
