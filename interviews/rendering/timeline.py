"""The timeline page: the course of an interview as a story, as lanes on a time axis, and as minutes of each tree.

Whatever has a `since` (and an `until`) in milliseconds after the beginning is shown for that time only when somebody
looks at an earlier moment. All of it stands on the page; nothing more is fetched.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from interviews.enums import Aim
from interviews.models import Asked, Event, Seat
from interviews.queries.timeline import Told, Voice, boundary_values
from interviews.rendering.context import probe_asked, tree_key
from interviews.rules import AskedAt, tree_times
from interviews.rules.story import Stood
from people.fields import words_in

Seconds = int


@dataclass(frozen=True, slots=True)
class Question:
    """One asking as it is told. `number`: its place in the asked order; `took`: None where it was taken back."""

    row: Asked
    id: str
    number: int
    probe: str
    tree: str
    tree_title: str
    tree_lang: str
    level: int
    kind: str
    own: bool
    title: str
    lang: str
    prompt: str
    prompt_lang: str
    gone_at: datetime | None
    took: Seconds | None


@dataclass(frozen=True, slots=True)
class Course:
    """What page and files have in common. `begin`, `end`: the first and the last moment there is anything to tell of.

    `times`: seconds by tree key, of every pinned tree; `asked`: in the asked order.
    """

    told: Told
    begin: datetime
    end: datetime
    asked: list[Question]
    times: dict[str, Seconds]

    def ms(self, at: datetime) -> int:
        return max(0, round((at - self.begin) / timedelta(milliseconds=1)))

    def name(self, seat: Seat | None) -> str:
        if seat is None:
            return ""
        return seat.person.name if seat.person else self.told.view.candidate_name or _("Candidate")


def course(told: Told) -> Course:
    view = told.view
    interview = view.interview
    stop = interview.ended_at or timezone.now()
    standing = [row for row in view.asked if str(row.pk) not in told.gone]
    took = tree_times([AskedAt(str(row.pk), row.made_at) for row in standing], pauses=view.pauses, end=stop)
    seconds = {asked: int(time.total_seconds()) for asked, time in took.items()}
    asked = [_question(told, row, number, seconds.get(str(row.pk))) for number, row in enumerate(view.asked, start=1)]
    times = {pinned.says.key: 0 for pinned in view.pinned}
    for question in asked:
        times[question.tree] = times.get(question.tree, 0) + (question.took or 0)
    moments = [interview.started_at, stop] if interview.started_at else []
    moments += [event.made_at for event in told.events]
    moments += [row.made_at for row in view.asked] + list(told.gone.values())
    moments += [at for voice in told.voices for at in _moments(voice)]
    return Course(told, min(moments, default=stop), max(moments, default=stop), asked, times)


def _moments(voice: Voice) -> list[datetime]:
    histories = [stood.since for history in voice.histories.values() for stood in history]
    return [*histories, *voice.begun.values(), *(note.made_at for note in voice.notes.values())]


def _question(told: Told, row: Asked, number: int, took: Seconds | None) -> Question:
    view = told.view
    key = tree_key(view, row)
    tree_title, tree_lang = next((words_in(tree.says.title) for tree in view.pinned if tree.says.key == key), (key, ""))
    probe = probe_asked(view, row)
    (title, lang), (prompt, prompt_lang) = words_in(probe.title), words_in(probe.prompt)
    return Question(
        row=row,
        id=str(row.pk),
        number=number,
        probe=probe.id,
        tree=key,
        tree_title=tree_title,
        tree_lang=tree_lang,
        level=probe.level,
        kind=probe.kind,
        own=row.adhoc_id is not None,
        title=title or _("erased"),
        lang=lang,
        prompt=prompt,
        prompt_lang=prompt_lang,
        gone_at=told.gone.get(str(row.pk)),
        took=took,
    )


def clock(seconds: Seconds | None) -> str:
    """Minutes and seconds, such as 12:05; hours run on as minutes."""
    return "" if seconds is None else f"{seconds // 60}:{seconds % 60:02d}"


# --- the page ---------------------------------------------------------------------------------------------------------

TOLD = {
    *("interview.start", "interview.pause", "interview.resume", "interview.end", "interview.reopen"),
    *("lead.hand_over", "lead.take", "prompt.share", "prompt.unshare", "candidate.admit"),
}
"""Of the panel's events those that a timeline tells; askings come from the table, and other names are for the room."""


def page_context(course: Course) -> dict[str, Any]:
    """Everything timeline.html reads but who may do what."""
    told = course.told
    by_id = {question.id: question for question in course.asked}
    return {
        "story": sorted(
            [
                *(_asked_entry(course, question) for question in course.asked),
                *(entry for event in told.events if (entry := _entry(course, event, by_id)) is not None),
            ],
            key=lambda entry: (entry["since"], entry["order"]),
        ),
        "began": round(course.begin.timestamp() * 1000),
        "span": max(1, course.ms(course.end)),
        "spells": [
            {
                "question": by_id[spell.key] if spell.key else None,
                "since": course.ms(spell.since),
                "until": course.ms(spell.until) if spell.until else None,
            }
            for spell in told.spells
        ],
        "voices": [_voice_head(course, voice) for voice in told.voices],
        "on_the_whole": [
            {**_voice_head(course, voice), **_note(course, voice, "")} for voice in told.voices if "" in voice.notes
        ],
        "trees": [
            {
                "title": words_in(pinned.says.title),
                "minutes": pinned.minutes,
                "time": clock(course.times[pinned.says.key]),
                "said": [said for voice in told.voices for said in _boundaries(course, voice, pinned.says.key)],
            }
            for pinned in told.view.pinned
        ],
    }


def _asked_entry(course: Course, question: Question) -> dict[str, Any]:
    who = course.name(course.told.seats.get(question.row.by_id))
    return {
        "kind": "ask",
        "at": question.row.made_at,
        "since": course.ms(question.row.made_at),
        "order": question.row.seq,
        "question": question,
        "says": {
            "number": _("Question %(number)s:") % {"number": question.number},
            "level": _("level %(level)s") % {"level": question.level},
            "by": _("asked by %(who)s") % {"who": who},
            "took": _("took %(time)s") % {"time": clock(question.took)} if question.took is not None else "",
        },
        "gone": course.ms(question.gone_at) if question.gone_at else None,
        "voices": [said for voice in course.told.voices if (said := _heard(course, voice, question.id))["anything"]],
    }


def _entry(course: Course, event: Event, by_id: dict[str, Question]) -> dict[str, Any] | None:
    if event.name not in TOLD and event.name != "probe.retract":
        return None
    data = event.data
    text = course.told.texts.get(data.get("text", 0))
    lead = next((seat for seat in course.told.seats.values() if str(seat.code) == data.get("lead")), None)
    return {
        "kind": event.name,
        "at": event.made_at,
        "since": course.ms(event.made_at),
        "order": event.seq,
        "who": course.name(course.told.seats.get(event.seat_id or 0)),
        "question": by_id.get(data.get("asked") or ""),
        "text": text,
        "lead": course.name(lead),
        "by_itself": bool(data.get("by_itself")),
    }


def _voice_head(course: Course, voice: Voice) -> dict[str, Any]:
    own = course.told.own is not None and voice.seat.person_id == course.told.own.person_id
    return {
        "seat": str(voice.seat.code),
        "name": _("You") if own else course.name(voice.seat),
        "own": own,
        "shadow": voice.seat.role == "shadow",
    }


def _heard(course: Course, voice: Voice, asked: str) -> dict[str, Any]:
    """What one author said of one answer."""
    history = voice.histories.get(asked, []) if asked in voice.marks else []
    marks = [_mark(course, stood) for stood in history]
    evidence = [_statement(course, voice, row) for row in voice.evidence.get(asked, [])]
    reasons = [_statement(course, voice, row) for row in voice.reasons.get(asked, [])]
    note = _note(course, voice, asked) if asked in voice.notes else None
    begun = [part["since"] for part in (*marks, *evidence, *reasons, *([note] if note else []))]
    return {
        **_voice_head(course, voice),
        "since": min(begun, default=0),
        "anything": bool(begun),
        "marks": marks,
        "evidence": evidence,
        "reasons": reasons,
        "note": note,
    }


def _mark(course: Course, stood: Stood) -> dict[str, Any]:
    values = stood.values
    return {
        **_lasting(course, stood),
        "outcome": values.get("outcome"),
        "aid": values.get("aid"),
        "ratings": [(aim.value, values[aim.value]) for aim in Aim if aim.value in values],
        "confidence": values.get("confidence"),
    }


def _lasting(course: Course, stood: Stood) -> dict[str, Any]:
    until = course.ms(stood.until) if stood.until else None
    return {"since": course.ms(stood.since), "until": until}


def _statement(course: Course, voice: Voice, row: Any) -> dict[str, Any]:
    return {"since": course.ms(voice.since(row)), "type": row.type, "aid": row.aid, "detail": row.text.body}


def _note(course: Course, voice: Voice, asked: str) -> dict[str, Any]:
    note = voice.notes[asked]
    return {"since": course.ms(voice.since(note)), "text": note.text.body}


def _boundaries(course: Course, voice: Voice, tree: str) -> list[dict[str, Any]]:
    """How one author said that the tree ended, over time."""
    row = voice.boundaries.get(tree)
    if row is None:
        return []
    reason = row.override_reason.body if row.override_reason else ""
    now = boundary_values(row).get("override")
    return [
        {
            **_voice_head(course, voice),
            **_lasting(course, stood),
            "ended": stood.values.get("ended"),
            "override": stood.values.get("override"),
            # Of a reading that was given up later the words are not read again.
            "reason": reason if stood.values.get("override") == now else "",
        }
        for stood in voice.histories[tree]
        if stood.values
    ]
