"""Marks in one round trip: room_mark (migration 0016) writes one that nothing speaks against, or nothing.

What it did not write goes the long way (interviews.services.marking), which knows what to answer; so nothing here
refuses. Most of what a room says are marks.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any
from uuid import UUID

from django.db import connection

from interviews import log
from interviews.enums import JUDGES, Aim, Role
from interviews.log import Ack
from interviews.models import Event, Mark
from interviews.rules.conduct import refusal
from interviews.sealed import RUNNING
from interviews.services.acting import Act
from interviews.services.refusal import Refusal

_SAID = ("version", "outcome", "aid", *Aim, "confidence")
_CALL = (
    f"SELECT seq, at, {', '.join(_SAID)} FROM room_mark"  # noqa: S608 - our own names
    "(%s, %s, %s::text[], %s, %s, %s, %s, %s::jsonb, %s, %s, %s::jsonb)"
)


@cache
def _may() -> str:
    """Who may mark while a room runs, as room_mark asks it: an array of role/status, from the one table of rights."""
    pairs = [(role, status) for role in JUDGES for status in RUNNING]
    may = (f"{role}/{status}" for role, status in pairs if not refusal("mark.set", role=Role(role), status=status))
    return f"{{{','.join(may)}}}"


def set_mark(act: Act, *, asked: UUID, version: int, **said: Any) -> Ack | None:
    """Write what is said of one answer, committed when this returns; None: nothing is written, go the long way."""
    try:
        row = act.asked(asked)
    except Refusal:
        return None
    probe = row.probe or row.adhoc
    aims = probe.aims if probe else ()
    ratings: dict[str, int | None] = said.get("ratings", {})
    if any(rating is not None and aim not in aims for aim, rating in ratings.items()):
        return None
    given = {name: value for name, value in said.items() if name != "ratings"} | ratings
    data = {"asked": str(asked), **said, "version": version + 1}
    stream, cause = log.mine(act.seat), act.cause
    values = (act.interview.room_id, act.seat.pk, _may(), stream, cause.command, cause.digest, cause.made_at)
    with connection.cursor() as cursor:
        cursor.execute(_CALL, (*values, json.dumps(data), asked, version, json.dumps(given)))
        found = cursor.fetchone()
    if found is None:
        return None
    seq, at, *mark = found
    event = Event(
        room_id=act.interview.room_id, stream=stream, seq=seq, name="mark.set", seat=act.seat, cause=cause.command,
        at=at, made_at=cause.made_at, data=data,
    )  # fmt: skip
    event.wrote = Mark(asked=row, **dict(zip(_SAID, mark, strict=True)))
    log.announce(act.interview.room_id, [event])
    return Ack(stream, seq, version + 1)
