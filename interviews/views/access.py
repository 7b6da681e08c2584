"""Authorise by fetching: a view gets its object from here or not at all.

404 for strangers, to whom it must not even exist; 403 for insiders (people with a seat there) without the right.
"""

from __future__ import annotations

from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.shortcuts import get_object_or_404

from interviews.enums import Role
from interviews.models import Application, Attachment, Interview, Position, Seat
from interviews.queries.interviews import InterviewPage, for_page, interview_page
from interviews.queries.reach import (
    applications_for,
    attachments_for,
    interviews_managed_by,
    interviews_seen_by,
    positions_for,
    seats_of,
    timelines_for,
)
from people.access import for_roles
from people.enums import PersonRole
from people.models import Person

managers = for_roles(PersonRole.MANAGER, PersonRole.ADMINISTRATOR)


def _refuse(*, insider: bool) -> Exception:
    return PermissionDenied() if insider else Http404()


def managed_position(viewer: Person, code: UUID) -> Position:
    position = positions_for(viewer).select_related("plan").filter(code=code).first()
    if position is None:
        raise _refuse(insider=seats_of(viewer).filter(interview__application__position__code=code).exists())
    return position


def managed_application(viewer: Person, code: UUID) -> Application:
    application = applications_for(viewer).select_related("position", "candidate__identity").filter(code=code).first()
    if application is None:
        raise _refuse(insider=seats_of(viewer).filter(interview__application__code=code).exists())
    return application


def managed_interview(viewer: Person, code: UUID) -> Interview:
    interview = for_page(interviews_managed_by(viewer)).filter(code=code).first()
    if interview is None:
        raise _refuse(insider=seats_of(viewer).filter(interview__code=code).exists())
    return interview


def managed_seat(viewer: Person, code: UUID) -> Seat:
    """A seat of a panel in an interview that the viewer manages. The candidate's seat has a link, and no page."""
    seat = (
        Seat.objects.filter(code=code, interview__in=interviews_managed_by(viewer))
        .exclude(role=Role.CANDIDATE)
        .select_related("person", "interview__application__position", "interview__application__candidate__identity")
        .first()
    )
    if seat is None:
        raise _refuse(insider=seats_of(viewer).filter(interview__seats__code=code).exists())
    return seat


def candidate_seat_of(interview: Interview) -> Seat:
    return get_object_or_404(
        Seat.objects.select_related("interview"), interview=interview, role=Role.CANDIDATE, removed_at__isnull=True
    )


def seen_interview(viewer: Person, code: UUID) -> InterviewPage:
    """The page of an interview where the viewer sits or that they manage."""
    managed = interviews_managed_by(viewer).values("pk")
    interview = get_object_or_404(for_page(interviews_seen_by(viewer)), code=code)
    return interview_page(viewer, interview, managed=managed.filter(pk=interview.pk).exists())


def prepared_interview(viewer: Person, code: UUID) -> InterviewPage:
    """The same for preparing: 403 for those who only listen."""
    page = seen_interview(viewer, code)
    if not page.reads_probes:
        raise PermissionDenied
    return page


def told_interview(viewer: Person, code: UUID) -> Interview:
    """An interview whose course the viewer may read. 403 for insiders of its application who may not, or not yet."""
    interview = for_page(timelines_for(viewer)).filter(code=code).first()
    if interview is None:
        managed = interviews_managed_by(viewer).filter(code=code)
        seated = seats_of(viewer).filter(interview__application__interviews__code=code)
        raise _refuse(insider=managed.exists() or seated.exists())
    return interview


def readable_attachment(viewer: Person, code: UUID) -> Attachment:
    attachment = attachments_for(viewer).filter(code=code).first()
    if attachment is None:
        raise _refuse(insider=seats_of(viewer).filter(interview__application__attachments__code=code).exists())
    return attachment
