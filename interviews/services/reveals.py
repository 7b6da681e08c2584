"""The reveal ledger: who first saw whose judgements, when, and under which rule."""

from __future__ import annotations

from collections.abc import Iterable

from interviews.enums import Revealed, RevealRule
from interviews.models import Application, Reveal, Seat
from interviews.sealed import all_in
from people.models import Person


def reveal(*, viewer: Person, application: Application, seats: Iterable[Seat | None], what: Revealed) -> None:
    """Write down that `viewer` saw what these seats judged (None: figures over the panel).

    The first time counts; one's own judgements are no reveal.
    """
    wanted = {seat.pk if seat else None for seat in seats if seat is None or seat.person_id != viewer.pk}
    if not wanted:
        return
    known = Reveal.objects.filter(application=application, viewer=viewer, what=what).values_list("seat", flat=True)
    fresh = wanted - set(known)
    if fresh:
        seen = [(viewer.pk, seat) for seat in sorted(fresh, key=lambda seat: seat or 0)]
        record(application, seen, what=what, rule=_rule(application))


def record(
    application: Application, seen: Iterable[tuple[int | None, int | None]], *, what: Revealed, rule: RevealRule
) -> None:
    """Add to the ledger who saw (person, pk) whose (seat, pk; None: figures over the panel). The candidate, who is no
    person, is left out."""
    rows = [
        Reveal(application=application, viewer_id=viewer, seat_id=seat, what=what, rule=rule)
        for viewer, seat in seen
        if viewer is not None
    ]
    if rows:  # two windows at once both get here; the constraint keeps one row, and losing that race is no error
        Reveal.objects.bulk_create(rows, ignore_conflicts=True)


def _rule(application: Application) -> RevealRule:
    if Application.objects.filter(all_in(""), pk=application.pk).exists():
        return RevealRule.ALL_IN
    return RevealRule.OPENED if application.opened_at else RevealRule.AFTER_OWN
