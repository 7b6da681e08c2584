"""The state of a room as its tables have it: shared by the panel, and each author's own."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from types import EllipsisType
from typing import Any
from uuid import UUID

from django.db.models import Exists, F, OuterRef

from interviews.enums import ASKERS, InterviewStatus, Role
from interviews.models import (
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
    Reason,
    Seat,
)
from interviews.queries.own_trees import edited, edits_of
from interviews.queries.pauses import pauses_of
from interviews.queries.pinned import ProbeSays, Texts, TreeSays, tree_says
from interviews.rules import Pause
from interviews.rules.notice import NOTICE


@dataclass(frozen=True, slots=True)
class Pinned:
    """A tree as this interview reads it, its minutes, whether the candidate may not know it at all, the title of its
    topic, which is all of it that the candidate is told, and the seat (pk) that is to ask it."""

    says: TreeSays
    minutes: int
    optional: bool
    topic: Texts
    asker: int | None = None


@dataclass
class RoomView:
    """The shared state of one interview, read once for a page or a batch of frames."""

    interview: Interview
    pinned: list[Pinned]
    seats: list[Seat]
    asked: list[Asked]
    candidate_name: str
    extra_percent: int = 0
    accommodations: str = ""
    pauses: list[Pause] = field(default_factory=list)

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
    """Read the shared state of the interview in this room: seven queries, whatever was asked.

    One more where the position has optional trees, and one where the lead changed the trees or asked a question of
    their own. What a process hasn't read of pinned versions yet comes on top (queries.pinned.tree_says).
    """
    interview = Interview.objects.select_related("application__position__plan", "shared_text").get(room=room)
    application = interview.application
    optional = set(application.position.optional_trees.values_list("pk", flat=True))
    optional -= set(application.lifted_trees.values_list("pk", flat=True)) if optional else set()
    # Askings before the trees: a question of the lead's own that is asked meanwhile must not lack its tree's entry.
    asked = list(Asked.objects.filter(interview=interview).select_related("by"))
    interview.has_own = interview.has_own or any(row.adhoc_id for row in asked)
    edits = edits_of(interview)
    pinned = [
        Pinned(
            says=edited(tree_says(row.version_id), edits),
            minutes=row.minutes,
            optional=tree_says(row.version_id).tree in optional,
            topic=row.version.tree.topic.title,
            asker=row.asker,
        )
        for row in PinnedTree.objects.filter(interview=interview)
        .select_related("version__tree__topic")
        .annotate(asker=F("planned__seat"))
        .order_by("position", "id")
    ]
    # A second browser with the candidate's link waits until the lead lets it in.
    second = CandidateLink.objects.filter(seat=OuterRef("pk"), revoked_at__isnull=True, pending_browser__isnull=False)
    accepted = Consent.objects.filter(seat=OuterRef("pk"), notice=NOTICE)
    seats = list(
        Seat.objects.filter(interview=interview, removed_at__isnull=True)
        .select_related("person")
        .annotate(second=Exists(second), consented=Exists(accepted))
    )
    identity = CandidateIdentity.objects.filter(candidate=application.candidate_id).first()
    return RoomView(
        interview=interview,
        pinned=pinned,
        seats=sorted(seats, key=lambda seat: (list(Role).index(Role(seat.role)), seat.pk)),
        asked=asked,
        candidate_name=identity.name if identity else "",
        extra_percent=identity.extra_time_percent if identity else 0,
        accommodations=identity.accommodations if identity else "",
        pauses=pauses_of([interview.room_id])[interview.room_id],
    )


class MineView:
    """One author's judgements in one interview, by what they are about: asked ids, tree keys; "" = the whole.

    Each kind is read when it is first asked for, in one query: a frame of a mark reads marks and nothing else. With
    `asked` only what is about that one asking (None: the whole interview) is read; boundaries always all.
    """

    def __init__(self, seat: Seat, asked: str | EllipsisType | None = ...) -> None:
        self._seat = seat
        self._about: dict[str, Any] = {} if asked is ... else {"asked": asked}

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
        rows = model.objects.written_by(self._seat).filter(**self._about).select_related("text")
        return list(rows.order_by("written_at", "id"))


def mine_view(seat: Seat, asked: str | EllipsisType | None = ...) -> MineView:
    """What this seat wrote, for its author: five queries if all of it is looked at."""
    return MineView(seat, asked)


def _by_asked(rows: Any) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {}
    for row in rows:
        if row.removed_at is None:
            found.setdefault(str(row.asked_id), []).append(row)
    return found
