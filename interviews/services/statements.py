"""Typed evidence and typed reasons: one mechanism for both, since they differ only in their list of types."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.utils import timezone
from django.utils.translation import gettext as _

from interviews import log
from interviews.enums import EvidenceType, ReasonType, StatementAid
from interviews.log import Ack
from interviews.models import Evidence, Reason
from interviews.services.acting import Act
from interviews.services.refusal import Code, Refusal
from interviews.services.stale import stale
from interviews.services.texts import INSERT_TEXT, rewrite, words
from interviews.services.unchanged import UNCHANGED, Unchanged
from people.clock import iso

Kind = type[Evidence] | type[Reason]


def add_evidence(act: Act, *, asked: UUID, type: EvidenceType, aid: StatementAid, detail: str) -> Ack:
    return _add(act, Evidence, asked=asked, kind=type, aid=aid, detail=detail)


def edit_evidence(
    act: Act,
    *,
    evidence: UUID,
    version: int,
    type: EvidenceType | Unchanged = UNCHANGED,
    aid: StatementAid | Unchanged = UNCHANGED,
    detail: str | Unchanged = UNCHANGED,
) -> Ack:
    return _edit(act, Evidence, evidence, version=version, kind=type, aid=aid, detail=detail)


def remove_evidence(act: Act, *, evidence: UUID, version: int) -> Ack:
    return _remove(act, Evidence, evidence, version=version)


def add_reason(act: Act, *, asked: UUID, type: ReasonType, aid: StatementAid, detail: str) -> Ack:
    return _add(act, Reason, asked=asked, kind=type, aid=aid, detail=detail)


def edit_reason(
    act: Act,
    *,
    reason: UUID,
    version: int,
    type: ReasonType | Unchanged = UNCHANGED,
    aid: StatementAid | Unchanged = UNCHANGED,
    detail: str | Unchanged = UNCHANGED,
) -> Ack:
    return _edit(act, Reason, reason, version=version, kind=type, aid=aid, detail=detail)


def remove_reason(act: Act, *, reason: UUID, version: int) -> Ack:
    return _remove(act, Reason, reason, version=version)


def _word(model: Kind) -> str:
    return "evidence" if model is Evidence else "reason"


_INSERT = {
    word: f"WITH words AS ({INSERT_TEXT} RETURNING id) "  # noqa: S608 - our own names
    f"INSERT INTO interviews_{word} (id, seat_id, asked_id, type, aid, made_at, version, written_at, text_id) "
    "SELECT %s, %s, %s, %s, %s, %s, 1, clock_timestamp(), words.id FROM words "
    "ON CONFLICT (id) DO NOTHING RETURNING version"
    for word in ("evidence", "reason")  # names of our own tables
}


def _add(act: Act, model: Kind, *, asked: UUID, kind: EvidenceType | ReasonType, aid: StatementAid, detail: str) -> Ack:
    word = _word(model)
    made = act.cause.command
    said = {word: str(made), "asked": str(asked), "type": kind, "aid": aid}
    about = [act.interview.application_id, act.seat.pk, word, *words(detail)]
    insert = (_INSERT[word], [*about, made, act.seat.pk, asked, kind, aid, act.made_at])
    written = act.write_mine_with(f"{word}.add", said, insert, version=1)
    act.asked(asked)
    if written.rows == [None]:  # somebody else's has its id
        raise log.IdReused
    return written.ack


def _edit(
    act: Act,
    model: Kind,
    item: UUID,
    *,
    version: int,
    kind: EvidenceType | ReasonType | Unchanged,
    aid: StatementAid | Unchanged,
    detail: str | Unchanged,
) -> Ack:
    word = _word(model)
    given: dict[str, Any] = {"type": kind, "aid": aid}
    given = {name: value for name, value in given.items() if value is not UNCHANGED}
    ack = act.write_mine(f"{word}.edit", {word: str(item), **given}, version=version + 1)
    row = _own(act, model, item, version)
    for name, value in given.items():
        setattr(row, name, value)
    if not isinstance(detail, Unchanged):
        rewrite(row.text, detail)
    row.version, row.made_at = version + 1, act.made_at
    row.save(update_fields=["version", "made_at", *given])
    return ack


def _remove(act: Act, model: Kind, item: UUID, *, version: int) -> Ack:
    word = _word(model)
    ack = act.write_mine(f"{word}.remove", {word: str(item)}, version=version + 1)
    row = _own(act, model, item, version)
    row.version, row.removed_at = version + 1, timezone.now()
    row.save(update_fields=["version", "removed_at"])
    return ack


def _own(act: Act, model: Kind, item: UUID, version: int) -> Evidence | Reason:
    """The author's item at that version; the author's stream is locked, so it can't change meanwhile."""
    row: Evidence | Reason | None = (
        model.objects.written_by(act.seat).filter(pk=item, removed_at__isnull=True).select_related("text").first()
    )
    if row is None:
        raise Refusal(Code.BAD_FIELD, _("You have no such entry in this interview; it may have been removed."))
    if row.version != version:
        raise stale(
            act,
            _word(model),
            {
                _word(model): str(item),
                "type": row.type,
                "aid": row.aid,
                "detail": row.text.body,
                "version": row.version,
                "made_at": iso(row.made_at),
            },
        )
    return row
