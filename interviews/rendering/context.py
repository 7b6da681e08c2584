"""What the partials of a room read, from its state, in the active language. Names are documented in the partials."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from interviews.enums import JUDGES, Aim, Ended, ProbeKind, Role
from interviews.models import Asked, Boundary, Evidence, Mark, Note, Reason, Seat
from interviews.queries.pinned import ProbeSays, Texts
from interviews.queries.room import MineView, Pinned, RoomView
from interviews.rendering.anchors import generic_anchors
from interviews.rendering.meters import agenda_context, planned_probes
from interviews.rendering.panel import asker_context, chat_context, hand_context, offers_context
from people.fields import words_in

# What every seat of the panel sees, by the name that partials know it by.
SHARED: dict[str, Callable[[RoomView], Any]] = {
    "status": lambda view: status_context(view),
    "trees": lambda view: [_tree(view, pinned, None) for pinned in view.pinned],
    "current": lambda view: current_context(view),
    "seats": lambda view: [_seat(view, seat) for seat in view.seats],
    "shared": lambda view: shared_prompt(view),
    "agenda": lambda view: agenda_context(view),
}


def shared_context(view: RoomView) -> dict[str, Any]:
    """What every seat of the panel sees: status, plan with what was asked, current probe, seats, shared prompt."""
    return {name: read(view) for name, read in SHARED.items()}


def status_context(view: RoomView) -> dict[str, Any]:
    interview = view.interview
    return {
        "status": interview.status,
        "started_at": interview.started_at,
        "paused_at": view.paused_at,
        "paused_seconds": int(sum((until - since).total_seconds() for since, until in view.finished_pauses)),
        "pauses": [{"since": since, "until": until} for since, until in view.finished_pauses],
        "ended_at": interview.ended_at,
        "minutes": interview.minutes,
        "ended_by_itself": interview.ended_by_itself,
    }


def _tree(view: RoomView, pinned: Pinned, mine: MineView | None) -> dict[str, Any]:
    says = pinned.says
    title, lang = words_in(says.title)
    asked = [_asked(view, row, mine) for row in view.asked if tree_key(view, row) == says.key]
    return {
        "key": says.key,
        "title": title,
        "lang": lang,
        "minutes": pinned.minutes,
        "top_level": says.top_level,
        "misses_to_end": says.misses_to_end,
        "retry_unclear": says.retry_unclear,
        "optional": pinned.optional,
        "probes": planned_probes(says.version),
        "asker": asker_context(view, pinned),
        "current": any(row["current"] for row in asked),
        "asked": asked,
    }


def tree_key(view: RoomView, asked: Asked) -> str:
    pinned, _probe = view.home[asked.source]
    return pinned.says.key


def probe_asked(view: RoomView, asked: Asked) -> ProbeSays:
    """What an asked probe says in this interview, of the bank or the lead's own."""
    _pinned, probe = view.home[asked.source]
    return probe


def _asked(view: RoomView, asked: Asked, mine: MineView | None) -> dict[str, Any]:
    probe = probe_asked(view, asked)
    title, lang = words_in(probe.title)
    mark = mine.marks.get(str(asked.pk)) if mine else None
    return {
        "id": str(asked.pk),
        "tree": tree_key(view, asked),
        "probe": probe.id,
        "seq": asked.seq,
        "by": str(asked.by.code),
        "level": probe.level,
        "title": title or _("erased"),
        "lang": lang,
        "scored": probe.scored,
        "made_at": asked.made_at,
        "current": asked.pk == view.interview.current_id,
        "retracted": asked.retracted_at is not None,
        "late": asked.late,
        "mark": mark_context(mark) if mark else None,
    }


def current_context(view: RoomView) -> dict[str, Any] | None:
    asked = view.current
    if asked is None:
        return None
    pinned, probe = view.home[asked.source]
    title, lang = words_in(pinned.says.title)
    return {
        "asked": str(asked.pk),
        "made_at": asked.made_at,
        "tree_title": title,
        "tree_lang": lang,
        "deepest": pinned.says.deepest,
        "probe": probe_context(probe),
    }


def probe_context(probe: ProbeSays) -> dict[str, Any]:
    return {
        "id": probe.id,
        "level": probe.level,
        "kind": probe.kind,
        "aims": list(probe.aims),
        "scored": probe.scored,
        "prompts": _all_languages(probe.prompt),
        "signals": {kind: [_words(texts) for texts in probe.signals.get(kind, [])] for kind in _SIGNALS},
        "anchors": generic_anchors(probe.aims)
        if probe.own
        else [{"aim": aim, "rating": rating, **_words(texts)} for aim, rating, texts in probe.anchors],
    }


MOST_NEXT = 5  # as many as there are keys for: Y U I O P
_SIGNALS = ("strong", "recited", "weak")


def _words(texts: Texts) -> dict[str, str]:
    text, lang = words_in(texts)
    return {"lang": lang, "text": text}


def _all_languages(texts: Texts) -> list[dict[str, str]]:
    """Every language the text exists in, the reader's first."""
    first, lang = words_in(texts)
    others = [{"lang": tag, "text": text} for tag, text in texts.items() if tag != lang]
    return [{"lang": lang, "text": first}, *others]


def _seat(view: RoomView, seat: Seat) -> dict[str, Any]:
    name = seat.person.name if seat.person else view.candidate_name or _("Candidate")
    return {
        "seat": str(seat.code),
        "name": name,
        "role": seat.role,
        "admitted": seat.admitted_at is not None,
        "second": bool(getattr(seat, "second", False)),
        "consented": bool(getattr(seat, "consented", False)),
        "hand": hand_context(view, seat),
    }


def shared_prompt(view: RoomView) -> dict[str, Any] | None:
    interview = view.interview
    if interview.shared_text is not None:
        return {"asked": "", "text": interview.shared_text.body or "", "lang": ""}
    if interview.shared_id is None:
        return None
    asked = next((row for row in view.asked if row.pk == interview.shared_id), None)
    if asked is None:
        return None
    return {"asked": str(asked.pk), **_words(probe_asked(view, asked).prompt)}


# --- the lead's -------------------------------------------------------------------------------------------------------


def lead_context(view: RoomView, seat: Seat) -> dict[str, Any]:
    """The lead's controls: what may be asked next, and to whom the lead could go. Never in a frame."""
    lead = view.lead
    current = view.current
    tree, probe = view.home[current.source] if current else (None, None)
    may_lead = seat.role == Role.LEAD
    plan = view.interview.application.position.plan
    heirs = [other for other in view.seats if other.role == Role.INTERVIEWER]
    return {
        "may_lead": may_lead,
        "may_edit": may_lead and not (plan and plan.locked),
        "lead_name": lead.person.name if lead and lead.person else "",
        "hand_to": [_seat(view, other) for other in heirs] if may_lead else [],
        "offers": offers_context(view, tree) if may_lead else [],
        "may_reopen": may_lead and seat.card_submitted_at is None,
        "next_for": probe.id if probe else "",
        "retention_days": view.interview.application.position.retention_days,
        "follow_ups": [follow_context(follow) for follow in next_probes(view, probe)] if may_lead else [],
    }


def next_probes(view: RoomView, probe: ProbeSays | None) -> list[ProbeSays]:
    """What may be asked next, at most five: the probe's follow-ups; after a rescue or at a leaf also what is unasked
    beside and above it; with nothing left in the tree, or nothing asked, the roots that were not asked."""
    every = {other.id: other for pinned in view.pinned for other in pinned.says.probes}
    asked = {row.source for row in view.asked if row.retracted_at is None}
    found = [other for other in every.values() if probe is not None and other.parent == probe.id]
    above = probe
    while above is not None and above.parent and (not found or above.kind == ProbeKind.RESCUE):
        beside = above.parent
        found += [other for other in every.values() if other.parent == beside and other.source not in asked]
        above = every[beside]
    if not found:
        found = [other for other in every.values() if not other.parent and other.source not in asked]
    return found[:MOST_NEXT]


def follow_context(probe: ProbeSays) -> dict[str, Any]:
    prompt, lang = words_in(probe.prompt)
    heard, heard_lang = words_in(probe.heard) if probe.heard else ("", "")
    return {
        "probe": probe.id,
        "level": probe.level,
        "kind": probe.kind,
        "aims": list(probe.aims),
        "minutes": probe.minutes,
        "prompt": prompt,
        "lang": lang,
        "outcomes": list(probe.outcomes),
        "heard": heard,
        "heard_lang": heard_lang,
    }


# --- one's own --------------------------------------------------------------------------------------------------------


def mark_context(mark: Mark) -> dict[str, Any]:
    return {
        "asked": str(mark.asked_id),
        "outcome": mark.outcome,
        "aid": mark.aid,
        "ratings": {aim.value: getattr(mark, aim) for aim in Aim if getattr(mark, aim) is not None},
        "confidence": mark.confidence,
        "version": mark.version,
    }


def statement_context(row: Evidence | Reason) -> dict[str, Any]:
    detail = row.text.body or ""
    return {"id": str(row.pk), "type": row.type, "aid": row.aid, "detail": detail, "version": row.version}


def note_context(note: Note | None, asked: str | None) -> dict[str, Any]:
    text = note.text.body or "" if note else ""
    return {"asked": asked, "text": text, "version": note.version if note else 0}


def boundary_context(said: Boundary | None, tree: str) -> dict[str, Any]:
    if said is None:
        return {"tree": tree, "ended": None, "override": None, "version": 0}
    override = None
    if said.override_floor is not None:
        reason = said.override_reason.body or "" if said.override_reason else ""
        override = {"floor": said.override_floor, "ceiling": said.override_ceiling, "reason": reason}
    return {
        "tree": tree,
        "ended": Ended(said.ended).value if said.ended else None,
        "override": override,
        "version": said.version,
        "said_at": said.said_at_seq,
    }


def mine_context(view: RoomView, mine: MineView) -> dict[str, Any]:
    """The dock: one's own words on every asking, and every tree's boundary."""
    return {
        "askings": [
            {
                "asked": str(row.pk),
                "evidence": [statement_context(item) for item in mine.evidence.get(str(row.pk), [])],
                "reasons": [statement_context(item) for item in mine.reasons.get(str(row.pk), [])],
                "note": note_context(mine.notes.get(str(row.pk)), str(row.pk)),
            }
            for row in view.asked
        ],
        "note": note_context(mine.notes.get(""), None),
        "boundaries": [
            boundary_context(mine.boundaries.get(pinned.says.key), pinned.says.key) for pinned in view.pinned
        ],
    }


def mine_json(mine: MineView) -> dict[str, Any]:
    """One's own judgements as data, for the page's script and for programs."""
    return {
        "marks": [mark_context(mark) for mark in mine.marks.values()],
        "boundaries": [boundary_context(said, key) for key, said in mine.boundaries.items()],
        "evidence": [
            {"asked": asked, **statement_context(item)} for asked, items in mine.evidence.items() for item in items
        ],
        "reasons": [
            {"asked": asked, **statement_context(item)} for asked, items in mine.reasons.items() for item in items
        ],
        "notes": [note_context(note, asked or None) for asked, note in mine.notes.items()],
    }


# --- the page ---------------------------------------------------------------------------------------------------------


def page_context(view: RoomView, seat: Seat, mine: MineView | None) -> dict[str, Any]:
    """Everything room.html reads but addresses and heads. `mine` is None for an observer."""
    return {
        **shared_context(view),
        **lead_context(view, seat),
        "trees": [_tree(view, pinned, mine) for pinned in view.pinned],
        "seat": {"id": str(seat.code), "role": seat.role, "name": seat.person.name if seat.person else ""},
        "person": str(seat.person.code) if seat.person else "",
        "candidate_name": view.candidate_name or _("Candidate"),
        "position_title": view.interview.application.position.title,
        "may_judge": mine is not None,
        "probes": [_page_probe(pinned, probe) for pinned in view.pinned for probe in pinned.says.probes]
        if mine is not None
        else [],
        "outline": outline_context(view, seat),
        "chat": chat_context(view),
        "every_anchor": generic_anchors(Aim),
        "dock": mine_context(view, mine) if mine is not None else None,
        "mine": mine_json(mine) if mine is not None else None,
        "empty_note": {"asked": "", "text": "", "version": 0},
        "now": timezone.now(),
    }


def _page_probe(pinned: Pinned, probe: ProbeSays) -> dict[str, Any]:
    title, lang = words_in(probe.title)
    tree_title, tree_lang = words_in(pinned.says.title)
    return {
        **probe_context(probe),
        "follow": follow_context(probe),
        "parent": probe.parent,
        "tree": pinned.says.key,
        "title": title,
        "lang": lang,
        "tree_title": tree_title,
        "tree_lang": tree_lang,
        "deepest": pinned.says.deepest,
        "minutes": probe.minutes,
    }


def outline_context(view: RoomView, seat: Seat) -> list[dict[str, Any]]:
    """Every probe of every tree, to ask for who leads, to wish for to who else judges."""
    return [_outline(view, pinned) for pinned in view.pinned] if seat.role in JUDGES else []


def _outline(view: RoomView, pinned: Pinned) -> dict[str, Any]:
    title, lang = words_in(pinned.says.title)
    probes = []
    beside: dict[str, list[str]] = {}
    for probe in pinned.says.probes:
        words, words_lang = words_in(probe.title)
        before = beside.setdefault(probe.parent, [])
        probes.append(
            {
                "id": probe.id,
                "level": probe.level,
                "kind": probe.kind,
                "aims": list(probe.aims),
                "title": words,
                "lang": words_lang,
                # A follow-up that has one before it can be asked earlier: after the one before that, or first.
                "earlier": bool(probe.parent and before),
                "after": before[-2] if len(before) > 1 else "",
            }
        )
        before.append(probe.id)
    return {
        "key": pinned.says.key,
        "title": title,
        "lang": lang,
        "minutes": pinned.minutes,
        "asker": asker_context(view, pinned),
        "probes": probes,
    }
