"""Copying a draft's judgements into a revision, words included, so that the revision stands alone."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from interviews.models import Text
from interviews.models.text import new_salt, text_digest
from questionbank.enums import Scoring
from scoring.models import Revision, RevisionBoundary, RevisionMark, RevisionStatement
from scoring.queries.revisions import AskedProbe, Draft, load_asked
from scoring.queries.trees import load_trees, pinned_versions
from scoring.rules import read


def copy_draft(draft: Draft, revision: Revision) -> None:
    """Write every mark, boundary, piece of evidence, reason and note of the draft into the revision."""
    interview = revision.seat.interview
    asked = load_asked([interview.pk])
    RevisionMark.objects.written_by(revision.seat).bulk_create(
        _mark(revision, row, asked[key]) for key, row in draft.marks.items()
    )
    copies = _copied_texts(revision, [row.text for _kind, row in draft.statements])
    RevisionStatement.objects.written_by(revision.seat).bulk_create(
        RevisionStatement(
            revision=revision,
            seat=revision.seat,
            kind=kind,
            asked_id=row.asked_id,
            type=getattr(row, "type", ""),
            aid=getattr(row, "aid", ""),
            text=text,
        )
        for (kind, row), text in zip(draft.statements, copies, strict=True)
    )
    _copy_boundaries(draft, revision)


def _mark(revision: Revision, row: Any, probe: AskedProbe) -> RevisionMark:
    return RevisionMark(
        revision=revision,
        seat=revision.seat,
        asked_id=row.asked_id,
        tree_id=probe.tree,
        probe_key=probe.key,
        level=probe.level,
        kind=probe.kind,
        aims=[aim.value for aim in probe.aims],
        scoring=Scoring.SCORED if probe.scored else Scoring.TRIAL,
        asked_seq=probe.row.seq,
        outcome=row.outcome,
        aid=row.aid,
        depth=row.depth,
        why=row.why,
        hands_on=row.hands_on,
        confidence=row.confidence,
        made_at=row.made_at,
    )


def _copy_boundaries(draft: Draft, revision: Revision) -> None:
    interview = revision.seat.interview
    trees = load_trees(interview.application, [interview.pk])
    reading = read([draft.revision], trees)
    versions = pinned_versions([interview.pk])
    said = {row.tree_id: row for row in draft.boundaries}
    reasons = [said[tree].override_reason for tree in reading.boundaries if tree in said]
    written = [text for text in reasons if text is not None]
    copies = dict(zip([text.pk for text in written], _copied_texts(revision, written), strict=True))
    RevisionBoundary.objects.written_by(revision.seat).bulk_create(
        RevisionBoundary(
            revision=revision,
            seat=revision.seat,
            tree_id=tree,
            version=versions[tree],
            floor=found.floor,
            ceiling=found.ceiling,
            ended=found.reason,
            at_least=found.at_least,
            ratable=found.ratable,
            override_floor=found.override.floor if found.override else None,
            override_ceiling=found.override.ceiling if found.override else None,
            override_reason=copies.get(said[tree].override_reason_id) if tree in said else None,
        )
        for tree, found in reading.boundaries.items()
    )


def _copied_texts(revision: Revision, texts: Iterable[Text]) -> list[Text]:
    """Copy texts, frozen, each with a salt of its own; in the order given."""
    copies = []
    for text in texts:
        salt, body = new_salt(), text.body or ""
        copies.append(
            Text(
                application_id=text.application_id,
                author=revision.seat,
                kind=text.kind,
                body=body,
                salt=salt,
                digest=text_digest(salt, body),
                frozen=True,
            )
        )
    return Text.objects.bulk_create(copies)
