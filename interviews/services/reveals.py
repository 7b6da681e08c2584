"""The reveal ledger: who first saw whose judgements, when, and under which rule."""

from __future__ import annotations

from collections.abc import Iterable

from interviews.models import Application, Reveal, Seat
from interviews.sealed import all_in
from people.models import Person


def reveal(*, viewer: Person, application: Application, seats: Iterable[Seat | None], what: str) -> None:
    """Write down that `viewer` saw what these seats judged (None: figures over the panel).

    The first time counts; one's own judgements are no reveal.
    """
    wanted = {seat.pk if seat else None for seat in seats if seat is None or seat.person_id != viewer.pk}
    if not wanted:
        return
    known = Reveal.objects.filter(application=application, viewer=viewer, what=what).values_list("seat", flat=True)
    fresh = wanted - set(known)
    if fresh:
        rule = _rule(application)
        # Two windows at once both get here; the constraint keeps one row, and losing that race is no error.
        Reveal.objects.bulk_create(
            [
                Reveal(application=application, viewer=viewer, seat_id=seat, what=what, rule=rule)
                for seat in sorted(fresh, key=lambda seat: seat or 0)
            ],
            ignore_conflicts=True,
        )


def _rule(application: Application) -> str:
    if Application.objects.filter(all_in(""), pk=application.pk).exists():
        return "all_in"
    return "opened" if application.opened_at else "after_own"
