"""Which seat a guest of a room has, what it may hear, and whether that still stands."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any
from uuid import UUID

from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import OuterRef, Subquery
from django.utils import timezone

from interviews import log
from interviews.enums import InterviewStatus, Role
from interviews.models import Attendance, CandidateLink, Event, Interview, Seat
from interviews.queries.links import SESSION_KEY, Browser, candidate_seat
from people.models import Person

HERE = timedelta(seconds=20)
"""A line counts as open for so long after its page was last heard."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A seat's right to its room at this moment."""

    seat: int
    code: str
    role: str
    room: int
    streams: dict[str, str]
    browser: str | None
    over: datetime | None  # when the room's conversation ended: its pages compare what they have, once for each end
    admitted: int = (
        0  # the candidate's: the seq of `all` with which they were let in; what was told before is not theirs
    )


@dataclass(frozen=True, slots=True)
class Guest:
    """Who knocks: a signed-in person, or a browser whose session was set for a candidate's seat."""

    person: Person | None
    session_key: str | None
    candidate: dict[str, Any]


def room_exists(code: UUID) -> bool:
    return Interview.objects.filter(code=code).exists()


def seat_of(guest: Guest, code: UUID, *, as_candidate: bool) -> Seat | None:
    """The seat this guest has in the interview: the person's own, else the candidate's that the link set."""
    if guest.person is not None and not as_candidate:
        seat = Seat.objects.filter(interview__code=code, person=guest.person, removed_at__isnull=True).first()
        if seat is not None:
            return seat
    found = candidate_seat({SESSION_KEY: guest.candidate}, code)
    return found.link.seat if found is not None and found.browser == Browser.JOINED else None


# Columns and no models, one array and not a parameter for each seat: this is asked every second for every open socket.
_SEATED = """
SELECT s.id, s.code::text, s.role, s.admitted_at IS NOT NULL, i.room_id, CASE WHEN i.status = %s THEN i.ended_at END
FROM interviews_seat s JOIN interviews_interview i ON i.id = s.interview_id
LEFT JOIN people_person p ON p.id = s.person_id
WHERE s.id = ANY (%s) AND s.removed_at IS NULL AND (s.person_id IS NULL OR p.is_active)
"""


def standings(seats: Iterable[int]) -> dict[int, Standing]:
    """Return the standing of each seat that still has one, in two queries."""
    with connection.cursor() as cursor:
        cursor.execute(_SEATED, [InterviewStatus.ENDED, list(seats)])
        found = cursor.fetchall()
    candidates = [row[0] for row in found if row[2] == Role.CANDIDATE]
    admission = Event.objects.filter(room=OuterRef("seat__interview__room"), stream=log.ALL, name="candidate.admit")
    links = CandidateLink.objects.filter(
        seat__in=candidates, revoked_at__isnull=True, expires_at__gt=timezone.now()
    ).values_list("seat", "browser", Subquery(admission.order_by("-seq").values("seq")[:1]))
    joined = {seat: (str(browser), admitted or 0) for seat, browser, admitted in links} if candidates else {}
    return {
        row[0]: _standing(*row, *joined.get(row[0], (None, 0)))
        for row in found
        if row[2] != Role.CANDIDATE or row[0] in joined
    }


@lru_cache(maxsize=4096)
def _standing(
    seat: int, code: str, role: str, let_in: bool, room: int, over: datetime | None, browser: str | None, admitted: int
) -> Standing:
    """What is the same as a second ago is the same object: most of what is asked."""
    streams = _streams(role, code, admitted=let_in)
    return Standing(seat, code, role, room, streams, browser, over, admitted)


def streams_for(seat: Seat) -> dict[str, str]:
    """What a seat may hear, as {wire name: stream name}. The candidate hears nothing before being let in."""
    return _streams(seat.role, str(seat.code), admitted=seat.admitted_at is not None)


def _streams(role: str, code: str, *, admitted: bool) -> dict[str, str]:
    if role == Role.CANDIDATE:
        return {log.ALL: log.ALL} if admitted else {}
    shared = {log.ALL: log.ALL, log.PANEL: log.PANEL}
    return shared if role == Role.OBSERVER else {**shared, log.MINE: f"{log.MINE}:{code}"}


def live_sessions(keys: Iterable[str | None]) -> set[str]:
    """Return those of the sessions that still are: who signed out has none."""
    wanted = [key for key in keys if key]
    return set(Session.objects.filter(pk__in=wanted, expire_date__gt=timezone.now()).values_list("pk", flat=True))


def present(rooms: Iterable[int]) -> dict[int, frozenset[str]]:
    """Return {room: codes of the seats with an open line whose page answered lately}, in one query.

    A line whose process died is never closed: it is the answer that stays away which tells.
    """
    found: dict[int, set[str]] = {room: set() for room in rooms}
    rows = Attendance.objects.filter(
        seat__interview__room__in=list(found),
        seat__removed_at__isnull=True,
        ended_at__isnull=True,
        seen_at__gt=timezone.now() - HERE,
    )
    for room, code in rows.values_list("seat__interview__room", "seat__code"):
        found[room].add(str(code))
    return {room: frozenset(codes) for room, codes in found.items()}
