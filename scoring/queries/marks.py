"""The marks of a position as rows: of the newest revision of every card that the reader may see, and of no other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from interviews.models import Position
from interviews.queries.hiring import name_of
from people.clock import iso
from people.models import Person
from people.spreadsheets import Cell
from scoring.models import Revision, RevisionMark
from scoring.queries.revisions import Voids, load_voids

HEAD = (
    "application", "candidate", "interview", "started_at_utc", "interviewer", "role", "revision", "after_seeing_others",
    "tree", "probe", "level", "kind", "aims", "scoring", "outcome", "aid", "depth", "why", "hands_on", "confidence",
    "voided", "taken_back",
)  # fmt: skip
AT_ONCE = 1000


@dataclass(frozen=True, slots=True)
class MarkTable:
    """The cards that a table of marks is of, each with its seat's application at hand; the marks are read as asked."""

    viewer: Person
    revisions: Sequence[Revision]
    voids: Voids

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """Read the marks a thousand at a time, by one query that the seal stands in too."""
        cards = {revision.pk: _of_the_card(revision) for revision in self.revisions}
        marks = RevisionMark.objects.visible_to(self.viewer).filter(revision__in=cards)
        marks = marks.select_related("asked", "tree").order_by(
            "seat__interview__application_id", "seat_id", "asked_seq"
        )
        for mark in marks.select_related("asked", "tree").iterator(AT_ONCE):
            yield (*cards[mark.revision_id], *self._of_the_mark(mark))

    def _of_the_mark(self, mark: RevisionMark) -> tuple[Cell, ...]:
        own = mark.probe_key or f"own question {mark.asked.adhoc_id}"
        return (
            mark.tree.key, own, mark.level, mark.kind, " ".join(mark.aims), mark.scoring, mark.outcome, mark.aid,
            mark.depth, mark.why, mark.hands_on, mark.confidence,
            _yes((mark.tree_id, mark.probe_key) in self.voids), _yes(mark.asked.retracted_at is not None),
        )  # fmt: skip


def load_marks(viewer: Person, position: Position) -> MarkTable:
    """Find the cards of the position that `viewer` may read; `position` was fetched with the right to it."""
    visible = Revision.objects.visible_to(viewer).filter(seat__interview__application__position=position)
    newest = visible.order_by("seat_id", "-number").distinct("seat_id")
    rows = newest.select_related("seat__person", "seat__interview__application__candidate__identity")
    return MarkTable(viewer, list(rows), set(load_voids(position.pk)))


def _of_the_card(revision: Revision) -> tuple[Cell, ...]:
    seat = revision.seat
    interview = seat.interview
    return (
        str(interview.application.code), name_of(interview.application.candidate), str(interview.code),
        iso(interview.started_at) if interview.started_at else None, seat.person.name if seat.person else None,
        seat.role, revision.number, _yes(revision.after_seeing_others),
    )  # fmt: skip


def _yes(true: bool) -> str:
    return "yes" if true else "no"
