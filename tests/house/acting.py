"""Doing commands of a room in tests, by the one door that sockets use: interviews.live.dispatch."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

from interviews.live.dispatch import carry_out
from interviews.log import Ack
from interviews.models import Seat

NO_AGE = timedelta(0)


def do(seat: Seat, name: str, data: dict[str, Any] | None = None, *, command: uuid.UUID | None = None) -> uuid.UUID:
    """Carry out a command; return its id, which is also the id of what it made. Raises Refusal."""
    command = command or uuid.uuid4()
    carry_out(seat.pk, command, name, data or {}, NO_AGE)
    return command


def ack_of(seat: Seat, name: str, data: dict[str, Any] | None = None, *, command: uuid.UUID | None = None) -> Ack:
    """Carry out a command; return its ack."""
    return carry_out(seat.pk, command or uuid.uuid4(), name, data or {}, NO_AGE)
