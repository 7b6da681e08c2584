"""Going on with an interview that had ended."""

from __future__ import annotations

from datetime import timedelta

from django.utils.translation import gettext as _

from interviews.enums import InterviewStatus, TextKind
from interviews.log import ALL, PANEL, Ack, NewEvent
from interviews.models import Seat
from interviews.services.acting import Act
from interviews.services.hands import take_down
from interviews.services.refusal import Code, Refusal
from interviews.services.texts import new_text
from interviews.services.unsealing import note_unsealed
from people import audit


def reopen_interview(act: Act, *, reason: str) -> Ack:
    """Let the interview run again, while the lead's own card is not in; the candidate is told only that it goes on.

    Cards stay as they are, submitted or owed: what was seen before the end was seen. The time in between counts for no
    tree (`stood_still`, seconds). Hands that were up at the end are down.
    """
    act.lock()
    _guard(act)
    interview = act.interview
    ended_at = interview.ended_at or act.made_at
    # After the end, so that the next one is another moment: pages compare what they have once for each.
    act.hold(ended_at + timedelta(microseconds=1))
    stood_still = round((act.made_at - ended_at).total_seconds(), 3)
    note_unsealed(interview.application.candidate_id)  # what could be read while it was over
    interview.status = InterviewStatus.LIVE
    interview.ended_at = None
    interview.ended_by_itself = False
    interview.save(update_fields=["status", "ended_at", "ended_by_itself"])
    take_down(Seat.objects.filter(interview=interview, hand_seq__isnull=False))
    text = new_text(act.seat, TextKind.CHANGE, reason)
    audit.record(act.seat.person, "interview.reopened", interview, text=text.pk)
    return act.append(
        NewEvent(ALL, "interview.reopen"),
        NewEvent(PANEL, "interview.reopen", {"reason": text.pk, "stood_still": stood_still}),
    )


def _guard(act: Act) -> None:
    try:
        act.guard("interview.reopen")
    except Refusal as refusal:
        if refusal.code == Code.SUBMITTED:  # the words of the code speak of marks
            raise Refusal(Code.SUBMITTED, _("Your scorecard is submitted, so the interview stays ended.")) from None
        raise
