"""The reveal ledger: who first saw whose judgements, when, and under which rule."""

from __future__ import annotations

from interviews.models import Application, Reveal, Seat
from interviews.sealed import all_in
from people.models import Person


def reveal_card(*, viewer: Person, seat: Seat) -> None:
    """Write down that `viewer` saw another's card. The first time counts; own cards are no reveal."""
    if seat.person_id != viewer.pk:
        _write(seat.interview.application, viewer, seat, "card")


def reveal_panel(*, viewer: Person, application: Application) -> None:
    """Write down that `viewer` saw the panel card."""
    _write(application, viewer, None, "panel")


def _write(application: Application, viewer: Person, seat: Seat | None, what: str) -> None:
    if Reveal.objects.filter(application=application, viewer=viewer, seat=seat, what=what).exists():
        return
    # Two windows at once both get here; the constraint keeps one row, and losing that race is no error.
    Reveal.objects.bulk_create(
        [Reveal(application=application, viewer=viewer, seat=seat, what=what, rule=_rule(application))],
        ignore_conflicts=True,
    )


def _rule(application: Application) -> str:
    if Application.objects.filter(all_in(""), pk=application.pk).exists():
        return "all_in"
    return "opened" if application.opened_at else "after_own"
