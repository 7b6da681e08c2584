"""Appending to a room's log, and reading it. The one place that writes events.

The rows that change and the event that says so are written in one transaction; the bell (interviews.bus) rings after
the commit. A command that comes twice raises Repeated with its first ack, and nothing is written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Q

from interviews import bus
from interviews.models import Event, Room, Seat, Stream

ALL = "all"
PANEL = "panel"
MINE = "mine"


def mine(seat: Seat) -> str:
    """The name of the stream that only this seat hears."""
    return f"{MINE}:{seat.code}"


class OutsideTransaction(Exception):
    """An event was about to be announced before the fact that it tells is certain."""


@dataclass(frozen=True, slots=True)
class Ack:
    """What an accepted command is answered with: the last seq it wrote, and the item's version where it has one."""

    stream: str
    seq: int
    version: int | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """What was appended: its ack, the events, and the first row of each statement that came with them."""

    ack: Ack
    events: list[Event]
    rows: list[tuple[Any, ...] | None]


class Repeated(Exception):
    """The command was accepted before; `ack` is its first answer."""

    def __init__(self, ack: Ack) -> None:
        super().__init__("repeated")
        self.ack = ack


class IdReused(Exception):
    """The command's id was used before for something else."""


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event about to be appended. `data` holds ids, enumerations and numbers only."""

    stream: str
    name: str
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cause:
    """The accepted command behind events: its id, the digest of its content, when it was made."""

    command: UUID
    digest: str
    made_at: datetime


# A statement with its parameters. Its text is always the same one, whatever is said: the driver reads it once.
Statement = tuple[str, list[Any]]


@cache
def _append_sql(events: int) -> str:
    """The call that appends so many events. Arrays are spelled out: a list would be looked through for its type."""
    texts = f"ARRAY[{', '.join(['%s'] * events)}]"
    return (
        "SELECT outcome, stream, seq, version, at, made_at FROM room_append"  # noqa: S608 - placeholders
        f"(%s, %s, %s, %s, %s, %s, %s, {texts}::text[], {texts}::text[], {texts}::jsonb[], %s)"
    )


def append(
    room: int,
    events: Iterable[NewEvent],
    *,
    seat: Seat | None,
    cause: Cause | None = None,
    version: int | None = None,
    made_at: datetime | None = None,
) -> Ack:
    """Append events to streams of one room and return the ack; the last event in the order of names is the ack's.

    `made_at`: when it came about, if no command did it and it was not now.

    Takes the room's row lock when a shared stream is written (so that state guarded by it can be read afterwards), else
    only the stream's. Raises Repeated, IdReused, OutsideTransaction.
    """
    return append_with(room, events, (), seat=seat, cause=cause, version=version, made_at=made_at).ack


def append_with(
    room: int,
    events: Iterable[NewEvent],
    then: Iterable[Statement],
    *,
    seat: Seat | None,
    cause: Cause | None = None,
    version: int | None = None,
    made_at: datetime | None = None,
) -> Written:
    """Append, and in the same round trip do what follows.

    Each statement sees what is certain once the stream is locked. What they wrote is rolled back with the transaction
    when this raises, as `append` does.
    """
    if not connection.in_atomic_block:
        raise OutsideTransaction("log.append needs transaction.atomic()")
    ordered = sorted(events, key=lambda event: event.stream)
    datas = [json.dumps(event.data) for event in ordered]
    statements: list[Statement] = [
        (
            _append_sql(len(ordered)),
            [
                room,
                any(event.stream in {ALL, PANEL} for event in ordered),
                seat.pk if seat else None,
                cause.command if cause else None,
                cause.digest if cause else None,
                version,
                cause.made_at if cause else made_at,
                *(event.stream for event in ordered),
                *(event.name for event in ordered),
                *datas,
                len(ordered),
            ],
        ),
        *then,
    ]
    rows, *others = _at_once(statements)
    ack = _ack(rows)
    # As the table has them, so that this process need not read them back for its own sockets.
    written = [
        Event(
            room_id=room, stream=stream, seq=seq, name=event.name, seat=seat, cause=cause.command if cause else None,
            at=at, made_at=made_at, data=json.loads(data),
        )
        for event, data, (_, stream, seq, _, at, made_at) in zip(ordered, datas, rows, strict=True)
    ]  # fmt: skip
    announce(room, written)
    return Written(ack, written, [found[0] if found else None for found in others])


def announce(room: int, written: list[Event]) -> None:
    """Tell of events once they are certain: after the commit, at once where that was."""
    transaction.on_commit(lambda: bus.ring(room, {event.stream: event.seq for event in written}, written), robust=True)


def _at_once(statements: list[Statement]) -> list[list[tuple[Any, ...]]]:
    """Execute statements in one round trip and return the rows of each."""
    with connection.cursor() as cursor:
        cursor.execute(
            "; ".join(statement for statement, _ in statements),
            [value for _, values in statements for value in values],
        )
        found = [cursor.fetchall()]
        while cursor.nextset():
            found.append(cursor.fetchall())
    return found


def _ack(rows: list[tuple[Any, ...]]) -> Ack:
    outcome = rows[0][0]
    if outcome == "id_reused":
        raise IdReused
    ack = Ack(*rows[-1][1:4])
    if outcome == "repeat":
        raise Repeated(ack)
    return ack


def heads(room: int, streams: Iterable[str]) -> dict[str, int]:
    """Return the head of each named stream, 0 for one that nothing was written to yet."""
    known = dict(Stream.objects.filter(room=room, name__in=list(streams)).values_list("name", "head"))
    return {name: known.get(name, 0) for name in streams}


def all_heads(rooms: Iterable[int]) -> dict[tuple[int, str], int]:
    """Return {(room, stream): head} for the rooms, in one query."""
    with connection.cursor() as cursor:  # every second for all rooms: one array, and no model looked at
        cursor.execute("SELECT room_id, name, head FROM interviews_stream WHERE room_id = ANY (%s)", [list(rooms)])
        return {(room, name): head for room, name, head in cursor.fetchall()}


def since(room: int, cursors: dict[str, int], *, limit: int = 500) -> list[Event]:
    """Return the events after each stream's cursor, in stream order then seq, at most `limit`."""
    wanted = Q(pk__isnull=True)
    for stream, seq in cursors.items():
        wanted |= Q(stream=stream, seq__gt=seq)
    return list(Event.objects.filter(wanted, room=room).select_related("seat").order_by("id")[:limit])


def epoch(room: int) -> int:
    return Room.objects.values_list("epoch", flat=True).get(pk=room)
