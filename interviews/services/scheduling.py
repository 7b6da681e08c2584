"""Making, moving and calling off interviews."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from interviews.enums import ASKERS, InterviewStatus, Role, Shape, TextKind
from interviews.log import ALL, PANEL
from interviews.models import Application, CandidateLink, Interview, PinnedTree, PlannedSeat, Room, Seat
from interviews.rules.conduct import status_after
from interviews.services.changing import announce, lock_room, tell_rooms
from interviews.services.hiring import LoopClosed, PositionClosed
from interviews.services.invitations import issue_first_link, link_expiry, withdraw_links
from interviews.services.seating import SeatWish, check_seats
from interviews.services.texts import text_about
from interviews.services.unsealing import note_unsealed
from people import audit
from people.clock import moment
from people.models import Person
from people.refusal import Refused
from questionbank.enums import VersionState
from questionbank.models import TreeVersion

# Further off than this is a slip of the pen. A few hours back is not: people write down what has just begun.
LATEST = timedelta(days=730)
EARLIEST = timedelta(days=1)


class BadTime(Refused):
    """A start that nobody can mean."""


class BadTrees(Refused):
    """Nothing to ask, or something that can't be asked."""


class NotScheduled(Refused):
    """The interview is no longer waiting to happen."""


class MovedMeanwhile(Refused):
    """Somebody else moved the interview since the page was drawn."""


class AlreadyMade(Exception):
    """The form was sent before and made this interview; the link was shown then. Nothing to mend in the form."""

    def __init__(self, interview: Interview) -> None:
        super().__init__("made already")
        self.interview = interview


@dataclass(frozen=True, slots=True)
class When:
    """A local time in a named zone, and how long (minutes)."""

    day: date
    at: time
    zone: str
    minutes: int

    def starts_at(self) -> datetime:
        """Return the moment it starts. Raises people.clock.NoSuchTime, TimeTwice and BadTime."""
        starts = moment(self.day, self.at, self.zone)
        if starts > timezone.now() + LATEST:
            raise BadTime(_("This is more than two years away. Check the date."), field="day")
        if starts < timezone.now() - EARLIEST:
            raise BadTime(_("This is past. Check the date."), field="day")
        return starts


@dataclass(frozen=True, slots=True)
class TreeWish:
    """A version to pin, its minutes, and who asks it (None: the lead)."""

    version: TreeVersion
    minutes: int
    asker: Person | None


@dataclass(frozen=True, slots=True)
class Scheduled:
    """The interview, and the candidate's secret: only its hash is kept, so this is the one time it is known."""

    interview: Interview
    token: str


def schedule_interview(
    *,
    application: Application,
    by: Person,
    code: UUID,
    shape: Shape,
    when: When,
    seats: Sequence[SeatWish],
    trees: Sequence[TreeWish],
    meeting_link: str,
) -> Scheduled:
    """Make an interview with its room, seats, pinned trees and the candidate's link.

    `code` is the form's own and becomes the interview's: sending the form twice raises AlreadyMade. Raises also
    LoopClosed, PositionClosed, BadSeats, BadTrees, BadTime, NoSuchTime, TimeTwice.
    """
    with transaction.atomic():
        application = (
            Application.objects.select_for_update(no_key=True, of=("self",))
            .select_related("position")
            .get(pk=application.pk)
        )
        if before := Interview.objects.filter(code=code, application=application).first():
            raise AlreadyMade(before)
        if Interview.objects.filter(code=code).exists():
            raise Refused(_("This form was used for something else. Open it again."))
        _require_open(application)
        starts_at = when.starts_at()
        check_seats(seats, shape=shape)
        _check_trees(trees, seats)
        note_unsealed(application.candidate_id)  # what they could read until now, those who get a seat included
        interview = Interview.objects.create(
            code=code,
            application=application,
            # One code for both, so that either is found by the address.
            room=Room.objects.create(kind="interview", code=code),
            shape=shape,
            starts_at=starts_at,
            time_zone=when.zone,
            minutes=when.minutes,
            meeting_link=meeting_link,
        )
        seated = {wish.person.pk: _seat(interview, wish.person, wish.role) for wish in seats}
        lead = next(seat for seat in seated.values() if seat.role == Role.LEAD)
        _pin(interview, trees, seated=seated, lead=lead)
        token = issue_first_link(seat=_seat(interview, None, Role.CANDIDATE), by=by)
        audit.record(by, "interview.scheduled", interview, application=application.pk, starts=_stamp(starts_at))
    return Scheduled(interview, token)


def _require_open(application: Application) -> None:
    if application.erased_at is not None:
        raise Refused(_("What was kept about this candidate is erased; no interview can be made."))
    if application.position.closed_at is not None:
        raise PositionClosed(_("This position is closed."))
    if application.loop_closed_at is not None:
        raise LoopClosed(_("The loop is closed: no further interview was to come. Reopen it first."))


def _check_trees(trees: Sequence[TreeWish], seats: Sequence[SeatWish]) -> None:
    if not trees:
        raise BadTrees(_("Choose at least one question tree."))
    published = set(
        TreeVersion.objects.filter(
            pk__in=[wish.version.pk for wish in trees], status__state=VersionState.PUBLISHED
        ).values_list("pk", flat=True)
    )
    asking = {wish.person.pk for wish in seats if wish.role in ASKERS}
    for wish in trees:
        if wish.version.pk not in published:
            raise BadTrees(_("A chosen tree is no longer published. Open the form again."))
        if wish.asker is not None and wish.asker.pk not in asking:
            raise BadTrees(
                _("%(name)s is to ask a tree, but is neither lead nor interviewer here.") % {"name": wish.asker.name}
            )


def _seat(interview: Interview, person: Person | None, role: Role) -> Seat:
    return Seat.objects.create(interview=interview, person=person, role=role)


def _pin(interview: Interview, trees: Sequence[TreeWish], *, seated: dict[int, Seat], lead: Seat) -> None:
    for place, wish in enumerate(trees):
        pinned = PinnedTree.objects.create(
            interview=interview, version=wish.version, position=place * 10, minutes=wish.minutes
        )
        PlannedSeat.objects.create(pinned=pinned, seat=seated[wish.asker.pk] if wish.asker else lead)


def move_interview(*, interview: Interview, by: Person, when: When, meeting_link: str, seen: datetime) -> Interview:
    """Give a scheduled interview another time or meeting link; the candidate's link lives a day beyond its new end.

    `seen` is the start that the person saw: raises MovedMeanwhile if it is another one by now. Raises NotScheduled and
    what When.starts_at raises.
    """
    starts_at = when.starts_at()
    with transaction.atomic():
        lock_room(interview)
        _require(interview, "move")
        if interview.starts_at != seen:
            raise MovedMeanwhile(_("Somebody else moved this interview meanwhile. Look at the new time first."))
        interview.starts_at, interview.time_zone, interview.minutes = starts_at, when.zone, when.minutes
        interview.meeting_link = meeting_link
        interview.save(update_fields=["starts_at", "time_zone", "minutes", "meeting_link"])
        CandidateLink.objects.filter(seat__interview=interview, revoked_at__isnull=True).update(
            expires_at=link_expiry(interview)
        )
        audit.record(by, "interview.moved", interview, before=_stamp(seen), starts=_stamp(starts_at))
        tell_rooms(_seats(interview))
    return interview


def cancel_interview(*, interview: Interview, by: Person, reason: str) -> Interview:
    """Call off a scheduled interview: its links are withdrawn. Raises NotScheduled."""
    with transaction.atomic():
        lock_room(interview)
        _require(interview, "cancel")
        interview.status = InterviewStatus.CANCELLED
        interview.save(update_fields=["status"])
        withdraw_links(interview=interview)
        text = text_about(interview.application, TextKind.CHANGE, reason)
        audit.record(by, "interview.cancelled", interview, text=text.pk)
        note_unsealed(interview.application.candidate_id)
        announce(interview, "interview.cancel", ALL, PANEL)
        tell_rooms(_seats(interview))
    return interview


def mark_no_show(*, interview: Interview, by: Person, role: Role) -> Interview:
    """Say that the interview did not take place because somebody (`role`) did not come. Raises NotScheduled, BadTime.

    Also for a room that was opened and left; one in which something was asked, or of which a card is in, has taken
    place, and is ended instead.
    """
    with transaction.atomic():
        lock_room(interview)
        _require(interview, "no_show")
        if interview.starts_at > timezone.now():
            raise BadTime(_("It has not begun yet, so nobody can be missing."))
        if interview.asked.filter(retracted_at__isnull=True).exists():
            raise NotScheduled(_("Questions were asked, so it took place. Its lead ends it in the room."))
        seats = Seat.objects.filter(interview=interview)
        if seats.filter(card_submitted_at__isnull=False).exists():
            raise NotScheduled(_("A scorecard of it is in, so it took place. Its lead ends it in the room."))
        interview.status = InterviewStatus.NO_SHOW
        interview.no_show_role = role
        interview.save(update_fields=["status", "no_show_role"])
        # It may have ended before, with questions that were all taken back since: nobody has anything to hand in.
        seats.filter(card_owed=True).update(card_owed=False)
        withdraw_links(interview=interview)
        audit.record(by, "interview.no_show", interview, role=role)
        note_unsealed(interview.application.candidate_id)
        announce(interview, "interview.no_show", ALL, PANEL, role=role)
        tell_rooms(_seats(interview))
    return interview


def _require(interview: Interview, action: str) -> None:
    """Refuse what the interview's state does not allow (interviews.rules.conduct says which)."""
    status = InterviewStatus(interview.status)
    if status_after(action, status) is None:
        raise NotScheduled(
            {
                InterviewStatus.LIVE: _("The interview has begun."),
                InterviewStatus.PAUSED: _("The interview has begun."),
                InterviewStatus.ENDED: _("The interview has ended."),
                InterviewStatus.CANCELLED: _("The interview is cancelled already."),
                InterviewStatus.NO_SHOW: _("The interview is marked as not held already."),
            }[status]
        )


def _seats(interview: Interview) -> list[Seat]:
    return list(Seat.objects.filter(interview=interview, removed_at__isnull=True).select_related("interview"))


def _stamp(at: datetime) -> int:
    return int(at.timestamp())
