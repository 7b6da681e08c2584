"""Reads of interviews for lists and for the page of one: who, when, what is pinned. Never how anything was answered."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F, QuerySet
from django.utils import timezone

from interviews.enums import InterviewStatus, Role
from interviews.models import CandidateLink, Interview, PinnedTree, Seat, Text
from interviews.queries.chat import ChatFacts, chat_facts
from interviews.queries.hiring import name_of
from interviews.queries.pinned import ProbeSays, tree_says
from interviews.queries.reach import PREPARING, interviews_managed_by, seats_of, timelines_for
from interviews.sealed import AHEAD
from people.clock import iso
from people.fields import words_in
from people.models import AuditEntry, Person

PAST_SHOWN = 50


@dataclass(slots=True)
class Line:
    """An interview in a list, with the reader's own seat in it, if they have one."""

    interview: Interview
    name: str
    seat: Seat | None
    ends_at: datetime

    @property
    def prepares(self) -> bool:
        return self.seat is not None and self.seat.role in PREPARING and self.ahead

    @property
    def ahead(self) -> bool:
        return self.interview.status in AHEAD

    @property
    def has_card(self) -> bool:
        seat = self.seat
        return seat is not None and seat.role in PREPARING and (seat.card_owed or seat.card_submitted_at is not None)


def lines_for(viewer: Person) -> list[Line]:
    """The viewer's own interviews: those ahead by time, then those that were, newest first. Two queries."""
    seats = (
        seats_of(viewer)
        .exclude(role=Role.CANDIDATE)
        .select_related("interview__application__position", "interview__application__candidate__identity")
    )
    ahead = seats.filter(interview__status__in=AHEAD).order_by("interview__starts_at")
    past = seats.exclude(interview__status__in=AHEAD).order_by("-interview__starts_at")[:PAST_SHOWN]
    return [_line(seat.interview, seat) for seat in [*ahead, *past]]


def managed_lines(viewer: Person) -> list[Line]:
    """What is ahead in the viewer's positions, without the interviews they sit in."""
    interviews = (
        interviews_managed_by(viewer)
        .filter(status__in=AHEAD)
        .exclude(pk__in=seats_of(viewer).values("interview"))
        .select_related("application__position", "application__candidate__identity")
        .order_by("starts_at")[:PAST_SHOWN]
    )
    return [_line(interview, None) for interview in interviews]


def _line(interview: Interview, seat: Seat | None) -> Line:
    return Line(interview, name_of(interview.application.candidate), seat, ends_at(interview))


def ends_at(interview: Interview) -> datetime:
    """The planned end."""
    return interview.starts_at + timedelta(minutes=interview.minutes)


@dataclass(slots=True)
class Pinned:
    """A pinned tree, its title for a reader, and who asks it."""

    pinned: PinnedTree
    key: str
    title: str
    lang: str
    asker: Seat | None


@dataclass(frozen=True, slots=True)
class Reopened:
    """That the interview went on after an end: when, who said so, and why ("" once erased)."""

    at: datetime
    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Happened:
    """What who is in charge is told of the room: when and why it went on after an end, and that there was a chat."""

    reopened: list[Reopened] = field(default_factory=list)
    chat: ChatFacts | None = None


@dataclass(slots=True)
class InterviewPage:
    """What the page of an interview shows. For managers only: the candidate's `link`, why it was cancelled."""

    interview: Interview
    name: str
    ends_at: datetime
    seats: list[Seat]
    removed: list[Seat]
    trees: list[Pinned]
    mine: Seat | None
    managed: bool
    link: CandidateLink | None
    reason: str = ""

    @property
    def reads_probes(self) -> bool:
        """Whoever prepares or manages it. Those who only listen hear what is asked when it is asked."""
        return self.managed or (self.mine is not None and self.mine.role in PREPARING)

    @property
    def ahead(self) -> bool:
        return self.interview.status in AHEAD

    @property
    def planned_minutes(self) -> int:
        return sum(tree.pinned.minutes for tree in self.trees)

    @property
    def overfull(self) -> bool:
        """The trees were given more minutes than the interview has."""
        return self.planned_minutes > self.interview.minutes

    @property
    def late(self) -> bool:
        return self.interview.status == InterviewStatus.SCHEDULED and self.begins_before_now

    @property
    def may_be_no_show(self) -> bool:
        return self.ahead and self.begins_before_now

    @property
    def begins_before_now(self) -> bool:
        return self.interview.starts_at <= timezone.now()


def for_page(interviews: QuerySet[Interview]) -> QuerySet[Interview]:
    return interviews.select_related("application__position", "application__candidate__identity", "room")


def interview_page(viewer: Person, interview: Interview, *, managed: bool) -> InterviewPage:
    """Read an interview that the viewer reaches (from reach.interviews_seen_by, through for_page)."""
    seats = list(
        Seat.objects.filter(interview=interview)
        .select_related("person")
        .order_by(F("removed_at").asc(nulls_first=True), "pk")
    )
    sitting = [seat for seat in seats if seat.removed_at is None]
    link = None
    if managed:
        link = CandidateLink.objects.filter(seat__interview=interview, revoked_at__isnull=True).first()
    own = [seat for seat in seats if seat.person_id == viewer.pk]
    return InterviewPage(
        interview=interview,
        name=name_of(interview.application.candidate),
        ends_at=ends_at(interview),
        seats=sitting,
        removed=[seat for seat in seats if seat.removed_at is not None],
        trees=pinned_trees(interview, sitting),
        mine=own[0] if own else None,
        managed=managed,
        link=link,
        reason=_reason(interview) if managed and interview.status == InterviewStatus.CANCELLED else "",
    )


def reads_timeline(viewer: Person, page: InterviewPage) -> bool:
    """Whether there is a course of it to read, and for this reader."""
    if page.interview.started_at is None:
        return False
    return page.mine is not None or timelines_for(viewer).filter(pk=page.interview.pk).exists()


def _reason(interview: Interview) -> str:
    """Why it was cancelled; which Text holds the words is said by the audit entry."""
    entry = AuditEntry.objects.filter(
        action="interview.cancelled", object_kind="interviews.interview", object_id=str(interview.pk)
    ).first()
    text = Text.objects.filter(pk=entry.data["text"]).first() if entry else None
    return (text.body or "") if text else ""


def happened(page: InterviewPage) -> Happened:
    """Read what happened in the room, for managers only. Two queries."""
    return Happened(_reopened(page.interview), chat_facts(page.interview)) if page.managed else Happened()


def _reopened(interview: Interview) -> list[Reopened]:
    entries = AuditEntry.objects.filter(
        action="interview.reopened", object_kind="interviews.interview", object_id=str(interview.pk)
    ).select_related("actor")
    found = list(entries.order_by("pk"))
    words = dict(Text.objects.filter(pk__in=[entry.data["text"] for entry in found]).values_list("pk", "body"))
    return [
        Reopened(entry.at, entry.actor.name if entry.actor else "", words.get(entry.data["text"]) or "")
        for entry in found
    ]


def pinned_trees(interview: Interview, seats: list[Seat]) -> list[Pinned]:
    by_pk = {seat.pk: seat for seat in seats}
    rows = PinnedTree.objects.filter(interview=interview).select_related("version__tree", "planned")
    trees = []
    for row in rows.order_by("position", "pk"):
        title, lang = words_in(row.version.title)
        planned = getattr(row, "planned", None)
        trees.append(Pinned(row, row.version.tree.key, title, lang, by_pk.get(planned.seat_id) if planned else None))
    return trees


def as_json(page: InterviewPage) -> dict[str, Any]:
    """The page for programs. Codes, never row numbers; a probe is named "<tree key>/<probe key>", as on the wire."""
    interview = page.interview
    return {
        "code": str(interview.code),
        "status": interview.status,
        "shape": interview.shape,
        "starts_at": iso(interview.starts_at),
        "ends_at": iso(page.ends_at),
        "time_zone": interview.time_zone,
        "minutes": interview.minutes,
        "started_at": iso(interview.started_at) if interview.started_at else None,
        "ended_at": iso(interview.ended_at) if interview.ended_at else None,
        "meeting_link": interview.meeting_link,
        "application": str(interview.application.code),
        "position": {"code": str(interview.application.position.code), "title": interview.application.position.title},
        "candidate": {"name": page.name},
        "you": {"seat": str(page.mine.code), "role": page.mine.role} if page.mine else None,
        "seats": [
            {"code": str(seat.code), "role": seat.role, "name": seat.person.name if seat.person else page.name}
            for seat in page.seats
        ],
        "trees": _trees_json(page),
    }


def _trees_json(page: InterviewPage) -> list[dict[str, Any]]:
    trees: list[dict[str, Any]] = []
    for tree in page.trees:
        version = tree.pinned.version
        entry: dict[str, Any] = {
            "key": tree.key,
            "version": version.number,
            "title": version.title,
            "purpose": version.purpose,
            "minutes": tree.pinned.minutes,
            "asked_by": str(tree.asker.code) if tree.asker else None,
        }
        if page.reads_probes:
            entry["probes"] = [_probe_json(probe) for probe in tree_says(version.pk).probes]
        trees.append(entry)
    return trees


def _probe_json(probe: ProbeSays) -> dict[str, Any]:
    return {
        "id": probe.id,
        "parent": probe.parent or None,
        "level": probe.level,
        "kind": probe.kind,
        "aims": list(probe.aims),
        "scored": probe.scored,
        "minutes": probe.minutes,
        "title": probe.title,
        "prompt": probe.prompt,
        "on_outcomes": list(probe.outcomes),
        "heard": probe.heard,
    }
