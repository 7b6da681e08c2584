"""The candidate's way in: a secret link for one seat, and joining by it.

Only the token's hash is kept. Opening the link changes nothing; joining binds it to one browser. Another browser with
the same link waits until the lead lets it in, and the first one is closed by that (conduct.admit_candidate).
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from interviews.log import PANEL
from interviews.models import CandidateLink, Interview, Seat
from interviews.queries.links import Browser, LinkState, browser_of, state_of, token_hash
from interviews.sealed import AHEAD
from interviews.services.changing import announce, lock_room, tell_rooms
from interviews.services.consents import keep_consent
from people import audit
from people.models import Person
from people.refusal import Refused

GRACE = timedelta(days=1)


class LinkClosed(Refused):
    """The link can't be used (any more); `state` says why."""

    def __init__(self, state: LinkState) -> None:
        super().__init__(_("This link can't be used any more."))
        self.state = state


class NoLinkNow(Refused):
    """The interview is over or called off: no link leads to it."""


@dataclass(frozen=True, slots=True)
class Joined:
    link: CandidateLink
    browser: Browser


def link_expiry(interview: Interview) -> datetime:
    """A day after the planned end."""
    return interview.starts_at + timedelta(minutes=interview.minutes) + GRACE


def issue_first_link(*, seat: Seat, by: Person) -> str:
    """Make the link of a new seat, in the caller's transaction. Return the token, which is kept nowhere."""
    token = secrets.token_urlsafe(32)
    link = CandidateLink.objects.create(
        seat=seat, token_hash=token_hash(token), issued_by=by, expires_at=link_expiry(seat.interview)
    )
    audit.record(by, "link.issued", link, interview=seat.interview_id)
    return token


def reissue_link(*, seat: Seat, by: Person) -> str:
    """Make a new link and withdraw the one before: whoever came by that is sent out. Raises NoLinkNow."""
    with transaction.atomic():
        lock_room(seat.interview)
        if seat.interview.status not in AHEAD:
            raise NoLinkNow(_("This interview is over or called off. No link can lead to it."))
        withdraw_links(interview=seat.interview, by=by)
        if link_expiry(seat.interview) <= timezone.now():
            raise NoLinkNow(_("The planned time is more than a day past. Move the interview first."))
        token = issue_first_link(seat=seat, by=by)
        _say_seat_is_empty(seat)
    return token


def revoke_link(*, seat: Seat, by: Person) -> None:
    """Withdraw the candidate's link; whoever came by it is sent out."""
    with transaction.atomic():
        lock_room(seat.interview)
        withdraw_links(interview=seat.interview, by=by)
        _say_seat_is_empty(seat)


def _say_seat_is_empty(seat: Seat) -> None:
    """Tell the panel that nobody is let in any more, and close the line of whoever was."""
    announce(seat.interview, "seats.change", PANEL, seats=[str(seat.code)])
    tell_rooms([seat])


def withdraw_links(*, interview: Interview, by: Person | None = None) -> None:
    """Revoke every open link of an interview, in the caller's transaction. The next who joins is admitted anew."""
    for link in CandidateLink.objects.filter(seat__interview=interview, revoked_at__isnull=True):
        CandidateLink.objects.filter(pk=link.pk).update(revoked_at=timezone.now())
        Seat.objects.filter(pk=link.seat_id).update(admitted_at=None)
        if by is not None:
            audit.record(by, "link.revoked", link, interview=interview.pk)


def join(*, link: CandidateLink, browser: UUID, language: str) -> Joined:
    """Record the consent and let this browser take the seat, or wait if another one has it. Raises LinkClosed."""
    with transaction.atomic():
        lock_room(link.seat.interview)
        link = (
            CandidateLink.objects.select_for_update(no_key=True, of=("self",))
            .select_related("seat__interview__application")
            .get(pk=link.pk)
        )
        if (state := state_of(link)) != LinkState.OPEN:
            raise LinkClosed(state)
        if link.browser is None:
            link.browser, link.joined_at = browser, timezone.now()
        elif link.browser != browser:
            link.pending_browser, link.pending_at = browser, timezone.now()
        link.save(update_fields=["browser", "joined_at", "pending_browser", "pending_at"])
        keep_consent(link.seat, language=language)
        second = link.pending_browser == browser
        announce(link.seat.interview, "candidate.wait", PANEL, seat=link.seat, second=second)
    return Joined(link, browser_of(link, str(browser)))
