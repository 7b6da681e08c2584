"""Judging an answer: marks, boundaries and notes. Each writes the author's own stream, and no other."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any
from uuid import UUID

from django.db.models import F, Q
from django.utils.translation import gettext as _

from interviews.enums import Aid, Aim, Confidence, Ended, Outcome, TextKind
from interviews.log import Ack, Statement
from interviews.models import Asked, Boundary, Mark, Note, Stream, Text
from interviews.queries.own_trees import own_key
from interviews.rules.endings import Refused, ending_effect
from interviews.services.acting import Act
from interviews.services.refusal import Code, Refusal
from interviews.services.stale import stale
from interviews.services.texts import INSERT_TEXT, new_text, words
from interviews.services.unchanged import UNCHANGED, Unchanged
from people.clock import iso
from questionbank.enums import Scoring
from questionbank.models import Tree


@dataclass(frozen=True, slots=True)
class Override:
    """A person's own reading of a boundary, with its reason; shown beside the derived one, never in the model."""

    floor: int
    ceiling: int | None
    reason: str


def set_mark(
    act: Act,
    *,
    asked: UUID,
    version: int,
    outcome: Outcome | Unchanged | None = UNCHANGED,
    aid: Aid | Unchanged | None = UNCHANGED,
    ratings: dict[str, int | None] | Unchanged = UNCHANGED,
    confidence: Confidence | Unchanged | None = UNCHANGED,
) -> Ack:
    """Write what is said of one answer; what is not mentioned stays."""
    given: dict[str, Any] = {"outcome": outcome, "aid": aid, "confidence": confidence}
    given = {name: value for name, value in given.items() if value is not UNCHANGED}
    data: dict[str, Any] = {"asked": str(asked), **given}
    if not isinstance(ratings, Unchanged):
        data["ratings"] = ratings
        given |= ratings
    write = _mark_statement(act, asked, given, version=version)
    written = act.write_mine_with("mark.set", data, write, version=version + 1)
    row = act.asked(asked)
    if not isinstance(ratings, Unchanged):
        _require_aims(row, ratings)
    (mark,) = written.rows
    if mark is None:
        raise stale(act, "mark", mark_state(act, row))
    written.events[0].wrote = Mark(asked=row, **dict(zip(_SAID, mark, strict=True)))
    return written.ack


def _require_aims(asked: Asked, ratings: dict[str, int | None]) -> None:
    probe = asked.probe or asked.adhoc
    aims = set(probe.aims) if probe else set()
    if foreign := [aim for aim, rating in ratings.items() if rating is not None and aim not in aims]:
        raise Refusal(
            Code.BAD_FIELD,
            _("This question does not aim at %(aims)s; it can't be rated on that.") % {"aims": ", ".join(foreign)},
        )


def _mark_statement(act: Act, asked: UUID, given: dict[str, Any], *, version: int) -> Statement:
    """Insert what was never written, or update exactly the version it builds on; otherwise it returns no row.

    An asking that is not there is no row either: whether it is one of this room is looked at afterwards.
    """
    judged_at = act.made_at if given.get("outcome") is not None else None
    if version == 0:
        return _insert_mark(tuple(given)), [act.seat.pk, act.made_at, judged_at, *given.values(), asked]
    values = [act.made_at, judged_at, *given.values(), act.seat.pk, asked, version]
    return _update_mark(tuple(given)), values


# What is said of an answer, as columns. Their names are ours: those of fields that commands.py knows.
_SAID = ("version", "outcome", "aid", *Aim, "confidence")


@cache
def _insert_mark(columns: tuple[str, ...]) -> str:
    names = "".join(f", {name}" for name in columns)
    return (
        f"INSERT INTO interviews_mark (version, written_at, seat_id, asked_id, made_at, judged_at{names}) "  # noqa: S608
        f"SELECT 1, clock_timestamp(), %s, a.id, %s, %s::timestamptz{', %s' * len(columns)} "
        "FROM interviews_asked a WHERE a.id = %s "
        f"ON CONFLICT (seat_id, asked_id) DO NOTHING RETURNING {', '.join(_SAID)}"
    )


@cache
def _update_mark(columns: tuple[str, ...]) -> str:
    sets = "".join(f", {name} = %s" for name in columns)
    return (
        "UPDATE interviews_mark SET version = version + 1, written_at = clock_timestamp(), made_at = %s, "  # noqa: S608
        f"judged_at = COALESCE(%s, judged_at){sets} "
        f"WHERE seat_id = %s AND asked_id = %s AND version = %s RETURNING {', '.join(_SAID)}"
    )


def mark_state(act: Act, asked: Asked) -> dict[str, Any]:
    """The mark as it stands, for its author: what a stale command is answered with."""
    mark = Mark.objects.written_by(act.seat).filter(asked=asked).first()
    if mark is None:
        return {"asked": str(asked.pk), "version": 0}
    ratings = {aim: getattr(mark, aim) for aim in Aim if getattr(mark, aim) is not None}
    return {
        "asked": str(asked.pk),
        "outcome": mark.outcome,
        "aid": mark.aid,
        "ratings": ratings,
        "confidence": mark.confidence,
        "version": mark.version,
        "made_at": iso(mark.made_at),
    }


def set_boundary(
    act: Act,
    *,
    tree: str,
    version: int,
    ended: Ended | Unchanged | None = UNCHANGED,
    probe: str | Unchanged = UNCHANGED,
    override: Override | Unchanged | None = UNCHANGED,
) -> Ack:
    """Say why a tree ended for this person, or override its derived boundary. Never writes a mark by itself."""
    data: dict[str, Any] = {"tree": tree}
    if not isinstance(ended, Unchanged):
        data["ended"] = ended
    if not isinstance(probe, Unchanged):
        data["probe"] = probe
    text = None
    if not isinstance(override, Unchanged):
        data["override"] = None
        if override is not None:
            text = new_text(act.seat, TextKind.OVERRIDE, override.reason)
            data["override"] = {"floor": override.floor, "ceiling": override.ceiling, "reason": text.pk}
    ack = act.write_mine("boundary.set", data, version=version + 1)
    pinned = Tree.objects.filter(key=tree, versions__in=act.interview.pinned.values("version")).first()
    if pinned is None:
        raise Refusal(Code.BAD_FIELD, _("This interview has no tree %(tree)s.") % {"tree": tree[:80]})
    asked = _latest_asked(act, pinned, probe)
    values: dict[str, Any] = {"made_at": act.made_at}
    if not isinstance(ended, Unchanged):
        if ended is not None:
            _check_ending(act, pinned, asked, ended)
        head = Stream.objects.filter(room=act.interview.room_id, name="panel").values_list("head", flat=True).first()
        values |= {"ended": ended, "asked": asked, "said_at_seq": head or 0}
    if not isinstance(override, Unchanged):
        values |= {
            "override_floor": override.floor if override else None,
            "override_ceiling": override.ceiling if override else None,
            "override_reason": text,
        }
    if not _write_boundary(act, pinned, values, version=version):
        raise stale(act, "boundary", boundary_state(act, pinned))
    return ack


def _latest_asked(act: Act, tree: Tree, probe: str | Unchanged) -> Asked | None:
    """The asked probe an ending points at: the latest asking of `probe`, else of any probe of the tree."""
    of_tree = Q(probe__version__tree=tree) | Q(adhoc__parent__version__tree=tree)
    asked = Asked.objects.filter(of_tree, interview=act.interview, retracted_at__isnull=True)
    if not isinstance(probe, Unchanged):
        key = probe.partition("/")[2] or probe
        own = own_key(key)  # None would match all that are no questions of the lead's own
        asked = asked.filter(adhoc=own) if own else asked.filter(probe__key=key)
    return asked.last()


def _check_ending(act: Act, tree: Tree, asked: Asked | None, ended: Ended) -> None:
    marks = Mark.objects.written_by(act.seat)
    mark = marks.filter(asked=asked).first() if asked else None
    application = act.interview.application
    voided = application.position.voids.filter(tree=tree).values("probe_key")
    counted = Q(asked__probe__version__tree=tree, asked__probe__scoring=Scoring.SCORED) & ~Q(
        asked__probe__key__in=voided
    )
    own = Q(asked__adhoc__parent__version__tree=tree)
    judged = marks.filter(counted | own, asked__retracted_at__isnull=True, outcome__isnull=False).exclude(
        outcome=Outcome.NOT_JUDGED
    )
    optional = application.position.optional_trees.filter(pk=tree.pk).exists()
    optional = optional and not application.lifted_trees.filter(pk=tree.pk).exists()
    effect = ending_effect(
        ended,
        asked=asked is not None,
        outcome=Outcome(mark.outcome) if mark and mark.outcome else None,
        aid=Aid(mark.aid) if mark and mark.aid else None,
        optional=optional,
        judged=judged.count(),
    )
    if effect.refused == Refused.NOT_ASKED:
        raise Refusal(Code.NOT_ASKED, _("A boundary needs an asked question; none of this tree was asked."))
    if effect.refused == Refused.CONTRADICTION:
        current = mark_state(act, asked) if asked else None
        raise Refusal(
            Code.CONTRADICTION, _("This ending contradicts your mark; change the mark first."), current=current
        )


def _write_boundary(act: Act, tree: Tree, values: dict[str, Any], *, version: int) -> bool:
    rows = Boundary.objects.written_by(act.seat).filter(tree=tree)
    if version > 0:
        return rows.filter(version=version).update(version=F("version") + 1, **values) == 1
    if rows.exists():  # the author's stream is locked, so no other device can slip in between
        return False
    Boundary(seat=act.seat, tree=tree, version=1, **values).save(force_insert=True)
    return True


def boundary_state(act: Act, tree: Tree) -> dict[str, Any]:
    said = Boundary.objects.written_by(act.seat).filter(tree=tree).select_related("override_reason").first()
    if said is None:
        return {"tree": tree.key, "version": 0}
    return {
        "tree": tree.key,
        "ended": said.ended,
        "override": None
        if said.override_floor is None
        else {
            "floor": said.override_floor,
            "ceiling": said.override_ceiling,
            "reason": said.override_reason.body if said.override_reason else "",
        },
        "version": said.version,
        "made_at": iso(said.made_at),
    }


def _note_state(about: UUID | None, note: Note | None) -> dict[str, Any]:
    state: dict[str, Any] = {"asked": str(about) if about else None, "text": note.text.body if note else ""}
    return state | ({"version": note.version, "made_at": iso(note.made_at)} if note else {"version": 0})


def set_note(act: Act, *, text: str, version: int, asked: UUID | Unchanged | None = UNCHANGED) -> Ack:
    """Write the note on one asked probe, or on the whole interview."""
    about = asked if isinstance(asked, UUID) else None
    write = _note_statement(act, about, text, version=version)
    written = act.write_mine_with("note.set", {"asked": str(about) if about else None}, write, version=version + 1)
    row = act.asked(about) if about else None
    if written.rows == [None]:
        notes = Note.objects.written_by(act.seat).filter(interview=act.interview, asked=row)
        raise stale(act, "note", _note_state(about, notes.select_related("text").first()))
    written.events[0].wrote = Note(asked=row, text=Text(body=text), version=version + 1)
    return written.ack


_INSERT_NOTE = (
    f"WITH words AS ({INSERT_TEXT} WHERE NOT EXISTS (SELECT FROM interviews_note n "  # noqa: S608 - a constant
    "WHERE n.seat_id = %s AND n.interview_id = %s AND n.asked_id IS NOT DISTINCT FROM %s) RETURNING id) "
    "INSERT INTO interviews_note (seat_id, interview_id, asked_id, made_at, version, written_at, text_id) "
    "SELECT %s, %s, %s::uuid, %s, 1, clock_timestamp(), words.id FROM words RETURNING version"
)
_UPDATE_NOTE = (
    "WITH note AS (UPDATE interviews_note SET version = version + 1, made_at = %s "
    "WHERE seat_id = %s AND interview_id = %s AND asked_id IS NOT DISTINCT FROM %s AND version = %s "
    "RETURNING text_id, version) "
    "UPDATE interviews_text t SET body = %s, salt = %s, digest = %s, written_at = clock_timestamp() "
    "FROM note WHERE t.id = note.text_id RETURNING note.version"
)


def _note_statement(act: Act, about: UUID | None, text: str, *, version: int) -> Statement:
    """Write the first words, or put others in place of exactly that version; otherwise it returns no row."""
    note = (act.seat.pk, act.interview.pk, about)  # the author's stream is locked: there is no second first note
    if version == 0:
        head = (act.interview.application_id, act.seat.pk, TextKind.NOTE)
        return _INSERT_NOTE, [*head, *words(text), *note, *note, act.made_at]
    return _UPDATE_NOTE, [act.made_at, *note, version, *words(text)]
