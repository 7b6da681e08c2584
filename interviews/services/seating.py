"""Who sits where: checked when an interview is made, and changed on the day."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from interviews.enums import ASKERS, InterviewStatus, Role, Shape
from interviews.log import PANEL
from interviews.models import Interview, PinnedTree, PlannedSeat, Seat
from interviews.queries.seating import may_sit
from interviews.sealed import AHEAD
from interviews.services.changing import announce, lock_room, tell_rooms
from interviews.services.unsealing import note_unsealed
from people import audit
from people.models import Person
from people.refusal import Refused

FIELDS = {
    Role.LEAD: "lead",
    Role.INTERVIEWER: "interviewers",
    Role.SHADOW: "shadows",
    Role.OBSERVER: "observers",
}


class BadSeats(Refused):
    """These people can't sit like this."""


class SeatGone(Refused):
    """The seat was given up or replaced meanwhile, or the interview is over."""


@dataclass(frozen=True, slots=True)
class SeatWish:
    person: Person
    role: Role


def check_seats(seats: Sequence[SeatWish], *, shape: Shape) -> None:
    """Refuse what no interview can have: not exactly one lead, a person twice, people who can't take the seat."""
    leads = [wish for wish in seats if wish.role == Role.LEAD]
    if len(leads) != 1:
        raise BadSeats(_("An interview has exactly one lead."), field="lead")
    seen: set[int] = set()
    for wish in seats:
        check_person(wish.person, wish.role, field=FIELDS[wish.role])
        if wish.person.pk in seen:
            raise BadSeats(
                _("%(name)s is named twice. A person has one seat.") % {"name": wish.person.name},
                field=FIELDS[wish.role],
            )
        seen.add(wish.person.pk)
    if shape == Shape.LOOP and any(wish.role == Role.INTERVIEWER for wish in seats):
        raise BadSeats(
            _("In a loop each interviewer is alone with the candidate. Choose a panel, or make one interview each."),
            field="interviewers",
        )


def check_person(person: Person, role: Role, *, field: str) -> None:
    if not person.is_active:
        raise BadSeats(_("%(name)s's account is closed.") % {"name": person.name}, field=field)
    if not may_sit(person, role):
        raise BadSeats(
            _("%(name)s may not take this seat: their account lacks the role. An administrator can add it.")
            % {"name": person.name},
            field=field,
        )


def replace_seat(*, seat: Seat, by: Person, person: Person) -> Seat:
    """Give a seat to somebody else, also while the interview runs; what the seat's plan asks goes with it.

    What the first person wrote stays theirs. Raises SeatGone, BadSeats.
    """
    interview = seat.interview
    if seat.role == Role.CANDIDATE:
        raise BadSeats(_("The candidate's seat is not replaced. Make a new link instead."))
    with transaction.atomic():
        lock_room(interview)
        _require_open(interview)
        _require_free(interview, person)
        # The role is read under the lock: the lead may have been handed over since the page was drawn.
        current = Seat.objects.filter(pk=seat.pk, removed_at__isnull=True).first()
        if current is None:
            raise SeatGone(_("This seat was given to somebody else meanwhile."))
        check_person(person, Role(current.role), field="person")
        note_unsealed(interview.application.candidate_id)  # what the heir could read until now
        Seat.objects.filter(pk=current.pk).update(removed_at=timezone.now())
        heir = Seat.objects.create(interview=interview, person=person, role=current.role, replaces=current)
        PlannedSeat.objects.filter(seat=current).update(seat=heir)
        audit.record(by, "seat.replaced", current, interview=interview.pk, seat=heir.pk, person=person.pk)
        note_unsealed(interview.application.candidate_id)
        if heir.role == Role.LEAD:  # pages fetch the lead's controls on this, and late asks are judged by it
            announce(interview, "lead.hand_over", PANEL, lead=str(heir.code))
        else:
            announce(interview, "seats.change", PANEL, seats=[str(current.code), str(heir.code)])
        tell_rooms([_in(interview, current), heir])
    return heir


def add_seat(*, interview: Interview, by: Person, person: Person, role: Role) -> Seat:
    """Seat one more person, but no second lead. Raises SeatGone, BadSeats."""
    if role not in {Role.INTERVIEWER, Role.SHADOW, Role.OBSERVER}:
        raise BadSeats(_("An interview has exactly one lead. Replace the lead instead."), field="role")
    if role == Role.INTERVIEWER and interview.shape == Shape.LOOP:
        raise BadSeats(_("In a loop each interviewer is alone with the candidate."), field="role")
    with transaction.atomic():
        lock_room(interview)
        _require_open(interview)
        _require_free(interview, person)
        check_person(person, role, field="person")
        note_unsealed(interview.application.candidate_id)  # what they could read until now
        seat = Seat.objects.create(interview=interview, person=person, role=role)
        audit.record(by, "seat.added", seat, interview=interview.pk, person=person.pk, role=role)
        announce(interview, "seats.change", PANEL, seats=[str(seat.code)])
        tell_rooms([seat])
    return seat


def remove_seat(*, seat: Seat, by: Person) -> None:
    """Take a seat away; not the lead's, who can be replaced. Their trees go to the lead. Raises SeatGone, BadSeats."""
    interview = seat.interview
    with transaction.atomic():
        lock_room(interview)
        _require_open(interview)
        current = Seat.objects.filter(pk=seat.pk, removed_at__isnull=True).first()
        if current is None:
            raise SeatGone(_("This seat was given up meanwhile."))
        if current.role in {Role.LEAD, Role.CANDIDATE}:
            raise BadSeats(_("An interview has exactly one lead and one candidate."))
        Seat.objects.filter(pk=current.pk).update(removed_at=timezone.now())
        lead = Seat.objects.get(interview=interview, role=Role.LEAD, removed_at__isnull=True)
        PlannedSeat.objects.filter(seat=current).update(seat=lead)
        audit.record(by, "seat.removed", current, interview=interview.pk)
        note_unsealed(interview.application.candidate_id)
        announce(interview, "seats.change", PANEL, seats=[str(current.code)])
        tell_rooms([_in(interview, current)])


def share_trees(*, interview: Interview, by: Person, askers: Mapping[int, UUID]) -> Interview:
    """Say who asks which pinned tree: {PinnedTree.pk: code of a seat}. Trees not named stay as they are.

    Raises SeatGone, BadSeats.
    """
    with transaction.atomic():
        lock_room(interview)
        _require_open(interview)
        asking = Seat.objects.filter(interview=interview, removed_at__isnull=True, role__in=ASKERS)
        seats = {seat.code: seat for seat in asking}
        pinned = PinnedTree.objects.filter(interview=interview).select_related("version__tree").in_bulk()
        if not set(askers.values()) <= set(seats) or not set(askers) <= set(pinned):
            raise SeatGone(_("The seats or trees of this interview changed meanwhile. Look at them again."))
        for tree, code in askers.items():
            PlannedSeat.objects.update_or_create(pinned=pinned[tree], defaults={"seat": seats[code]})
        audit.record(by, "interview.shared_out", interview, trees=len(askers))
        keys = {row.pk: row.version.tree.key for row in pinned.values()}
        said = [{"tree": keys[tree], "seat": str(code)} for tree, code in sorted(askers.items())]
        announce(interview, "askers.change", PANEL, askers=said)
    return interview


def _require_open(interview: Interview) -> None:
    if InterviewStatus(interview.status) not in AHEAD:
        raise SeatGone(_("This interview is over; its seats no longer change."))


def _require_free(interview: Interview, person: Person) -> None:
    if Seat.objects.filter(interview=interview, person=person, removed_at__isnull=True).exists():
        raise BadSeats(_("%(name)s has a seat in this interview already.") % {"name": person.name}, field="person")


def _in(interview: Interview, seat: Seat) -> Seat:
    seat.interview = interview
    return seat
