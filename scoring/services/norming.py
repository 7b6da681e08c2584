"""The norming set: interviews that everybody marks who had no part in them."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from interviews.models import Application, Interview
from interviews.sealed import all_in
from people import audit
from people.models import Person
from people.refusal import Refused
from scoring.enums import MarkingCause
from scoring.models import BlindMarking, NormingInterview
from scoring.queries.blind import free_markers, markable_interviews


def add_to_norming_set(*, interview: Interview, by: Person) -> NormingInterview:
    """Let everybody mark a held interview whose judgements are all in. Added again, it is open again.

    Raises Refused; then nothing has changed. The caller fetched the interview with the right to it.
    """
    application = interview.application_id
    closed = Application.objects.filter(all_in(""), pk=application, erased_at__isnull=True).exists()
    if not closed or not markable_interviews().filter(pk=interview.pk).exists():
        raise Refused(_("Choose an interview that was held and whose cards are all in."), field="interview")
    with transaction.atomic():
        row, made = NormingInterview.objects.get_or_create(interview=interview, defaults={"added_by": by})
        if made or row.closed_at is not None:
            NormingInterview.objects.filter(pk=row.pk).update(closed_at=None)
            audit.record(by, "norming.added", interview)
    row.closed_at = None
    return row


def take_from_norming_set(*, interview: Interview, by: Person) -> None:
    """Let nobody begin to mark it any more. What was marked stays."""
    taken = NormingInterview.objects.filter(interview=interview, closed_at__isnull=True)
    with transaction.atomic():
        if taken.update(closed_at=timezone.now()):
            audit.record(by, "norming.taken", interview)


def begin_norming(*, norming: NormingInterview, by: Person) -> BlindMarking:
    """Return the person's marking of an interview of the set, made the first time. Raises Refused.

    Somebody who was asked for a second marking of the same interview has that one.
    """
    known = BlindMarking.objects.filter(interview=norming.interview, marker=by).first()
    if known is not None:
        return known
    application = norming.interview.application
    closed = Application.objects.filter(all_in(""), pk=application.pk, erased_at__isnull=True).exists()
    if norming.closed_at is not None or not closed or by not in free_markers(application):
        raise Refused(_("This interview can't be marked now."))
    marking, _made = BlindMarking.objects.get_or_create(
        interview=norming.interview, marker=by, defaults={"cause": MarkingCause.NORMING}
    )
    return marking
