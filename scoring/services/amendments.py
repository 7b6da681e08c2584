"""Amending a submitted card: a further revision with its reason. What was submitted stays as it is."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from interviews.models import Seat
from people import audit
from people.refusal import Refused
from scoring.enums import CardStatus, Recommendation
from scoring.models import Revision, Scorecard
from scoring.queries.cards import could_have_seen_others, marked_while_amending
from scoring.services.refusal import AlreadySubmitted, MarksChanged, NotYet
from scoring.services.scorecards import (
    add_revision,
    already_submitted,
    check_version,
    check_words,
    hold,
    locked_card,
    write_card,
)


def begin_amendment(*, seat: Seat) -> None:
    """Open the submitted card, and its author's marks in the room, for an amendment. Once begun it stays so.

    Raises NotYet where nothing was submitted.
    """
    with transaction.atomic():
        seat, card = hold(seat)
        if card.status != CardStatus.SUBMITTED:
            raise NotYet(_("This card is not submitted yet: it can still be changed."))
        if seat.card_amending_at is not None:
            return
        Seat.objects.filter(pk=seat.pk).update(card_amending_at=timezone.now())
        audit.record(seat.person, "card.amendment_begun", seat)


def save_amendment(
    *, seat: Seat, version: int, summary: str, recommendation: Recommendation | None, reason: str, amendment: str
) -> Scorecard:
    """Keep what was typed on the amendment so far. Raises CardChanged, AlreadySubmitted (none is begun)."""
    with transaction.atomic():
        card = locked_card(seat)  # whoever hands in or withdraws holds it until they are done
        seat = Seat.objects.select_related("interview__application").get(pk=seat.pk)
        _check_begun(seat)
        check_version(card, version, summary=summary, recommendation=recommendation, reason=reason, amendment=amendment)
        write_card(card, seat, summary=summary, recommendation=recommendation, reason=reason, amendment=amendment)
    return card


def hand_in_amendment(
    *, seat: Seat, version: int, summary: str, recommendation: Recommendation | None, reason: str, amendment: str
) -> Revision:
    """Hand the amendment in, once: the next revision, with why, and whether others could be seen by then.

    Raises AlreadySubmitted (none is begun: another window was first), CardChanged, Refused with the field to blame.
    """
    with transaction.atomic():
        seat, card = hold(seat)
        _check_begun(seat)
        check_version(card, version, summary=summary, recommendation=recommendation, reason=reason, amendment=amendment)
        if not amendment.strip():
            raise Refused(_("Say why the card is amended."), field="amendment")
        advice = check_words(summary=summary, recommendation=recommendation, reason=reason)
        write_card(card, seat, summary=summary, recommendation=advice, reason=reason, amendment=amendment)
        last = newest_revision(seat)
        after = last.after_seeing_others or could_have_seen_others(seat)
        _close(seat)
        revision = add_revision(
            card,
            seat,
            number=last.number + 1,
            at=timezone.now(),
            after_seeing_others=after,
            amendment=card.amendment,
        )
        # The next amendment has a reason of its own.
        write_card(card, seat, summary=summary, recommendation=advice, reason=reason, amendment="")
    return revision


def withdraw_amendment(*, seat: Seat) -> None:
    """Give up an amendment that changed no mark: the card reads as it was submitted.

    Raises AlreadySubmitted (none is begun), MarksChanged: what was changed in the room is told by the log, and what it
    stands for has to be handed in.
    """
    with transaction.atomic():
        seat, card = hold(seat)
        _check_begun(seat)
        if marked_while_amending(seat):
            raise MarksChanged(_("You changed marks since you began to amend. Hand the amendment in, and say why."))
        last = newest_revision(seat)
        write_card(
            card,
            seat,
            summary=(last.summary.body or "") if last.summary else "",
            recommendation=Recommendation(last.recommendation),
            reason=(last.reason.body or "") if last.reason else "",
            amendment="",
        )
        _close(seat)
        audit.record(seat.person, "card.amendment_withdrawn", seat)


def newest_revision(seat: Seat) -> Revision:
    rows = Revision.objects.written_by(seat).select_related("summary", "reason").order_by("-number")
    revision: Revision = rows[0]
    return revision


def _check_begun(seat: Seat) -> None:
    if seat.card_submitted_at is None or seat.card_amending_at is None:
        raise already_submitted() if seat.card_submitted_at else AlreadySubmitted(_("There is nothing to amend."))


def _close(seat: Seat) -> None:
    Seat.objects.filter(pk=seat.pk).update(card_amending_at=None)
