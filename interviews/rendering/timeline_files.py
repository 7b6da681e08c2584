"""A timeline for programs and for spreadsheets: exactly what the page shows the same reader, no more.

Codes, never row numbers; a probe is named "<tree key>/<probe key>", as on the wire.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from interviews.enums import Aim
from interviews.queries.timeline import Voice, boundary_values
from interviews.rendering.timeline import TOLD, Course, Question
from people.clock import iso, local
from people.spreadsheets import Cell, as_csv

HEAD: Final = (
    "at_utc", "at_local", "time_zone", "seconds", "what", "by", "tree", "level", "probe", "question", "minutes",
    "late", "taken_back", "outcome", "aid", "depth", "why", "hands_on", "confidence", "type", "floor", "ceiling",
    "words",
)  # fmt: skip


def as_json(course: Course) -> dict[str, Any]:
    told = course.told
    interview = told.view.interview
    return {
        "interview": str(interview.code),
        "status": interview.status,
        "started_at": _iso(interview.started_at),
        "ended_at": _iso(interview.ended_at),
        "pauses": [{"since": iso(pause.since), "until": _iso(pause.until)} for pause in told.view.pauses],
        "you": {"seat": str(told.own.code), "role": told.own.role} if told.own else None,
        "seats": [
            {"code": str(seat.code), "role": seat.role, "name": course.name(seat)} for seat in told.seats.values()
        ],
        "trees": [
            {
                "key": pinned.says.key,
                "title": pinned.says.title,
                "planned_minutes": pinned.minutes,
                "seconds": course.times[pinned.says.key],
            }
            for pinned in told.view.pinned
        ],
        "asked": [_asked_json(course, question) for question in course.asked],
        "current": [
            {"asked": spell.key, "since": iso(spell.since), "until": _iso(spell.until)} for spell in told.spells
        ],
        "events": [_event_json(course, event) for event in told.events if event.name in TOLD],
        "judgements": [_voice_json(voice) for voice in told.voices],
        "pad": None,
    }


def _iso(at: datetime | None) -> str | None:
    return iso(at) if at else None


def _seat(course: Course, pk: int | None) -> str | None:
    seat = course.told.seats.get(pk or 0)
    return str(seat.code) if seat else None


def _asked_json(course: Course, question: Question) -> dict[str, Any]:
    row = question.row
    return {
        "id": question.id,
        "seq": row.seq,
        "probe": question.probe,
        "tree": question.tree,
        "level": question.level,
        "kind": question.kind,
        "own": question.own,
        "title": question.title,
        "prompt": question.prompt,
        "lang": question.prompt_lang or None,
        "by": _seat(course, row.by_id),
        "made_at": iso(row.made_at),
        "late": row.late,
        "taken_back_at": _iso(question.gone_at),
        "seconds": question.took,
    }


def _event_json(course: Course, event: Any) -> dict[str, Any]:
    text = course.told.texts.get(event.data.get("text", 0))
    said = {name: event.data[name] for name in ("asked", "lead", "by_itself") if name in event.data}
    words = {"text": text.body} if text else {}
    by = _seat(course, event.seat_id)
    return {"name": event.name, "made_at": iso(event.made_at), "by": by, **said, **words}


def _voice_json(voice: Voice) -> dict[str, Any]:
    return {
        "seat": str(voice.seat.code),
        "marks": [
            {
                "asked": asked,
                "history": [
                    {"since": iso(stood.since), "until": _iso(stood.until), **stood.values}
                    for stood in voice.histories[asked]
                ],
            }
            for asked in voice.marks
        ],
        "evidence": [_statement_json(voice, row) for rows in voice.evidence.values() for row in rows],
        "reasons": [_statement_json(voice, row) for rows in voice.reasons.values() for row in rows],
        "notes": [
            {"asked": asked or None, "since": iso(voice.since(note)), "text": note.text.body}
            for asked, note in voice.notes.items()
        ],
        "boundaries": [
            {
                "tree": tree,
                "since": iso(voice.histories[tree][-1].since),
                "ended": said.ended,
                "override": _override(said),
            }
            for tree, said in voice.boundaries.items()
        ],
    }


def _statement_json(voice: Voice, row: Any) -> dict[str, Any]:
    said = {"type": row.type, "aid": row.aid, "detail": row.text.body}
    return {"id": str(row.pk), "asked": str(row.asked_id), "since": iso(voice.since(row)), **said}


def _override(said: Any) -> dict[str, Any] | None:
    override = boundary_values(said).get("override")
    if override is None:
        return None
    return {**override, "reason": said.override_reason.body if said.override_reason else ""}


# --- the table --------------------------------------------------------------------------------------------------------


def as_table(course: Course, zone: str) -> str:
    """Return CSV: a row for everything that happened and everything that was said, by time. Marks as they stand."""
    begin = course.begin
    table: list[list[Cell]] = []
    for at, cells in sorted(_rows(course), key=lambda row: row[0]):
        when: list[Cell] = [iso(at), local(at, zone).strftime("%Y-%m-%d %H:%M:%S"), zone]
        table.append([*when, round((at - begin).total_seconds()), *(cells.get(name) for name in HEAD[4:])])
    return as_csv(HEAD, table)


Row = tuple[datetime, dict[str, Cell]]


def _rows(course: Course) -> Iterator[Row]:
    told = course.told
    by_id = {question.id: question for question in course.asked}
    for question in course.asked:
        minutes = round(question.took / 60, 2) if question.took is not None else None
        by = course.name(told.seats.get(question.row.by_id))
        flags = {"late": "yes" if question.row.late else None, "taken_back": _iso(question.gone_at)}
        yield question.row.made_at, {"what": "asked", "by": by, "minutes": minutes, **flags, **_about(question)}
    for event in told.events:
        if event.name in TOLD:
            text = told.texts.get(event.data.get("text", 0))
            about = _about(by_id.get(event.data.get("asked") or ""))
            by = course.name(told.seats.get(event.seat_id or 0))
            yield event.made_at, {"what": event.name, "by": by, **about, "words": text.body if text else None}
    for voice in told.voices:
        for at, cells in _said(voice, by_id):
            yield at, {"by": course.name(voice.seat), **cells}


def _about(question: Question | None) -> dict[str, Cell]:
    if question is None:
        return {}
    named: dict[str, Cell] = {"tree": question.tree, "level": question.level, "probe": question.probe}
    return {**named, "question": question.prompt}


def _said(voice: Voice, by_id: dict[str, Question]) -> Iterator[Row]:
    for asked, mark in voice.marks.items():
        cells: dict[str, Cell] = {"what": "mark", "outcome": mark.outcome, "aid": mark.aid}
        ratings: dict[str, Cell] = {aim.value: getattr(mark, aim) for aim in Aim}
        since = voice.histories[asked][-1].since
        yield since, {**cells, **ratings, "confidence": mark.confidence, **_about(by_id.get(asked))}
    for what, statements in (("evidence", voice.evidence), ("reason", voice.reasons)):
        for asked, rows in statements.items():
            for row in rows:
                cells = {"what": what, "type": row.type, "aid": row.aid, "words": row.text.body}
                yield voice.since(row), {**cells, **_about(by_id.get(asked))}
    for asked, note in voice.notes.items():
        yield voice.since(note), {"what": "note", "words": note.text.body, **_about(by_id.get(asked))}
    for tree, said in voice.boundaries.items():
        override = _override(said) or {}
        cells = {"what": "boundary", "tree": tree, "type": said.ended, "words": override.get("reason")}
        cells |= {"floor": override.get("floor"), "ceiling": override.get("ceiling")}
        yield voice.histories[tree][-1].since, cells
