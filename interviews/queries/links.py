"""Finding the candidate's seat: by the secret in a link, and afterwards by the session that joining made.

`request.session["candidate"]` is {interview code: {"seat": pk, "link": pk, "browser": uuid}}: one browser may hold
seats in several interviews of a loop.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from django.utils import timezone

from interviews.enums import InterviewStatus
from interviews.models import CandidateLink

SESSION_KEY = "candidate"


class LinkState(StrEnum):
    OPEN = "open"
    UNKNOWN = "unknown"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"
    OVER = "over"


class Browser(StrEnum):
    """What a candidate's browser is to its link: the one that joined, one that waits to be let in, or neither."""

    JOINED = "joined"
    WAITING = "waiting"
    CLOSED = "closed"


@dataclass(frozen=True, slots=True)
class CandidateSeat:
    """A candidate's right to one room. Only with `browser` JOINED does it reach further than "please wait"."""

    link: CandidateLink
    browser: Browser

    @property
    def seat_id(self) -> int:
        return self.link.seat_id


def token_hash(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _links() -> Any:
    return CandidateLink.objects.select_related(
        "seat__interview__room",
        "seat__interview__application__position",
        "seat__interview__application__candidate__identity",
    )


def find_link(token: str) -> tuple[LinkState, CandidateLink | None]:
    """Return what the link is and, if there is such a one, its row. Looking changes nothing."""
    link: CandidateLink | None = _links().filter(token_hash=token_hash(token)).first()
    return (state_of(link), link) if link else (LinkState.UNKNOWN, None)


def state_of(link: CandidateLink) -> LinkState:
    interview = link.seat.interview
    if link.revoked_at is not None or link.seat.removed_at is not None:
        return LinkState.WITHDRAWN
    if interview.status in {InterviewStatus.CANCELLED, InterviewStatus.NO_SHOW}:
        return LinkState.WITHDRAWN
    if interview.status == InterviewStatus.ENDED:
        return LinkState.OVER
    return LinkState.EXPIRED if link.expires_at <= timezone.now() else LinkState.OPEN


def entry_of(session: Mapping[str, Any], code: UUID) -> dict[str, Any] | None:
    """Return what the session holds for this interview: {"seat", "link", "browser"}, or None."""
    entries = session.get(SESSION_KEY)
    entry = entries.get(str(code)) if isinstance(entries, dict) else None
    return entry if isinstance(entry, dict) and {"seat", "link", "browser"} <= entry.keys() else None


def candidate_seat(session: Mapping[str, Any], code: UUID) -> CandidateSeat | None:
    """Return the candidate's seat that this session has in the interview, or None if it has none (any more).

    One query. An interview that has ended keeps its seat until the link expires, so that its page can say so.
    """
    entry = entry_of(session, code)
    if entry is None:
        return None
    link: CandidateLink | None = (
        _links().filter(pk=entry["link"], seat=entry["seat"], seat__interview__code=code).first()
    )
    if link is None or state_of(link) not in {LinkState.OPEN, LinkState.OVER} or link.expires_at <= timezone.now():
        return None
    return CandidateSeat(link, browser_of(link, entry["browser"]))


def browser_of(link: CandidateLink, browser: str) -> Browser:
    if str(link.browser) == browser:
        return Browser.JOINED
    return Browser.WAITING if str(link.pending_browser) == browser else Browser.CLOSED
