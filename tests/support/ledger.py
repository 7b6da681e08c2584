"""Comparing what clients were acknowledged with what the tables hold: nothing lost, nothing doubled."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from interviews.models import Asked, Boundary, Command, Event, Evidence, Interview, Mark, Note, Reason, Seat, Stream
from scoring.simulation.outbox import Acked

STATEMENTS = {"evidence": Evidence, "reason": Reason}


@dataclass(frozen=True)
class Client:
    """What one seat's client was acknowledged, in the order of its acks."""

    seat: str
    acked: Iterable[Acked]


def compare(interview: Interview, clients: Iterable[Client]) -> list[str]:
    """Return a line for everything that differs; [] when the tables hold exactly what was acknowledged."""
    clients = list(clients)
    seats = {str(seat.code): seat for seat in Seat.objects.filter(interview=interview)}
    found = [*_streams(interview), *_commands(interview, clients, seats)]
    for client in clients:
        found += _items(seats[client.seat], list(client.acked))
    return found


def _streams(interview: Interview) -> Iterator[str]:
    """Each stream counts 1, 2, 3 ... to its head; no command caused two events of one stream."""
    events = list(Event.objects.filter(room=interview.room_id).order_by("stream", "seq"))
    heads = dict(Stream.objects.filter(room=interview.room_id).values_list("name", "head"))
    for stream, head in sorted(heads.items()):
        seqs = [event.seq for event in events if event.stream == stream]
        if seqs != list(range(1, head + 1)):
            yield f"stream {stream} counts {seqs} to its head {head}"
    doubled = Counter((event.stream, event.cause) for event in events if event.cause)
    for (stream, cause), times in doubled.items():
        if times > 1:
            yield f"command {cause} caused {times} events in {stream}"


def _commands(interview: Interview, clients: list[Client], seats: Mapping[str, Seat]) -> Iterator[str]:
    """Every ack is a command row with the same place in the log, and an event stands there; and the other way round."""
    rows = {(row.seat_id, str(row.command)): row for row in Command.objects.filter(seat__interview=interview)}
    events = {(event.stream, event.seq): str(event.cause) for event in Event.objects.filter(room=interview.room_id)}
    told: set[tuple[int, str]] = set()
    for client in clients:
        seat = seats[client.seat]
        for acked in client.acked:
            if (seat.pk, acked.id) in told:
                yield f"{acked.name} {acked.id} was acknowledged twice"
            told.add((seat.pk, acked.id))
            row = rows.get((seat.pk, acked.id))
            if row is None:
                yield f"{acked.name} {acked.id} was acknowledged, and is not there"
            elif (row.stream.partition(":")[0], row.seq, row.version) != (acked.stream, acked.seq, acked.version):
                yield f"{acked.name} {acked.id} was acknowledged as {acked.stream} {acked.seq}, and stands elsewhere"
            elif events.get((row.stream, row.seq)) != acked.id:
                yield f"{acked.name} {acked.id} has no event at {row.stream} {row.seq}"
    for key in sorted(set(rows) - told, key=str):
        yield f"command {key[1]} is there, and nobody was told"


def _items(seat: Seat, acked: list[Acked]) -> Iterator[str]:
    """What the acknowledged judgements add up to is what the rows say."""
    asked = {one.id for one in acked if one.name == "probe.ask"}
    rows = {str(pk) for pk in Asked.objects.filter(by=seat).values_list("pk", flat=True)}
    if asked != rows:
        yield f"{seat}: asked {sorted(asked)}, the table has {sorted(rows)}"
    yield from _same(seat, "marks", _marks(acked), _mark_rows(seat))
    yield from _same(seat, "notes", _last(acked, "note.set", "asked", "text"), _note_rows(seat))
    yield from _same(seat, "boundaries", _last(acked, "boundary.set", "tree", "ended"), _boundary_rows(seat))
    for kind, model in STATEMENTS.items():
        written = {one.id: 1 for one in acked if one.name == f"{kind}.add"}
        for one in acked:
            if one.name in {f"{kind}.edit", f"{kind}.remove"}:
                written[one.data[kind]] += 1
        kept = {str(row.pk): row.version for row in model.objects.written_by(seat)}
        yield from _same(seat, kind, written, kept)


def _same(seat: Seat, what: str, acked: Mapping[Any, Any], kept: Mapping[Any, Any]) -> Iterator[str]:
    for key in sorted({*acked, *kept}, key=str):
        if acked.get(key) != kept.get(key):
            yield f"{seat}: {what} {key}: acknowledged {acked.get(key)}, kept {kept.get(key)}"


def _marks(acked: list[Acked]) -> dict[str, dict[str, Any]]:
    marks: dict[str, dict[str, Any]] = {}
    for one in acked:
        if one.name == "mark.set":
            mark = marks.setdefault(one.data["asked"], {"version": 0})
            said = {name: value for name, value in one.data.items() if name in {"outcome", "aid", "confidence"}}
            mark.update({**said, **one.data.get("ratings", {}), "version": mark["version"] + 1})
    return marks


def _mark_rows(seat: Seat) -> dict[str, dict[str, Any]]:
    names = ("outcome", "aid", "confidence", "depth", "why", "hands_on")
    return {
        str(row.asked_id): {
            **{name: getattr(row, name) for name in names if getattr(row, name) is not None}, "version": row.version,
        }
        for row in Mark.objects.written_by(seat)
    }  # fmt: skip


def _last(acked: list[Acked], name: str, key: str, value: str) -> dict[Any, tuple[Any, int]]:
    """{item: (its last value, how often it was written)}"""
    items: dict[Any, tuple[Any, int]] = {}
    for one in acked:
        if one.name == name:
            before = items.get(one.data.get(key), (None, 0))
            items[one.data.get(key)] = (one.data.get(value, before[0]), before[1] + 1)
    return items


def _note_rows(seat: Seat) -> dict[Any, tuple[Any, int]]:
    rows = Note.objects.written_by(seat).select_related("text")
    return {str(row.asked_id) if row.asked_id else None: (row.text.body, row.version) for row in rows}


def _boundary_rows(seat: Seat) -> dict[Any, tuple[Any, int]]:
    return {row.tree.key: (row.ended, row.version) for row in Boundary.objects.written_by(seat).select_related("tree")}
