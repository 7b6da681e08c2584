"""Events as frames: the same partials that draw the page draw what is pushed.

A frame's HTML depends on the event and the language only: no controls, zones, keys or rights are in it, so that it is
drawn once per (stream, seq, language) and sent to every socket that may hear the stream.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils import timezone, translation

from interviews import log
from interviews.models import Boundary as BoundaryRow
from interviews.models import Event, Evidence, Interview, Mark, Note, Reason, Seat
from interviews.queries.standing import present, standings
from interviews.rendering import Drawing, room_state
from people.clock import iso


def draw_all(events: Sequence[Event], language: str) -> list[dict[str, Any]]:
    """Return the frames of some events of one room, in the language. Words are read now, from the text rows."""
    with translation.override(language):
        drawing = Drawing(events[0].room_id, events)
        return [draw(drawing, event) for event in events]


def draw(drawing: Drawing, event: Event) -> dict[str, Any]:
    stream = event.stream.partition(":")[0]
    return {
        "type": "event",
        "stream": stream,
        "seq": event.seq,
        "name": event.name,
        "by": str(event.seat.code) if event.seat else None,
        "at": iso(event.at),
        "made_at": iso(event.made_at),
        "cause": str(event.cause) if event.cause else None,
        "data": drawing.data(event.name, stream, event.data, event.seat),
        "html": drawing.html(event.name, stream, event.data, event.seat),
    }


def snapshot(seat: int, language: str) -> dict[str, Any]:
    """Return {state, html} of the whole room as this seat may hear it."""
    standing = standings([seat])[seat]
    with translation.override(language):
        return room_state(standing.room, Seat.objects.get(pk=seat), streams=tuple(standing.streams))


def presence(room: int) -> dict[str, Any]:
    here = present([room])[room]
    seats = Seat.objects.filter(interview__room=room, removed_at__isnull=True)
    return {
        "type": "presence",
        "at": iso(timezone.now()),
        "seats": [{"seat": str(seat.code), "role": seat.role, "here": str(seat.code) in here} for seat in seats],
    }


def closing(seat: int) -> dict[str, Any]:
    """After the end, what the server has of this seat, for the page to compare with what it sent."""
    row = Seat.objects.select_related("interview").get(pk=seat)
    stream = log.mine(row)
    kept = {
        "marks": Mark.objects.written_by(row).filter(version__gt=0).count(),
        "evidence": Evidence.objects.written_by(row).filter(removed_at__isnull=True).count(),
        "reasons": Reason.objects.written_by(row).filter(removed_at__isnull=True).count(),
        "notes": Note.objects.written_by(row).count(),
        "boundaries": BoundaryRow.objects.written_by(row).count(),
    }
    room = Interview.objects.values_list("room", flat=True).get(pk=row.interview_id)
    return {"type": "closing", "mine": log.heads(room, [stream])[stream], "counts": kept}
