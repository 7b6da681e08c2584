"""What every change of set-up has in common: telling open rooms, after the commit, to look again at who may what."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from interviews import bus, log
from interviews.enums import InterviewStatus
from interviews.log import ALL, PANEL, NewEvent
from interviews.models import Interview, Room, Seat
from people.lifecycle import rights_changed

OFF = (InterviewStatus.CANCELLED, InterviewStatus.NO_SHOW)


def lock_room(interview: Interview) -> None:
    """Take the room's row, the first lock of every command, so that no command runs beside the change; read again."""
    Room.objects.select_for_update(no_key=True).get(pk=interview.room_id)
    interview.refresh_from_db()


def tell_rooms(seats: Iterable[Seat]) -> None:
    """Say in the log that seats or state were changed from outside the room, and, after the commit, that rights may
    have changed with them. Seats need `interview` selected."""
    by_room: dict[int, list[Seat]] = {}
    for seat in seats:
        by_room.setdefault(seat.interview.room_id, []).append(seat)
    for room, changed in sorted(by_room.items()):  # the order in which rooms are locked
        events = [NewEvent(PANEL, "room.change")]
        if changed[0].interview.status in OFF:
            events.append(NewEvent(ALL, "room.change"))
        log.append(room, events, seat=None)
        pks = [seat.pk for seat in changed]
        transaction.on_commit(lambda room=room, pks=pks: _tell(room, pks), robust=True)  # type: ignore[misc]


def _tell(room: int, seats: list[int]) -> None:
    bus.rights(room)
    rights_changed.send(Room, room_id=room, seat_ids=seats)
