"""When a seat had a line: what its own closing checklist goes by."""

from __future__ import annotations

from datetime import datetime

from django.db.models.functions import Coalesce

from interviews.models import Attendance, Seat


def line_of(seat: Seat) -> list[tuple[datetime, datetime]]:
    """From when until when this seat had a line, on any device, in order; an open one until it was last heard."""
    rows = Attendance.objects.filter(seat=seat).annotate(until=Coalesce("ended_at", "seen_at")).order_by("started_at")
    return list(rows.values_list("started_at", "until"))
