"""The room of an interview, as a kind of room. Importing this module registers it."""

from __future__ import annotations

from uuid import UUID

from interviews.live import frames
from interviews.live.dispatch import carry_out
from interviews.live.kinds import RoomKind, register
from interviews.queries.standing import Guest, Standing, present, room_exists, seat_of, standings
from interviews.services import attendance


def seated(guest: Guest, code: UUID, as_candidate: bool) -> Standing | None:
    seat = seat_of(guest, code, as_candidate=as_candidate)
    return standings([seat.pk]).get(seat.pk) if seat is not None else None


register(
    "interview",
    RoomKind(
        address="interviews",
        exists=room_exists,
        seated=seated,
        standings=standings,
        carry_out=carry_out,
        draw=frames.draw_all,
        snapshot=frames.snapshot,
        presence=frames.presence,
        present=present,
        closing=frames.closing,
        arrive=attendance.arrive,
        stay=attendance.stay_all,
        depart=attendance.depart,
    ),
)
