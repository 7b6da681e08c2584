"""What the hub and the sockets don't know of a room: who may sit in it, what may be said there, how it is drawn.

A room is (kind, code). Streams, order, answers and heartbeats are the same in every kind; the rest is registered here
under the kind's name before the addresses are made. Everything a kind brings runs on a database thread.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from interviews.log import Ack
from interviews.models import Event
from interviews.queries.standing import Guest, Standing
from interviews.services.attendance import Report

Frame = dict[str, Any]


@dataclass(frozen=True, slots=True)
class RoomKind:
    """`address` makes /ws/<address>/<code>/. Seats and rooms are named by their primary keys."""

    address: str
    exists: Callable[[UUID], bool]
    # (guest, code, "as=candidate" was asked for) -> the standing of the guest's seat, None without one
    seated: Callable[[Guest, UUID, bool], Standing | None]
    # the standing of each seat that still has one: asked every second for every open socket
    standings: Callable[[Iterable[int]], Mapping[int, Standing]]
    # (seat, command id, name, data, age): raises Refusal, and then nothing has changed
    carry_out: Callable[[int, UUID, str, Any, timedelta], Ack]
    # events of one room, in a language -> a frame each
    draw: Callable[[Sequence[Event], str], list[Frame]]
    # (seat, language) -> {state, html}
    snapshot: Callable[[int, str], Frame]
    # (room) -> who is here, for everybody who hears `panel`
    presence: Callable[[int], Frame]
    # (rooms) -> codes of the seats in each that are here: looked at now and then, since who vanishes says nothing
    present: Callable[[Iterable[int]], Mapping[int, frozenset[str]]]
    # (seat) -> what is kept of it; asked once a socket, when the room is over and the page has sent everything
    closing: Callable[[int], Frame]
    # a line began (seat, room, a name for its browser; its number), lives, ended
    arrive: Callable[[int, int, str], int]
    stay: Callable[[Mapping[int, Report]], None]
    depart: Callable[[int, int], None]


KINDS: dict[str, RoomKind] = {}


def register(name: str, kind: RoomKind) -> None:
    KINDS[name] = kind
