"""Writing down when a seat had a line: who was there is who owes a card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from django.db import connection
from django.utils import timezone

from interviews import bus
from interviews.models import Attendance


@dataclass(frozen=True, slots=True)
class Report:
    """What a page last said of itself. `device` is the browser's name for itself, at most 64 characters."""

    unsent: int = 0
    device: str = ""


def arrive(seat: int, room: int, browser: str = "") -> int:
    """Write down that a line is open; `browser` is a name for where it came from, at most 40 characters."""
    attendance = Attendance.objects.create(seat_id=seat, browser=browser)
    bus.publish({"room": room, "presence": True})
    return attendance.pk


_STAY = """
UPDATE interviews_attendance a SET seen_at = %s, unsent = r.unsent, device = r.device
FROM unnest(%s::bigint[], %s::integer[], %s::text[]) AS r (id, unsent, device) WHERE a.id = r.id
"""


def stay_all(reports: Mapping[int, Report]) -> None:
    """Write down that these lines live, in one statement: a write for each answered ping would cost a flush each."""
    ids = sorted(reports)
    with connection.cursor() as cursor:
        cursor.execute(
            _STAY, [timezone.now(), ids, [reports[pk].unsent for pk in ids], [reports[pk].device for pk in ids]]
        )


def depart(attendance: int, room: int) -> None:
    now = timezone.now()
    Attendance.objects.filter(pk=attendance).update(seen_at=now, ended_at=now)
    bus.publish({"room": room, "presence": True})
