"""The state of a room as its tables have it: shared by the panel, and each author's own."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from types import EllipsisType
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef, Q, QuerySet

from interviews.enums import ASKERS, InterviewStatus, Role
from interviews.models import (
    Application,
    Asked,
    Boundary,
    CandidateIdentity,
    CandidateLink,
    Consent,
    Evidence,
    Interview,
    Mark,
    Note,
    PinnedTree,
    Position,
    Reason,
    Seat,
)
from interviews.queries.own_trees import edited, edits_of
from interviews.queries.pauses import pauses_of
from interviews.queries.pinned import ProbeSays, Texts, TreeSays, tree_says
from interviews.rules import Pause
from interviews.rules.notice import NOTICE
from people.compiled import Compiled


@dataclass(frozen=True, slots=True)
class Pinned:
    """A tree as this interview reads it, its minutes, whether the candidate may not know it at all, the title of its
    topic, which is all of it that the candidate is told, and the seat (pk) that is to ask it."""

    says: TreeSays
    minutes: int
    optional: bool
    topic: Texts
    asker: int | None = None


def _pinned_in(interview: int) -> QuerySet[PinnedTree]:
    tree = {"tree": OuterRef("version__tree")}
    optional = Position.optional_trees.through.objects.filter(
        position=OuterRef("interview__application__position"), **tree
    )
    lifted = Application.lifted_trees.through.objects.filter(application=OuterRef("interview__application"), **tree)
    return (
        PinnedTree.objects.filter(interview=interview)
        .select_related("version__tree__topic")
        .annotate(asker=F("planned__seat"), optional=Q(Exists(optional), ~Exists(lifted)))
        .order_by("position", "id")
    )


def _seats_in(interview: int) -> QuerySet[Seat]:
    # A second browser with the candidate's link waits until the lead lets it in.
    second = CandidateLink.objects.filter(seat=OuterRef("pk"), revoked_at__isnull=True, pending_browser__isnull=False)
    accepted = Consent.objects.filter(seat=OuterRef("pk"), notice=NOTICE)
    return (
        Seat.objects.filter(interview=interview, removed_at__isnull=True)
        .select_related("person")
        .annotate(second=Exists(second), consented=Exists(accepted))
    )


# What a room is read by, for every frame that its panel hears.
_interview = Compiled(
    lambda room: Interview.objects.select_related("application__position__plan", "shared_text").filter(room=room), int
)
_asked = Compiled(lambda interview: Asked.objects.filter(interview=interview).select_related("by"), int)
_pinned: Compiled[Any] = Compiled(_pinned_in, int)
_seats = Compiled(_seats_in, int)
_known_as = Compiled(lambda candidate: CandidateIdentity.objects.filter(candidate=candidate), int)


class RoomView:
    """The shared state of one interview, for a page or a batch of frames. Each part is read once, when it is asked for:
    most frames show one region, and need not know the rest of the room."""

    def __init__(self, room: int) -> None:
        self.room = room

    @cached_property
    def interview(self) -> Interview:
        return _interview.one(self.room)

    @cached_property
    def asked(self) -> list[Asked]:
        return _asked(self.interview.pk)

    @cached_property
    def pinned(self) -> list[Pinned]:
        # Askings before the trees: a question of the lead's own that is asked meanwhile must not lack its tree's entry.
        self.interview.has_own = self.interview.has_own or any(row.adhoc_id for row in self.asked)
        edits = edits_of(self.interview)
        return [
            Pinned(
                says=edited(tree_says(row.version_id), edits),
                minutes=row.minutes,
                optional=row.optional,
                topic=row.version.tree.topic.title,
                asker=row.asker,
            )
            for row in _pinned(self.interview.pk)
        ]

    @cached_property
    def seats(self) -> list[Seat]:
        return sorted(_seats(self.interview.pk), key=lambda seat: (list(Role).index(Role(seat.role)), seat.pk))

    @cached_property
    def _identity(self) -> CandidateIdentity | None:
        return next(iter(_known_as(self.interview.application.candidate_id)), None)

    @property
    def candidate_name(self) -> str:
        return self._identity.name if self._identity else ""

    @property
    def extra_percent(self) -> int:
        return self._identity.extra_time_percent if self._identity else 0

    @property
    def accommodations(self) -> str:
        return self._identity.accommodations if self._identity else ""

    @cached_property
    def pauses(self) -> list[Pause]:
        return pauses_of([self.room])[self.room]

    @cached_property
    def home(self) -> dict[int | UUID, tuple[Pinned, ProbeSays]]:
        """Where every probe stands, by its source: whatever is asked is found here."""
        return {probe.source: (pinned, probe) for pinned in self.pinned for probe in pinned.says.probes}

    @property
    def current(self) -> Asked | None:
        return next((asked for asked in self.asked if asked.pk == self.interview.current_id), None)

    @property
    def paused_at(self) -> datetime | None:
        """Since when it is paused now."""
        paused = self.interview.status == InterviewStatus.PAUSED and self.pauses
        return self.pauses[-1].since if paused and self.pauses[-1].until is None else None

    @property
    def finished_pauses(self) -> list[tuple[datetime, datetime]]:
        return [(pause.since, pause.until) for pause in self.pauses if pause.until]

    def hand_up(self, seat: Seat) -> bool:
        """Whether the seat's hand is up. Asking the probe it wished for takes it down; taking that back, up again."""
        if seat.hand_seq is None:
            return False
        wished = self.wished(seat)
        return wished is None or not any(
            asked.source == wished.source
            and asked.seq > seat.hand_seq
            and asked.retracted_at is None
            and not asked.late
            for asked in self.asked
        )

    def wished(self, seat: Seat) -> ProbeSays | None:
        """The probe that the seat would ask, if it said so."""
        return next((probe for _pinned, probe in self.home.values() if probe.id == seat.hand_probe), None)

    def asker_of(self, pinned: Pinned) -> Seat | None:
        """Who is to ask a tree, where more than one could; None where there is nobody else."""
        able = [seat for seat in self.seats if seat.role in ASKERS]
        return next((seat for seat in able if len(able) > 1 and seat.pk == pinned.asker), None)

    @property
    def lead(self) -> Seat | None:
        return next((seat for seat in self.seats if seat.role == Role.LEAD), None)


def room_view(room: int) -> RoomView:
    """The shared state of the interview in this room: six queries if all of it is looked at, whatever was asked.

    One more where the lead changed the trees or asked a question of their own. What a process hasn't read of pinned
    versions yet comes on top (queries.pinned.tree_says).
    """
    return RoomView(room)


def _statements(model: type[Any], seat: Seat) -> QuerySet[Any]:
    rows: QuerySet[Any] = model.objects.written_by(seat)
    return rows.select_related("text").order_by("written_at", "id")


_statements_on = {
    model: Compiled(lambda seat, asked, model=model: _statements(model, seat).filter(asked=asked), int, UUID)
    for model in (Evidence, Reason)
}


class MineView:
    """One author's judgements in one interview, by what they are about: asked ids, tree keys; "" = the whole.

    Each kind is read when it is first asked for, in one query: a frame of a mark reads marks and nothing else. With
    `asked` only what is about that one asking (None: the whole interview) is read; boundaries always all.
    """

    def __init__(self, seat: Seat, asked: str | EllipsisType | None = ...) -> None:
        self._seat = seat
        self._about: dict[str, Any] = {} if asked is ... else {"asked": asked}

    @classmethod
    def just_written(cls, seat: Seat, row: Mark | Note) -> MineView:
        """What the author wrote about that one asking, where this row of it need not be read."""
        about = str(row.asked_id) if row.asked_id else None
        view = cls(seat, about)
        if isinstance(row, Mark):
            view.marks = {str(row.asked_id): row}
        else:
            view.notes = {about or "": row}
        return view

    @cached_property
    def marks(self) -> dict[str, Mark]:
        return {str(mark.asked_id): mark for mark in Mark.objects.written_by(self._seat).filter(**self._about)}

    @cached_property
    def boundaries(self) -> dict[str, Boundary]:
        said = Boundary.objects.written_by(self._seat).select_related("tree", "override_reason", "asked__probe")
        return {row.tree.key: row for row in said}

    @cached_property
    def notes(self) -> dict[str, Note]:
        notes = Note.objects.written_by(self._seat).filter(**self._about).select_related("text")
        return {str(note.asked_id or ""): note for note in notes}

    @cached_property
    def evidence(self) -> dict[str, list[Evidence]]:
        return _by_asked(self._all_evidence)

    @cached_property
    def reasons(self) -> dict[str, list[Reason]]:
        return _by_asked(self._all_reasons)

    @cached_property
    def homes(self) -> dict[str, str]:
        """Statement -> its asking, of removed ones too: the event that removes one repaints the list it stood in."""
        return {str(row.pk): str(row.asked_id) for row in (*self._all_evidence, *self._all_reasons)}

    @cached_property
    def _all_evidence(self) -> list[Evidence]:
        return self._statements(Evidence)

    @cached_property
    def _all_reasons(self) -> list[Reason]:
        return self._statements(Reason)

    def _statements(self, model: type[Any]) -> list[Any]:
        if "asked" in self._about:
            return _statements_on[model](self._seat.pk, UUID(self._about["asked"]))
        return list(_statements(model, self._seat))


def mine_view(seat: Seat, asked: str | EllipsisType | None = ...) -> MineView:
    """What this seat wrote, for its author: five queries if all of it is looked at."""
    return MineView(seat, asked)


def _by_asked(rows: Any) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for row in rows:
        if row.removed_at is None:
            found.setdefault(str(row.asked_id), []).append(row)
    return found
