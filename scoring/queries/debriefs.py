"""Who sits in a debrief with which rights, and what stands in it. Everybody in it may read the submitted judgements."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.http import Http404
from django.utils import timezone

from interviews import log
from interviews.enums import Role
from interviews.models import Application, Seat
from interviews.queries.standing import HERE, Guest, Standing
from interviews.sealed import OWING, RATERS, SEATED, all_in, in_charge, open_seats, readable
from people.models import Person
from scoring.enums import DebriefPhase, VoteRound
from scoring.models import Debrief, DebriefDecision, DebriefLine, DebriefNote, DebriefSeat, DebriefVote
from scoring.queries.cards import Sealed, application_for, is_in_charge

MANAGER, RATER, SHADOW = "manager", "rater", "shadow"


def gate(application: str) -> Q:
    """The condition that a debrief may be held on the application at that path: all is in, or it was opened early."""
    prefix = f"{application}__" if application else ""
    return all_in(application) | Q(**{f"{prefix}opened_at__isnull": False})


@dataclass(frozen=True, slots=True)
class Part:
    """A seat of a debrief with its rights at this moment. `off_panel`: in charge, and no rater."""

    seat: int
    code: str
    person: Person
    debrief: Debrief
    runs: bool
    votes: bool
    off_panel: bool

    @property
    def role(self) -> str:
        return MANAGER if self.runs else RATER if self.votes else SHADOW

    @property
    def mine(self) -> str:
        """The name of the stream that only this seat hears."""
        return f"{log.MINE}:{self.code}"


def load_parts(**which: Any) -> dict[int, Part]:
    """Return the seats that may be in their debrief now, by pk; four queries however many. `which` filters seats."""
    rows = list(
        DebriefSeat.objects.filter(person__is_active=True, **which)
        .select_related("person", "debrief__application__position", "debrief__room")
        .order_by("id")
    )
    if not rows:
        return {}
    seats = DebriefSeat.objects.filter(pk__in=[row.pk for row in rows])
    hears = readable("person", "debrief__application") & gate("debrief__application")
    here = set(seats.filter(hears).values_list("pk", flat=True))
    running = set(seats.filter(in_charge("person", "debrief__application__position")).values_list("pk", flat=True))
    rated = _rated({row.person_id for row in rows}, {row.debrief.application_id for row in rows})
    return {
        row.pk: Part(
            seat=row.pk,
            code=str(row.code),
            person=row.person,
            debrief=row.debrief,
            runs=row.pk in running,
            votes=rated.get((row.debrief.application_id, row.person_id), False),
            off_panel=(row.debrief.application_id, row.person_id) not in rated,
        )
        for row in rows
        if row.pk in here
    }


def _rated(people: Iterable[int], applications: Iterable[int]) -> dict[tuple[int, int], bool]:
    """Return {(application, person): whether a card that counts is in} of those with a rating seat."""
    found: dict[tuple[int, int], bool] = {}
    rows = Seat.objects.filter(
        SEATED, person__in=list(people), role__in=RATERS, interview__application__in=list(applications)
    )
    for application, person, role, submitted in rows.values_list(
        "interview__application", "person", "role", "card_submitted_at"
    ):
        if person is not None:
            counts = role in OWING and submitted is not None
            found[application, person] = found.get((application, person), False) or counts
    return found


# --- the room ---------------------------------------------------------------------------------------------------------


def debrief_exists(code: UUID) -> bool:
    return Debrief.objects.filter(code=code).exists()


def seated(guest: Guest, code: UUID, as_candidate: bool) -> Standing | None:
    if guest.person is None or as_candidate:
        return None
    return next(iter(_standings(debrief__code=code, person=guest.person).values()), None)


def standings(seats: Iterable[int]) -> dict[int, Standing]:
    return _standings(pk__in=list(seats))


def _standings(**which: Any) -> dict[int, Standing]:
    return {
        pk: Standing(
            seat=pk,
            code=part.code,
            role=part.role,
            room=part.debrief.room_id,
            # Nobody hears less than the others, so `all` has nothing to tell.
            streams={log.PANEL: log.PANEL, log.MINE: part.mine},
            browser=None,
            over=None,
        )
        for pk, part in load_parts(**which).items()
    }


def present(rooms: Iterable[int]) -> dict[int, frozenset[str]]:
    """Return {room: codes of the seats with an open line whose page answered lately}, in one query."""
    found: dict[int, set[str]] = {room: set() for room in rooms}
    for room, code in (
        lines_open().filter(seat__debrief__room__in=list(found)).values_list("seat__debrief__room", "seat__code")
    ):
        found[room].add(str(code))
    return {room: frozenset(codes) for room, codes in found.items()}


def lines_open() -> Any:
    return DebriefLine.objects.filter(ended_at__isnull=True, seen_at__gt=timezone.now() - HERE)


# --- the page ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DebriefAccess:
    """`debrief` is the newest one, None before there is any. `runs`: the viewer is in charge."""

    application: Application
    debrief: Debrief | None
    runs: bool


def debrief_for(viewer: Person, code: UUID) -> DebriefAccess:
    """Fetch an application's debrief for somebody who may be in it.

    404 for strangers. Insiders whom the seal keeps out get 403, as does everybody before all is in or opened.
    """
    application = application_for(viewer, code)
    if not Application.objects.filter(readable(viewer, ""), gate(""), pk=application.pk).exists():
        raise Sealed
    debrief = Debrief.objects.filter(application=application).select_related("room").order_by("id").last()
    return DebriefAccess(application, debrief, runs=is_in_charge(viewer, application))


def debrief_run_by(viewer: Person, code: UUID) -> DebriefAccess:
    """The same for who may hold one: in charge of the position."""
    access = debrief_for(viewer, code)
    if not access.runs:
        raise Sealed
    return access


def part_of(viewer: Person, debrief: Debrief) -> Part:
    """Return the viewer's own seat. Raises Http404 without one: the page takes it first (services.debriefs)."""
    part = next(iter(load_parts(debrief=debrief, person=viewer).values()), None)
    if part is None:
        raise Http404
    return part


def debriefs_to_join(viewer: Person) -> list[Debrief]:
    """Return the debriefs under way that the viewer may be in, the newest first, in one query."""
    allowed = readable(viewer, "application") & gate("application")
    rows = Debrief.objects.exclude(phase=DebriefPhase.DECIDED).filter(allowed).distinct().order_by("-opened_at", "-id")
    return list(rows.select_related("application__position", "application__candidate__identity"))


@dataclass(frozen=True, slots=True)
class VoteLine:
    """One voter: what the card said when the debrief began, and the second vote, None where none was given."""

    name: str
    before: list[Any]
    after: Any

    @property
    def moved(self) -> bool:
        if self.after is None or not self.before:
            return False
        return bool(self.before[-1].recommendation != self.after.recommendation)


@dataclass(frozen=True, slots=True)
class DebriefRoom:
    """What everybody in a debrief is shown. `votes` is empty before the round is closed."""

    debrief: Debrief
    people: list[tuple[UUID, str]]
    votes: list[VoteLine]
    notes: list[Any]
    decisions: list[Any]


def load_room(debrief: Debrief) -> DebriefRoom:
    """Load a debrief as it stands now, in four queries."""
    seats = list(DebriefSeat.objects.filter(debrief=debrief).values_list("pk", "code", "person__name"))
    votes = list(DebriefVote.objects.shown_in(debrief).select_related("reason").order_by("seat", "version"))
    decided = DebriefDecision.objects.filter(debrief=debrief)
    return DebriefRoom(
        debrief=debrief,
        people=[(code, name) for _pk, code, name in seats],
        votes=_vote_lines(votes, {pk: name for pk, _code, name in seats}),
        notes=list(DebriefNote.objects.filter(seat__debrief=debrief).select_related("text", "seat__person")),
        decisions=list(decided.select_related("rationale", "seat__person").order_by("-number")),
    )


def _vote_lines(votes: Sequence[Any], names: dict[int, str]) -> list[VoteLine]:
    before: dict[int, list[Any]] = {}
    after: dict[int, Any] = {}
    for vote in votes:
        if vote.round == VoteRound.BEFORE:
            before.setdefault(vote.seat_id, []).append(vote)
        else:
            after[vote.seat_id] = vote
    return [VoteLine(names[seat], before.get(seat, []), after.get(seat)) for seat in sorted({*before, *after})]


def own_vote(part_seat: int) -> Any:
    """The seat's own second vote as last written, or None."""
    own = DebriefVote.objects.written_by(part_seat).filter(round=VoteRound.AFTER)
    return own.select_related("reason").order_by("version").last()


def cast_by(part: Part) -> list[str] | None:
    """Names of who has voted, for who is in charge and off the panel; None for everybody else."""
    if not (part.runs and part.off_panel):
        return None
    voted = DebriefVote.objects.who_voted(part.debrief)
    return list(DebriefSeat.objects.filter(pk__in=voted).order_by("id").values_list("person__name", flat=True))


def rated_seats(debrief: Debrief, people: Iterable[int]) -> list[Seat]:
    """The newest seat of each of these people whose card of the application is in, by which the ledger names them."""
    rows = Seat.objects.filter(
        interview__application=debrief.application_id,
        person__in=list(people),
        role__in=OWING,
        card_submitted_at__isnull=False,
    )
    return list({row.person_id: row for row in rows.order_by("id")}.values())


def card_voters(application: Application) -> list[Seat]:
    """Seats whose card is in and counts: who votes in a debrief."""
    return list(
        Seat.objects.filter(
            interview__application=application,
            role__in=(Role.LEAD, Role.INTERVIEWER),
            person__isnull=False,
            card_submitted_at__isnull=False,
        ).order_by("id")
    )


def cards_to_read(viewer: Person, application: Application) -> list[Seat]:
    """Others' cards that count and are open to the viewer."""
    seats = open_seats(viewer).filter(pk__in=[seat.pk for seat in card_voters(application)])
    return list(seats.exclude(person=viewer).select_related("person").order_by("id"))
