"""Writing down when a seat had a line: who was there is who owes a card."""

from __future__ import annotations

from django.utils import timezone

from interviews import bus
from interviews.models import Attendance


def arrive(seat: int, room: int, browser: str = "") -> int:
    """Write down that a line is open; `browser` is a name for where it came from, at most 40 characters."""
    attendance = Attendance.objects.create(seat_id=seat, browser=browser)
    bus.publish({"room": room, "presence": True})
    return attendance.pk


def stay(attendance: int, *, unsent: int, device: str = "") -> None:
    """Write down that the line is alive. `device` is the browser's name for itself, at most 64 characters."""
    Attendance.objects.filter(pk=attendance).update(seen_at=timezone.now(), unsent=unsent, device=device)


def depart(attendance: int, room: int) -> None:
    now = timezone.now()
    Attendance.objects.filter(pk=attendance).update(seen_at=now, ended_at=now)
    bus.publish({"room": room, "presence": True})
