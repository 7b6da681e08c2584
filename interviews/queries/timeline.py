"""The course of an interview for one reader: what was asked, which the panel shares, and the judgements that the seal
lets this reader see. Tables say how things stand, the log how they came about.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from interviews import log
from interviews.enums import Aim
from interviews.log import MINE, PANEL
from interviews.models import Boundary, Event, Evidence, Interview, Mark, Note, Reason, Seat, Text
from interviews.queries.room import RoomView, room_view
from interviews.rules.story import Asking, Spell, Stood, current_spells, history_of
from interviews.sealed import heard_seats
from people.models import Person


@dataclass(slots=True)
class Voice:
    """What one author said in the interview. Keys are asked ids, tree keys; "" = the interview as a whole."""

    seat: Seat
    marks: dict[str, Mark] = field(default_factory=dict)
    evidence: dict[str, list[Evidence]] = field(default_factory=dict)
    reasons: dict[str, list[Reason]] = field(default_factory=dict)
    notes: dict[str, Note] = field(default_factory=dict)
    boundaries: dict[str, Boundary] = field(default_factory=dict)
    # of marks and boundaries; how they came to stand as the tables have them
    histories: dict[str, list[Stood]] = field(default_factory=dict)
    # of statements and notes: when each was first written
    begun: dict[str, datetime] = field(default_factory=dict)

    @property
    def silent(self) -> bool:
        return not (self.marks or self.evidence or self.reasons or self.notes or self.boundaries)

    def since(self, row: Evidence | Reason | Note) -> datetime:
        key = note_key(row) if isinstance(row, Note) else str(row.pk)
        return self.begun.get(key, row.made_at)


@dataclass(slots=True)
class Told:
    """What the reader may know. `voices`: the authors whose judgements are open to them, their own first.

    `events`: the panel's, by when they were made. `gone`: when an asking was taken back.
    """

    view: RoomView
    own: Seat | None
    seats: dict[int, Seat]
    voices: list[Voice]
    events: list[Event]
    texts: dict[int, Text]
    gone: dict[str, datetime]
    spells: list[Spell[str]]


def timeline(viewer: Person, interview: Interview) -> Told:
    """Read the course of an interview that the viewer reaches (reach.timelines_for). As many queries for 200 questions
    as for none."""
    view = room_view(interview.room_id)
    seats = {seat.pk: seat for seat in Seat.objects.filter(interview=interview).select_related("person")}
    readable = set(heard_seats(viewer).filter(interview=interview).values_list("pk", flat=True))
    shared, own_logs = _events(interview.room_id, [seats[pk] for pk in readable])
    gone = {event.data["asked"]: event.made_at for event in shared if event.name == "probe.retract"}
    gone = {str(row.pk): gone.get(str(row.pk), row.retracted_at) for row in view.asked if row.retracted_at}
    askings = [Asking(str(row.pk), row.made_at, row.late, gone.get(str(row.pk))) for row in view.asked]
    own = [seat for seat in seats.values() if seat.person_id == viewer.pk]
    return Told(
        view=view,
        own=own[-1] if own else None,
        seats=seats,
        voices=_voices(viewer, interview, seats, own_logs),
        events=sorted(shared, key=lambda event: (event.made_at, event.seq)),
        texts=_texts(shared),
        gone=gone,
        spells=current_spells(askings),
    )


def session(interview: Interview) -> Told:
    """Read what was asked when, and no judgement of anybody's: what stands beside a scorecard."""
    view = room_view(interview.room_id)
    gone = {str(row.pk): row.retracted_at for row in view.asked if row.retracted_at}
    return Told(view=view, own=None, seats={}, voices=[], events=[], texts={}, gone=gone, spells=[])


def _events(room: int, readable: Iterable[Seat]) -> tuple[list[Event], dict[int, list[Event]]]:
    """Return the panel's events, and those of the seats whose judgements may be read, each in the log's order."""
    streams = {log.mine(seat): seat.pk for seat in readable}
    shared: list[Event] = []
    own: dict[int, list[Event]] = {pk: [] for pk in streams.values()}
    for event in Event.objects.filter(room=room, stream__in=[PANEL, *streams]).order_by("stream", "seq"):
        if event.stream == PANEL:
            shared.append(event)
        elif event.stream.startswith(MINE):
            own[streams[event.stream]].append(event)
    return shared, own


def _texts(events: Iterable[Event]) -> dict[int, Text]:
    """What was shared in words of the lead's own."""
    wanted = {event.data["text"] for event in events if event.name == "prompt.share" and "text" in event.data}
    return Text.objects.in_bulk(wanted) if wanted else {}


def _voices(viewer: Person, interview: Interview, seats: dict[int, Seat], logs: dict[int, list[Event]]) -> list[Voice]:
    """Every table through the seal, once more: a seat that was named open above proves nothing here."""
    voices = {pk: Voice(seat) for pk, seat in seats.items()}
    here = {"seat__interview": interview}
    for mark in Mark.objects.visible_to(viewer).filter(**here):
        voices[mark.seat_id].marks[str(mark.asked_id)] = mark
    for evidence in Evidence.objects.visible_to(viewer).filter(**here, removed_at=None).select_related("text"):
        voices[evidence.seat_id].evidence.setdefault(str(evidence.asked_id), []).append(evidence)
    for reason in Reason.objects.visible_to(viewer).filter(**here, removed_at=None).select_related("text"):
        voices[reason.seat_id].reasons.setdefault(str(reason.asked_id), []).append(reason)
    for note in Note.objects.visible_to(viewer).filter(**here).select_related("text"):
        voices[note.seat_id].notes[str(note.asked_id or "")] = note
    for said in Boundary.objects.visible_to(viewer).filter(**here).select_related("tree", "override_reason"):
        voices[said.seat_id].boundaries[said.tree.key] = said
    found = [voice for voice in voices.values() if not voice.silent]
    for voice in found:
        _add_histories(voice, logs.get(voice.seat.pk, []))
        for evidence_of in voice.evidence.values():
            evidence_of.sort(key=voice.since)
        for reasons_of in voice.reasons.values():
            reasons_of.sort(key=voice.since)
    return sorted(found, key=lambda voice: (voice.seat.person_id != viewer.pk, voice.seat.pk))


def _add_histories(voice: Voice, events: list[Event]) -> None:
    writes: dict[str, list[tuple[datetime, dict[str, Any]]]] = {}
    for event in events:
        about = event.data.get("asked") or event.data.get("tree") or ""
        if event.name in {"mark.set", "boundary.set"}:
            writes.setdefault(about, []).append((event.made_at, event.data))
        elif event.name == "note.set":
            voice.begun.setdefault(f"note:{about}", event.made_at)
        elif event.name.endswith(".add"):
            made = event.data.get("evidence") or event.data.get("reason")
            voice.begun[str(made)] = event.made_at
    for asked, mark in voice.marks.items():
        voice.histories[asked] = _ending_as(history_of(writes.get(asked, [])), mark_values(mark), mark.made_at)
    for tree, said in voice.boundaries.items():
        values = boundary_values(said)
        voice.histories[tree] = _ending_as(history_of(writes.get(tree, [])), values, said.made_at)


def _ending_as(history: list[Stood], values: dict[str, Any], made_at: datetime) -> list[Stood]:
    """The table has the last word."""
    last = history[-1] if history else None
    return [*history[:-1], Stood(values, last.since if last else made_at, None)]


def mark_values(mark: Mark) -> dict[str, Any]:
    said = {"outcome": mark.outcome, "aid": mark.aid, "confidence": mark.confidence}
    said |= {aim.value: getattr(mark, aim) for aim in Aim}
    return {name: value for name, value in said.items() if value is not None}


def boundary_values(said: Boundary) -> dict[str, Any]:
    values: dict[str, Any] = {"ended": said.ended} if said.ended else {}
    if said.override_floor is not None:
        reason = said.override_reason_id
        values["override"] = {"floor": said.override_floor, "ceiling": said.override_ceiling, "reason": reason}
    return values


def note_key(note: Note) -> str:
    return f"note:{note.asked_id or ''}"
