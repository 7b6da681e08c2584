"""The room of a debrief, as a kind of room. Importing this module registers it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.utils import timezone, translation

from interviews import log
from interviews.live.kinds import RoomKind, register
from interviews.models import Event
from people.clock import iso
from scoring.live.debrief_commands import carry_out
from scoring.models import Debrief, DebriefSeat
from scoring.queries.debriefs import (
    Part,
    debrief_exists,
    load_parts,
    load_room,
    own_vote,
    present,
    seated,
    standings,
)
from scoring.reports.debrief_page import REPAINTS, SHARED, draw_region, own_context, shared_context
from scoring.services import debriefs


def draw_all(events: Sequence[Event], language: str) -> list[dict[str, Any]]:
    """Return the frames of some events of one room, in the language. Words are read now, from the text rows.

    A region is drawn with the last event that repaints it: whoever hears an earlier one hears that one too.
    """
    with translation.override(language):
        drawing = _Drawing(events[0].room_id)
        last = {region: event for event in events for region in REPAINTS.get(event.name, ())}
        return [_frame(event, drawing, [region for region, of in last.items() if of is event]) for event in events]


class _Drawing:
    """What a burst of frames is drawn from, read when first asked for. Streams of single seats have one reader."""

    def __init__(self, room: int) -> None:
        self.room = room
        self._shared: dict[str, Any] | None = None
        self._own: dict[str, dict[str, Any]] = {}

    def html(self, region: str, stream: str) -> str:
        return draw_region(region, self._shared_now() if stream == log.PANEL else self.own(stream))

    def _shared_now(self) -> dict[str, Any]:
        if self._shared is None:
            debrief = Debrief.objects.select_related("application").get(room=self.room)
            self._shared = shared_context(load_room(debrief))
        return self._shared

    def own(self, stream: str) -> dict[str, Any]:
        if stream not in self._own:
            code = stream.partition(":")[2]
            part = next(iter(load_parts(code=code).values()), None)
            self._own[stream] = own_context(part) if part else {"own": None, "cast": None}
        return self._own[stream]


def _frame(event: Event, drawing: _Drawing, regions: list[str]) -> dict[str, Any]:
    data = dict(event.data)
    by, cause = data.pop("by", None), data.pop("cause", None)
    if event.name == "vote.set" and (own := drawing.own(event.stream)["own"]):
        data["reason"] = own["reason"] if own["version"] == data["version"] else ""
    return {
        "type": "event",
        "stream": event.stream.partition(":")[0],
        "seq": event.seq,
        "name": event.name,
        "by": by,
        "at": iso(event.at),
        "made_at": iso(event.made_at),
        "cause": cause,
        "data": data,
        "html": "".join(drawing.html(region, event.stream) for region in regions),
    }


def snapshot(seat: int, language: str) -> dict[str, Any]:
    """Return {state, html} of the whole room as this seat may hear it; nothing where the right just went."""
    part = load_parts(pk=seat).get(seat)
    if part is None:
        return {"state": {}, "html": ""}
    with translation.override(language):
        own, shared = own_context(part), shared_context(load_room(part.debrief))
        regions = [*(draw_region(name, shared) for name in SHARED), *_own_regions(part, own)]
    return {"state": {"phase": part.debrief.phase, "mine": _mine(own)}, "html": "".join(regions)}


def _own_regions(part: Part, own: dict[str, Any]) -> list[str]:
    return [
        *([draw_region("my-vote", own)] if part.votes else []),
        *([draw_region("cast", own)] if part.runs and part.off_panel else []),
    ]


def _mine(own: dict[str, Any]) -> dict[str, Any]:
    vote = own["own"]
    return {name: vote[name] for name in ("recommendation", "reason", "version")} if vote else {}


def presence(room: int) -> dict[str, Any]:
    here = present([room])[room]
    parts = load_parts(debrief__room=room).values()
    return {
        "type": "presence",
        "at": iso(timezone.now()),
        "seats": [{"seat": part.code, "role": part.role, "here": part.code in here} for part in parts],
    }


def closing(seat: int) -> dict[str, Any]:
    """What is kept of this seat. A debrief has no end by itself, so nobody asks for it yet."""
    row = DebriefSeat.objects.select_related("debrief").get(pk=seat)
    stream = f"{log.MINE}:{row.code}"
    head = log.heads(row.debrief.room_id, [stream])[stream]
    return {"type": "closing", "mine": head, "counts": {"votes": int(own_vote(seat) is not None)}}


register(
    "debrief",
    RoomKind(
        address="debriefs",
        exists=debrief_exists,
        seated=seated,
        standings=standings,
        carry_out=carry_out,
        draw=draw_all,
        snapshot=snapshot,
        presence=presence,
        present=present,
        closing=closing,
        arrive=debriefs.arrive,
        stay=debriefs.stay,
        depart=debriefs.depart,
    ),
)
