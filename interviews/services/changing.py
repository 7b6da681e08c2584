"""What every change of set-up has in common: telling open rooms, after the commit, to look again at who may what."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction

from interviews import bus, log
from interviews.log import NewEvent
from interviews.models import Interview, Room, Seat
from people.lifecycle import rights_changed


def lock_room(interview: Interview) -> None:
    """Take the room's row, the first lock of every command, so that no command runs beside the change; read again."""
    Room.objects.select_for_update(no_key=True).get(pk=interview.room_id)
    interview.refresh_from_db()


def announce(interview: Interview, name: str, *streams: str, seat: Seat | None = None, **data: object) -> None:
    """Write the fact into the room's log, in the caller's transaction. `seat` is who did it, if it was a seat."""
    log.append(interview.room_id, [NewEvent(stream, name, dict(data)) for stream in streams], seat=seat)


def tell_rooms(seats: Iterable[Seat]) -> None:
    """Announce, after the commit, that these seats' rights may have changed. Seats need `interview` selected."""
    by_room: dict[int, list[int]] = {}
    for seat in seats:
        by_room.setdefault(seat.interview.room_id, []).append(seat.pk)
    for room, pks in by_room.items():
        transaction.on_commit(lambda room=room, pks=pks: _tell(room, pks), robust=True)  # type: ignore[misc]


def _tell(room: int, seats: list[int]) -> None:
    bus.rights(room)
    rights_changed.send(Room, room_id=room, seat_ids=seats)
