"""What of scorecards goes into the reveal ledger."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from interviews.enums import Revealed, RevealRule
from interviews.models import Application, Reveal, Seat
from interviews.sealed import all_in
from interviews.services.reveals import reveal
from people.models import Person


def reveal_card(*, viewer: Person, seat: Seat) -> None:
    """Write down that `viewer` saw another's card."""
    reveal(viewer=viewer, application=seat.interview.application, seats=[seat], what=Revealed.CARD)


def reveal_panel(*, viewer: Person, application: Application) -> None:
    """Write down that `viewer` saw the panel card."""
    reveal(viewer=viewer, application=application, seats=[None], what=Revealed.PANEL)


def reveal_many(*, viewer: Person, seen: Mapping[Application, Iterable[Seat | None]], what: Revealed) -> None:
    """Write down that `viewer` saw what these seats of several applications judged (None: figures over the panel).

    The same as `reveal` for each of them, in a constant number of queries.
    """
    wanted = {
        (application.pk, seat.pk if seat else None)
        for application, seats in seen.items()
        for seat in seats
        if seat is None or seat.person_id != viewer.pk
    }
    mine = Reveal.objects.filter(viewer=viewer, what=what, application__in={pk for pk, _seat in wanted})
    fresh = wanted - set(mine.values_list("application", "seat")) if wanted else wanted
    if not fresh:
        return
    touched = Application.objects.filter(pk__in={pk for pk, _seat in fresh})
    complete = set(touched.filter(all_in("")).values_list("pk", flat=True))
    opened = set(touched.filter(opened_at__isnull=False).values_list("pk", flat=True)) - complete
    rules = dict.fromkeys(opened, RevealRule.OPENED) | dict.fromkeys(complete, RevealRule.ALL_IN)
    rows = [
        Reveal(application_id=pk, viewer=viewer, seat_id=seat, what=what, rule=rules.get(pk, RevealRule.AFTER_OWN))
        for pk, seat in sorted(fresh, key=lambda pair: (pair[0], pair[1] or 0))
    ]
    Reveal.objects.bulk_create(rows, ignore_conflicts=True)  # losing a race with another window is no error


def reveal_panels(*, viewer: Person, applications: Iterable[Application]) -> None:
    """Write down that `viewer` saw the panel cards of these applications."""
    reveal_many(viewer=viewer, seen={application: [None] for application in applications}, what=Revealed.PANEL)
