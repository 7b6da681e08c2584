"""Marking from the timeline without names: keep, hand in once, and compare with the panel."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from interviews.enums import Aim, Outcome, Revealed, RevealRule
from interviews.services.reveals import record
from people import audit
from people.refusal import Refused
from scoring.models import BlindMark, BlindMarking, PanelScorecard
from scoring.queries.blind import Answer, as_marks, load_answers
from scoring.queries.panel import load_inputs
from scoring.queries.revisions import load_asked
from scoring.rules import digest
from scoring.rules.blind import agreement
from scoring.services.refusal import AlreadySubmitted, CardChanged

COLUMNS = ("outcome", "aid", *(aim.value for aim in Aim))


def keep_marks(*, marking: BlindMarking, version: int, marks: Mapping[str, Mapping[str, Any]], submit: bool) -> None:
    """Keep what was marked so far, by asking; `submit` hands it in for good.

    `marks` has the columns of BlindMark. `version` is the one the page was drawn with. Raises AlreadySubmitted,
    CardChanged, Refused (an answer without an outcome); then nothing has changed.
    """
    with transaction.atomic():
        row = BlindMarking.objects.select_for_update(no_key=True).get(pk=marking.pk)
        if row.submitted_at is not None:
            raise AlreadySubmitted(_("This marking is handed in. It no longer changes."))
        if row.version != version:
            raise CardChanged(_("This marking was changed in another window; what it saved stands beside each answer."))
        answers = load_answers(marking.interview)
        if submit and any(not marks.get(answer.asked, {}).get("outcome") for answer in answers):
            raise Refused(_("Mark every answer; “not judged” is for those that can't be judged from what is written."))
        _write(marking, answers, marks)
        BlindMarking.objects.filter(pk=marking.pk).update(version=F("version") + 1)
        if submit:
            BlindMarking.objects.filter(pk=marking.pk).update(submitted_at=timezone.now())
            compare(marking)
            audit.record(marking.marker, "marking.submitted", marking)


def _write(marking: BlindMarking, answers: list[Answer], marks: Mapping[str, Mapping[str, Any]]) -> None:
    rows = [
        BlindMark(marking=marking, asked_id=answer.asked, **_said(answer, marks[answer.asked]))
        for answer in answers
        if answer.asked in marks
    ]
    BlindMark.objects.unsealed_for_compiling().bulk_create(
        rows, update_conflicts=True, unique_fields=["marking", "asked"], update_fields=list(COLUMNS)
    )


def _said(answer: Answer, mark: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a mark; aims that the probe does not have are not rated, nor is what was not judged."""
    rated = answer.probe.aims if mark.get("outcome") != Outcome.NOT_JUDGED else ()
    aims: dict[str, Any] = {aim.value: mark.get(aim.value) if aim in rated else None for aim in Aim}
    return {"outcome": mark.get("outcome") or None, "aid": mark.get("aid") or None, **aims}


def compare(marking: BlindMarking) -> None:
    """Write down how the marking agrees with the panel as it stands."""
    interview = marking.interview
    asked = load_asked([interview.pk])
    marks = BlindMark.objects.unsealed_for_compiling().filter(marking=marking)
    inputs = load_inputs(interview.application_id)
    found = agreement(as_marks({str(row.asked_id): row for row in marks}, asked), inputs)
    BlindMarking.objects.filter(pk=marking.pk).update(agreement=found, digest=digest(inputs))


def compare_again() -> int:
    """Compare anew where the panel has moved since, by an amendment or a void. Return how many."""
    newest = dict(
        PanelScorecard.objects.order_by("application", "number").values_list("application", "digest")
    )  # the last of each stays
    handed_in = BlindMarking.objects.filter(submitted_at__isnull=False, interview__application__erased_at__isnull=True)
    moved = [
        row
        for row in handed_in.select_related("interview__application")
        if newest.get(row.interview.application_id, row.digest) != row.digest
    ]
    for row in moved:
        compare(row)
    return len(moved)


def open_timeline(marking: BlindMarking) -> None:
    """Write into the ledger that the marker read what was written down of this application, without names.

    Whoever has read it marks no card of this person independently any more.
    """
    application = marking.interview.application
    record(application, [(marking.marker_id, None)], what=Revealed.TIMELINE, rule=RevealRule.ALL_IN)
