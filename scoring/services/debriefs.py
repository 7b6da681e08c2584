"""Opening a debrief, taking a seat in it, and having a line to its room."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from interviews import bus, log
from interviews.enums import Revealed
from interviews.log import PANEL, NewEvent
from interviews.models import Application, Room
from interviews.services.attendance import Report
from interviews.services.reveals import reveal
from people import audit
from people.models import Person
from people.refusal import Refused
from scoring.enums import DebriefPhase
from scoring.models import Debrief, DebriefLine, DebriefSeat, DebriefVote
from scoring.models.debrief import OPEN_ROUNDS
from scoring.queries.debriefs import card_voters, lines_open, load_parts, rated_seats


def open_debrief(*, application: Application, by: Person) -> Debrief:
    """Make an application's debrief with a seat for everybody whose card is in.

    The caller fetched the application with the right to it (queries.debriefs.debrief_run_by). Raises Refused while one
    is still open.
    """
    with transaction.atomic():
        Application.objects.select_for_update(no_key=True).get(pk=application.pk)
        if Debrief.objects.filter(application=application).exclude(phase=DebriefPhase.DECIDED).exists():
            raise Refused(_("A debrief is open already."))
        code = uuid.uuid4()
        debrief = Debrief.objects.create(
            code=code, application=application, room=Room.objects.create(kind="debrief", code=code), opened_by=by
        )
        people = {seat.person_id for seat in card_voters(application) if seat.person_id is not None} | {by.pk}
        DebriefSeat.objects.bulk_create(DebriefSeat(debrief=debrief, person_id=person) for person in sorted(people))
        audit.record(by, "debrief.opened", debrief, application=application.pk)
    return debrief


def take_seat(*, debrief: Debrief, viewer: Person) -> DebriefSeat:
    """Return the viewer's seat; made when they first come, which the others hear. The caller fetched the debrief with
    the right to it."""
    known = DebriefSeat.objects.filter(debrief=debrief, person=viewer).first()
    if known is not None:
        return known
    with transaction.atomic():
        Room.objects.select_for_update(no_key=True).get(pk=debrief.room_id)
        seat, made = DebriefSeat.objects.get_or_create(debrief=debrief, person=viewer)
        if made:
            log.append(debrief.room_id, [NewEvent(PANEL, "seat.take", {"by": str(seat.code)})], seat=None)
    return seat


def see_votes(*, debrief: Debrief, viewers: Iterable[Person]) -> None:
    """Write down that these people saw the votes, those on the cards and the second ones, once they are shown."""
    if debrief.phase in OPEN_ROUNDS:
        return
    shown = DebriefVote.objects.shown_in(debrief)
    seats = rated_seats(debrief, shown.values_list("seat__person", flat=True))
    for viewer in viewers:
        reveal(viewer=viewer, application=debrief.application, seats=seats, what=Revealed.VOTES)


# --- lines ------------------------------------------------------------------------------------------------------------


def arrive(seat: int, room: int, browser: str = "") -> int:
    """Write down that a line is open; after a shown vote, who comes sees it."""
    with transaction.atomic():
        line = DebriefLine.objects.create(seat_id=seat)
        part = load_parts(pk=seat).get(seat)
        if part is not None:
            see_votes(debrief=part.debrief, viewers=[part.person])
    bus.publish({"room": room, "presence": True})
    return line.pk


def stay(reports: Mapping[int, Report]) -> None:
    DebriefLine.objects.filter(pk__in=list(reports)).update(seen_at=timezone.now())


def depart(line: int, room: int) -> None:
    now = timezone.now()
    DebriefLine.objects.filter(pk=line).update(seen_at=now, ended_at=now)
    bus.publish({"room": room, "presence": True})


def who_is_here(debrief: Debrief) -> list[Person]:
    """Whose page has a line at this moment."""
    seats = lines_open().filter(seat__debrief=debrief).values("seat")
    rows = DebriefSeat.objects.filter(pk__in=seats).select_related("person")
    return [row.person for row in rows]
