"""Cards as the rules read them: from stored revisions, or from the live marks of a draft."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from interviews.enums import Aid, Aim, Confidence, Ended, Outcome
from interviews.models import Asked, Boundary, Evidence, Mark, Note, Reason, Seat, Void
from questionbank.enums import Scoring
from scoring.enums import Recommendation, StatementKind
from scoring.models import Revision, RevisionBoundary, RevisionMark, RevisionStatement
from scoring.rules import EndingIn, MarkIn, Ratings, RevisionIn, StatementIn

Voids = Collection[tuple[int, str]]


@dataclass(frozen=True, slots=True)
class AskedProbe:
    """What was asked, whether from the bank or the lead's own: `probe` names it within its tree."""

    row: Asked
    tree: int
    version: int
    probe: str
    key: str
    level: int
    kind: str
    aims: tuple[Aim, ...]
    scored: bool


def load_asked(interviews: Iterable[int], *, standing: bool = True) -> dict[str, AskedProbe]:
    """Return {asked: probe} of the interviews, in asked order; `standing` leaves out what was taken back. One query."""
    rows = Asked.objects.filter(interview__in=list(interviews)).select_related(
        "probe__version", "adhoc__parent__version", "adhoc__text"
    )
    if standing:
        rows = rows.filter(retracted_at__isnull=True)
    return {str(row.pk): _asked_probe(row) for row in rows}


def _asked_probe(row: Asked) -> AskedProbe:
    source: Any = row.probe or row.adhoc
    # An own question of the lead's is scored; no void can name it, since voids name probes of the bank.
    version, key, scored = (
        (row.probe.version, row.probe.key, row.probe.scoring == Scoring.SCORED)
        if row.probe
        else (source.parent.version, "", True)
    )
    return AskedProbe(
        row=row,
        tree=version.tree_id,
        version=version.pk,
        probe=key or f"adhoc:{source.pk}",
        key=key,
        level=source.level,
        kind=source.kind,
        aims=tuple(Aim(aim) for aim in source.aims),
        scored=scored,
    )


def load_voids(position: int) -> set[tuple[int, str]]:
    return set(Void.objects.filter(position=position).values_list("tree", "probe_key"))


def last_independent(**of: Any) -> dict[int, int]:
    """Return {seat: its last revision made without seeing others}, of the revisions with these properties.

    For compiling: which revisions there are, and nothing of what they say.
    """
    rows = Revision.objects.unsealed_for_compiling().filter(**of, after_seeing_others=False)
    return dict(rows.order_by("number").values_list("seat", "pk"))


# --- stored revisions -------------------------------------------------------------------------------------------------


def load_revisions(
    rows: QuerySet[Revision], *, places: Mapping[int, int], asked: Mapping[str, AskedProbe], voids: Voids
) -> dict[int, RevisionIn]:
    """Return {revision: as the rules read it}; four queries however many revisions there are.

    `rows` is already guarded. `places`: interview -> place in the loop. A mark on something taken back since is marked
    retracted.
    """
    revisions = list(rows.select_related("seat", "summary", "reason", "amendment"))
    ids = [revision.pk for revision in revisions]
    marks: dict[int, list[MarkIn]] = {pk: [] for pk in ids}
    statements: dict[int, list[StatementIn]] = {pk: [] for pk in ids}
    endings: dict[int, list[EndingIn]] = {pk: [] for pk in ids}
    place_of = {revision.pk: places[revision.seat.interview_id] for revision in revisions}
    for mark in RevisionMark.objects.unsealed_for_compiling().filter(revision__in=ids).select_related("asked"):
        marks[mark.revision_id].append(_stored_mark(mark, place_of[mark.revision_id], asked, voids))
    for row in RevisionStatement.objects.unsealed_for_compiling().filter(revision__in=ids).select_related("text"):
        statements[row.revision_id].append(
            StatementIn(row.pk, StatementKind(row.kind), _id(row.asked_id), row.type, row.aid, row.text.digest)
        )
    stored = RevisionBoundary.objects.unsealed_for_compiling().filter(revision__in=ids)
    for row in stored.select_related("override_reason"):
        endings[row.revision_id].append(_ending(row, place_of[row.revision_id]))
    return {
        revision.pk: RevisionIn(
            id=revision.pk,
            number=revision.number,
            interview=place_of[revision.pk],
            recommendation=Recommendation(revision.recommendation),
            independent=not revision.after_seeing_others,
            summary=_digest(revision.summary),
            reason=_digest(revision.reason),
            amendment=_digest(revision.amendment),
            marks=tuple(marks[revision.pk]),
            statements=tuple(statements[revision.pk]),
            endings=tuple(endings[revision.pk]),
        )
        for revision in revisions
    }


def _stored_mark(row: Any, place: int, asked: Mapping[str, AskedProbe], voids: Voids) -> MarkIn:
    adhoc = row.asked.adhoc_id
    return MarkIn(
        asked=str(row.asked_id),
        interview=place,
        order=row.asked_seq,
        tree=row.tree_id,
        probe=row.probe_key or f"adhoc:{adhoc}",
        level=row.level,
        aims=tuple(Aim(aim) for aim in row.aims),
        scored=row.scoring == Scoring.SCORED,
        retracted=str(row.asked_id) not in asked,
        voided=(row.tree_id, row.probe_key) in voids,
        **_said(row),
    )


# --- a draft's live marks ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Draft:
    """The live judgements of one seat on what stands asked: the rows to copy on submit, and how the rules read them."""

    marks: dict[str, Any]
    boundaries: list[Any]
    statements: list[tuple[StatementKind, Any]]
    revision: RevisionIn


def load_draft(seat: Seat, *, asked: Mapping[str, AskedProbe], voids: Voids) -> Draft:
    """Load what the seat itself wrote; five queries. A draft has no recommendation of its own here."""
    marks = {
        str(row.asked_id): row
        for row in Mark.objects.written_by(seat).filter(version__gt=0)
        if str(row.asked_id) in asked
    }
    boundaries = list(Boundary.objects.written_by(seat).select_related("override_reason"))
    statements: list[tuple[StatementKind, Any]] = []
    for kind, model in ((StatementKind.EVIDENCE, Evidence), (StatementKind.REASON, Reason)):
        rows = model.objects.written_by(seat).filter(removed_at__isnull=True).select_related("text").order_by("made_at")
        statements += [(kind, row) for row in rows if str(row.asked_id) in asked]
    notes = Note.objects.written_by(seat).select_related("text").order_by("made_at")
    statements += [
        (StatementKind.NOTE, row)
        for row in notes
        if row.text.body and (row.asked_id is None or str(row.asked_id) in asked)
    ]
    revision = RevisionIn(
        id=0,
        number=0,
        interview=0,
        recommendation=Recommendation.NO_DECISION,
        independent=True,
        marks=tuple(_live_mark(row, asked[key], voids) for key, row in marks.items()),
        statements=tuple(_live_statement(place, kind, row) for place, (kind, row) in enumerate(statements)),
        endings=tuple(_ending(row, 0) for row in boundaries),
    )
    return Draft(marks, boundaries, statements, revision)


def _live_mark(row: Any, probe: AskedProbe, voids: Voids) -> MarkIn:
    return MarkIn(
        asked=str(row.asked_id),
        interview=0,
        order=probe.row.seq,
        tree=probe.tree,
        probe=probe.probe,
        level=probe.level,
        aims=probe.aims,
        scored=probe.scored,
        voided=(probe.tree, probe.key) in voids,
        **_said(row),
    )


def _live_statement(place: int, kind: StatementKind, row: Any) -> StatementIn:
    note = kind == StatementKind.NOTE
    return StatementIn(
        place, kind, _id(row.asked_id), "" if note else row.type, "" if note else row.aid, row.text.digest
    )


# --- both -------------------------------------------------------------------------------------------------------------


def _said(row: Any) -> dict[str, Any]:
    """What was said of one answer, from a live mark or a stored one: their columns have the same names."""
    return {
        "outcome": Outcome(row.outcome) if row.outcome else None,
        "aid": Aid(row.aid) if row.aid else None,
        "ratings": Ratings(row.depth, row.why, row.hands_on),
        "confidence": Confidence(row.confidence) if row.confidence else None,
    }


def _ending(row: Any, place: int) -> EndingIn:
    return EndingIn(
        tree=row.tree_id,
        interview=place,
        reason=Ended(row.ended) if row.ended else None,
        override_floor=row.override_floor,
        override_ceiling=row.override_ceiling,
        override_reason=_digest(row.override_reason),
    )


def _digest(text: Any) -> str | None:
    return text.digest if text else None


def _id(asked: object) -> str | None:
    return None if asked is None else str(asked)
