"""What the room's page knows beside the room's state: what was prepared and opened before, when one had a line."""

from __future__ import annotations

from typing import Any

from interviews.enums import ASKERS, ProbeKind
from interviews.models import PreparationNote, Seat
from interviews.queries.hiring import claims_of
from interviews.queries.pinned import tree_says
from interviews.queries.presence import line_of
from interviews.queries.reach import PREPARING
from interviews.queries.repeats import opened_before
from interviews.queries.room import RoomView
from people.clock import iso
from people.fields import words_in


def repeats_context(seat: Seat) -> dict[str, Any]:
    """`opened`: keys of trees that other interviews of the application opened, for those who may come to ask."""
    return {"opened": list(opened_before(seat.interview)) if seat.role in ASKERS else []}


def meters_context(view: RoomView, seat: Seat) -> dict[str, Any]:
    """The page's own, never a frame's. What was granted and prepared is for those who prepare, not for listeners."""
    prepares = seat.role in PREPARING
    return {
        **repeats_context(seat),
        "extra_percent": view.extra_percent if prepares else 0,
        "connected": [[iso(since), iso(until)] for since, until in line_of(seat)] if prepares else None,
        "prepared": prepared_context(view, seat) if prepares else None,
    }


def prepared_context(view: RoomView, seat: Seat) -> dict[str, Any]:
    note = PreparationNote.objects.written_by(seat).select_related("text").first()
    return {
        "claims": claims_of(seat.interview.application),
        "accommodations": view.accommodations,
        "note": (note.text.body or "") if note else "",
    }


def planned_probes(version: int) -> int:
    """How many questions the plan offers in a tree: rescues, and whatever was added in this interview, left out."""
    return sum(probe.kind != ProbeKind.RESCUE for probe in tree_says(version).probes)


def agenda_context(view: RoomView) -> list[dict[str, Any]]:
    """The candidate's agenda: topics and minutes in the plan's order, as it was before anything was asked.

    Titles of trees stay out: they name what is judged. Nothing in it moves, so it tells neither where the panel is
    nor what it skipped.
    """
    minutes: dict[str, dict[str, Any]] = {}
    for pinned in view.pinned:
        title, lang = words_in(pinned.topic)
        entry = minutes.setdefault(title, {"title": title, "lang": lang, "minutes": 0})
        entry["minutes"] += pinned.minutes
    return list(minutes.values())
