"""What a person can reach at all: the querysets that every page of set-up starts from."""

from __future__ import annotations

from django.db.models import Q, QuerySet

from interviews.enums import JUDGES
from interviews.models import Application, Attachment, Interview, Position, Seat
from interviews.sealed import SEATED, duty, in_charge, readable
from people.models import Person

PREPARING = JUDGES


def positions_for(viewer: Person) -> QuerySet[Position]:
    """The positions whose pages the viewer manages: administrators all, managers their own."""
    return Position.objects.filter(in_charge(viewer, ""))


def applications_for(viewer: Person) -> QuerySet[Application]:
    return Application.objects.filter(position__in=positions_for(viewer))


def interviews_managed_by(viewer: Person) -> QuerySet[Interview]:
    return Interview.objects.filter(application__position__in=positions_for(viewer))


def seats_of(viewer: Person) -> QuerySet[Seat]:
    """The viewer's own seats, also one they were replaced on if they still have to do with its card."""
    return Seat.objects.filter(SEATED, person=viewer)


def interviews_seen_by(viewer: Person) -> QuerySet[Interview]:
    """The interviews where the viewer sits, and those they manage."""
    seated = Q(pk__in=seats_of(viewer).values("interview"))
    managed = Q(application__position__in=positions_for(viewer))
    return Interview.objects.filter(seated | managed)


def timelines_for(viewer: Person) -> QuerySet[Interview]:
    """The interviews whose course the viewer may read: where they sit; where they may read what was judged; and those
    they manage, unless they still have to judge this person: what earlier interviewers asked is not for them yet.
    """
    seated = Q(pk__in=seats_of(viewer).values("interview"))
    managed = Q(application__position__in=positions_for(viewer)) & ~duty(viewer, "application__candidate")
    return Interview.objects.filter(seated | managed | readable(viewer, "application"))


def attachments_for(viewer: Person) -> QuerySet[Attachment]:
    """Files and links of the applications that the viewer manages or prepares an interview for."""
    prepared = seats_of(viewer).filter(role__in=PREPARING).values("interview__application")
    return Attachment.objects.filter(Q(application__in=applications_for(viewer)) | Q(application__in=prepared))
