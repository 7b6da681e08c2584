"""What is said beside the seats of an interview that is being made; apps above say it (people.lifecycle)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.db.models import QuerySet

from interviews.enums import ASKERS, InterviewStatus
from interviews.models import Application, Interview, Seat
from people.fields import words_in
from people.lifecycle import pairing_for
from people.models import Person

Hints = list[tuple[str, dict[str, object]]]
GONE = (InterviewStatus.CANCELLED, InterviewStatus.NO_SHOW)


def pairing_of_application(
    application: Application, free: Iterable[Person], trees: Mapping[int, str], *, chosen: Iterable[Person] = ()
) -> Hints:
    """For another interview: beside those who met the candidate or will, and who are chosen in the form by now."""
    return _hints(Seat.objects.filter(interview__application=application), free, trees, chosen=chosen)


def pairing_of_interview(interview: Interview, free: Iterable[Person]) -> Hints:
    """For one more seat of an interview, with the trees that are pinned."""
    versions = [pinned.version for pinned in interview.pinned.select_related("version").order_by("pk")]
    trees = {version.tree_id: words_in(version.title)[0] for version in versions}
    return _hints(Seat.objects.filter(interview=interview), free, trees)


def _hints(
    seats: QuerySet[Seat], free: Iterable[Person], trees: Mapping[int, str], *, chosen: Iterable[Person] = ()
) -> Hints:
    rows = seats.filter(removed_at__isnull=True, role__in=ASKERS, person__is_active=True)
    rows = rows.exclude(interview__status__in=GONE).select_related("person").order_by("pk")
    seated = {seat.person.pk: seat.person.name for seat in rows if seat.person is not None}
    seated |= {person.pk: person.name for person in chosen}
    others = {person.pk: person.name for person in free if person.pk not in seated}
    return pairing_for(seated, others, trees)
