"""Everything one card's page shows, whether a draft's live marks or a submitted revision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models.functions import Coalesce

from interviews.models import Attendance, Seat
from interviews.sealed import RATERS, open_seats
from people.models import Person
from scoring.models import Revision, RevisionStatement
from scoring.queries.cards import CardAccess, working_card
from scoring.queries.revisions import AskedProbe, load_asked, load_draft, load_revisions, load_voids
from scoring.queries.titles import Titles, load_titles
from scoring.queries.trees import load_trees
from scoring.rules import Reading, RevisionIn, TreeIn, read


@dataclass(frozen=True, slots=True)
class Said:
    """A statement's words, None once erased; `asked` is None for a note on the whole interview."""

    kind: str
    asked: str | None
    type: str
    aid: str
    words: str | None


@dataclass(frozen=True, slots=True)
class CardData:
    seat: Seat
    own: bool
    submitted: Revision | None
    version: int
    recommendation: str | None
    summary: str | None
    reason: str | None
    reading: Reading
    trees: tuple[TreeIn, ...]
    asked: Mapping[str, AskedProbe]
    titles: Titles
    said: tuple[Said, ...]
    unmarked: tuple[AskedProbe, ...]
    # What was handed in so far, in order, and how the rules read each; while the author amends, the draft's reading is
    # `reading` and `amendment` its reason as typed so far.
    revisions: tuple[Revision, ...]
    readings: Mapping[int, Reading]
    amending: bool
    amendment: str


def load_card(access: CardAccess) -> CardData:
    """Load a card in a constant number of queries."""
    seat, interview = access.seat, access.seat.interview
    asked = load_asked([interview.pk])
    voids = load_voids(interview.application.position_id)
    trees = load_trees(interview.application, [interview.pk])
    stored = _stored(access, interview.pk, asked, voids)
    amendment = ""
    if access.revision is not None:
        source, words = stored[access.revision.pk], _stored_words(access.revision)
        revision, version = access.revision, access.revision.card.version
        text = {"summary": revision.summary, "reason": revision.reason}
        recommendation = revision.recommendation
    else:
        draft = load_draft(seat, asked=asked, voids=voids)
        source, words = draft.revision, tuple(_live_words(kind, row) for kind, row in draft.statements)
        card = working_card(seat)
        text, recommendation, version = (
            {"summary": card.summary, "reason": card.reason},
            card.recommendation,
            card.version,
        )
        amendment = (card.amendment.body or "") if card.amendment else ""
    reading = read([source], trees)
    return CardData(
        seat=seat,
        own=access.own,
        submitted=access.revision,
        version=version,
        recommendation=recommendation,
        summary=text["summary"].body if text["summary"] else "",
        reason=text["reason"].body if text["reason"] else "",
        reading=reading,
        trees=trees,
        asked=asked,
        titles=load_titles([interview.pk], asked=asked, trees=[tree.id for tree in trees]),
        said=words,
        unmarked=_unmarked(seat, asked, reading) if access.own and access.revision is None else (),
        revisions=access.revisions,
        readings={pk: read([revision], trees) for pk, revision in stored.items()},
        amending=access.amending,
        amendment=amendment,
    )


def _stored(
    access: CardAccess, interview: int, asked: Mapping[str, AskedProbe], voids: set[tuple[int, str]]
) -> dict[int, RevisionIn]:
    if not access.revisions:
        return {}
    rows = Revision.objects.written_by(access.seat)
    return load_revisions(rows, places={interview: 0}, asked=asked, voids=voids)


def _stored_words(revision: Revision) -> tuple[Said, ...]:
    rows = RevisionStatement.objects.written_by(revision.seat).filter(revision=revision).select_related("text")
    return tuple(Said(row.kind, _id(row.asked_id), row.type, row.aid, row.text.body) for row in rows)


def _live_words(kind: str, row: Any) -> Said:
    return Said(kind, _id(row.asked_id), getattr(row, "type", ""), getattr(row, "aid", ""), row.text.body)


def _id(asked: object) -> str | None:
    return None if asked is None else str(asked)


def _unmarked(seat: Seat, asked: Mapping[str, AskedProbe], reading: Reading) -> tuple[AskedProbe, ...]:
    """List what was asked while the seat was connected and has no outcome. Who was not there has nothing to mark."""
    spans = list(
        Attendance.objects.filter(seat=seat)
        .annotate(last=Coalesce("ended_at", "seen_at"))
        .values_list("started_at", "last")
    )
    probes = list(asked.values())
    until = [probe.row.made_at for probe in probes[1:]] + [seat.interview.ended_at]
    return tuple(
        probe
        for probe, over in zip(probes, until, strict=False)
        if _there(spans, probe.row.made_at, over) and not _judged(reading, probe)
    )


def _there(spans: list[tuple[datetime, datetime]], since: datetime, until: datetime | None) -> bool:
    return any(begun <= (until or last) and last >= since for begun, last in spans)


def _judged(reading: Reading, probe: AskedProbe) -> bool:
    mark = reading.marks.get(str(probe.row.pk))
    return mark is not None and mark.outcome is not None


def open_cards(viewer: Person, seat: Seat) -> list[Seat]:
    """List the other submitted cards of the application that the seal lets this viewer read."""
    return list(
        open_seats(viewer)
        .filter(interview__application=seat.interview.application_id, card_submitted_at__isnull=False, role__in=RATERS)
        .exclude(pk=seat.pk)
        .select_related("person", "interview")
        .order_by("pk")
    )
