"""Writing and submitting an interviewer's card."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext as _

from interviews import log
from interviews.enums import TextKind
from interviews.models import Room, Seat, Stream, Text
from interviews.models.text import new_salt, text_digest
from interviews.services.unsealing import note_unsealed
from people import audit
from people.refusal import Refused
from scoring.enums import CardStatus, Recommendation
from scoring.models import Revision, Scorecard
from scoring.queries.cards import could_have_seen_others, may_submit
from scoring.queries.revisions import Draft, load_asked, load_draft
from scoring.services.copying import copy_draft
from scoring.services.panels import ask_for_panel
from scoring.services.refusal import AlreadySubmitted, CardChanged, NotYet


def save_draft(
    *, seat: Seat, version: int, summary: str, recommendation: Recommendation | None, reason: str
) -> Scorecard:
    """Keep what was typed on the card so far and return it with its new version.

    `version` is the one the form was drawn with. Raises CardChanged, AlreadySubmitted; then nothing has changed.
    """
    with transaction.atomic():
        card = locked_card(seat)
        if card.status == CardStatus.SUBMITTED:
            raise already_submitted()
        check_version(card, version, summary=summary, recommendation=recommendation, reason=reason)
        write_card(card, seat, summary=summary, recommendation=recommendation, reason=reason)
    return card


def submit_card(
    *, seat: Seat, version: int, summary: str, recommendation: Recommendation | None, reason: str
) -> Revision:
    """Hand the card in, once: copy every mark into revision 1, lock the card, and have the panel compiled.

    Raises AlreadySubmitted, CardChanged, NotYet, Refused (no summary, no recommendation, no decision without a reason).
    """
    with transaction.atomic():
        seat, card = hold(seat)
        if card.status == CardStatus.SUBMITTED or seat.card_submitted_at is not None:
            raise already_submitted()
        check_version(card, version, summary=summary, recommendation=recommendation, reason=reason)
        if not may_submit(seat):
            raise NotYet(_("There is no card to submit: the interview has not ended, or you judged nothing in it."))
        advice = check_words(summary=summary, recommendation=recommendation, reason=reason)
        write_card(card, seat, summary=summary, recommendation=advice, reason=reason)
        return _submit(card, seat)


def hold(seat: Seat) -> tuple[Seat, Scorecard]:
    """Lock what a card is made of, in the caller's transaction, and read it again: the room, the marks, the card."""
    # Reopening takes the same row: either it is done and seen by the caller, or it sees this card.
    Room.objects.select_for_update(no_key=True).get(pk=seat.interview.room_id)
    _hold_judgements(seat)
    seat = Seat.objects.select_related("interview__application__position", "person").get(pk=seat.pk)
    return seat, locked_card(seat)


def check_version(
    card: Scorecard,
    version: int,
    *,
    summary: str,
    recommendation: Recommendation | None,
    reason: str,
    amendment: str | None = None,
) -> None:
    """Raises CardChanged where something else was saved since the form was drawn.

    The same words are no change: they were saved, and the answer that said so got lost on its way.
    """
    kept = (_body(card.summary), card.recommendation or None, _body(card.reason), _body(card.amendment))
    said = (summary, recommendation, reason, _body(card.amendment) if amendment is None else amendment)
    if card.version != version and kept != said:
        raise CardChanged(_("This card was changed in another window. What you typed here is still on the page."))


def _body(text: Text | None) -> str:
    return (text.body or "") if text else ""


def check_words(*, summary: str, recommendation: Recommendation | None, reason: str) -> Recommendation:
    """Return the recommendation of a card that says all it must. Raises Refused with the field to blame."""
    if not summary.strip():
        raise Refused(_("Write a summary: two or three sentences on what you heard."), field="summary")
    if recommendation is None:
        raise Refused(_("Choose a recommendation, or “no decision” with a reason."), field="recommendation")
    if recommendation == Recommendation.NO_DECISION and not reason.strip():
        raise Refused(_("Say why there is no decision."), field="reason")
    return recommendation


def _submit(card: Scorecard, seat: Seat) -> Revision:
    after_seeing_others = could_have_seen_others(seat)
    # Two tabs that come this far at once wait for each other at this row; the second changes nothing.
    now = timezone.now()
    if Seat.objects.filter(pk=seat.pk, card_submitted_at__isnull=True).update(card_submitted_at=now) != 1:
        raise already_submitted()
    Scorecard.objects.written_by(seat).update(status=CardStatus.SUBMITTED, updated_at=now)
    revision = add_revision(card, seat, number=1, at=now, after_seeing_others=after_seeing_others)
    note_unsealed(seat.interview.application.candidate_id)
    return revision


def add_revision(
    card: Scorecard, seat: Seat, *, number: int, at: datetime, after_seeing_others: bool, amendment: Text | None = None
) -> Revision:
    """Copy the card and every mark into a revision, and have the panel compiled. In the caller's transaction."""
    revision = Revision(
        card=card,
        seat=seat,
        number=number,
        submitted_at=at,
        recommendation=card.recommendation,
        summary=_frozen(card.summary),
        reason=_frozen(card.reason),
        amendment=_frozen(amendment),
        after_seeing_others=after_seeing_others,
    )
    revision.save(force_insert=True)
    copy_draft(load_live(seat), revision)
    done = "card.submitted" if number == 1 else "card.amended"
    audit.record(seat.person, done, seat, revision=revision.pk, after_seeing_others=after_seeing_others)
    application = seat.interview.application_id
    ask_for_panel(application)
    return revision


def load_live(seat: Seat) -> Draft:
    return load_draft(seat, asked=load_asked([seat.interview_id]), voids=set())


def _hold_judgements(seat: Seat) -> None:
    """Keep the seat's marks from being written until this transaction ends.

    A judgement takes the row of its author's stream, then asks whether the card is in (interviews.log, acting). With
    that row held here, a mark is either committed before and copied, or asks after and is refused: none falls between.
    """
    room, name = seat.interview.room_id, log.mine(seat)
    Stream.objects.get_or_create(room_id=room, name=name)
    Stream.objects.select_for_update(no_key=True).get(room_id=room, name=name)


def locked_card(seat: Seat) -> Scorecard:
    card, _created = Scorecard.objects.written_by(seat).get_or_create(seat=seat)
    locked: Scorecard = (
        Scorecard.objects.written_by(seat)
        .select_related("summary", "reason", "amendment")
        .select_for_update(no_key=True, of=("self",))
        .get(pk=card.pk)
    )
    return locked


def write_card(
    card: Scorecard,
    seat: Seat,
    *,
    summary: str,
    recommendation: Recommendation | None,
    reason: str,
    amendment: str | None = None,
) -> None:
    """Write the working card and count its version up. `amendment` None: there is none to keep."""
    card.summary = _text(card.summary, seat, TextKind.SUMMARY, summary)
    card.reason = _text(card.reason, seat, TextKind.RECOMMENDATION, reason)
    if amendment is not None:
        card.amendment = _text(card.amendment, seat, TextKind.AMENDMENT, amendment)
    values: dict[str, Any] = {
        "summary": card.summary,
        "reason": card.reason,
        "amendment": card.amendment,
        "recommendation": recommendation,
        "updated_at": timezone.now(),
    }
    Scorecard.objects.written_by(seat).filter(pk=card.pk).update(version=F("version") + 1, **values)
    card.recommendation, card.updated_at, card.version = recommendation, values["updated_at"], card.version + 1


def _text(row: Text | None, seat: Seat, kind: TextKind, body: str) -> Text | None:
    if row is None:
        if not body:
            return None
        row = Text(application_id=seat.interview.application_id, author=seat, kind=kind)
    if row.body != body:
        row.write(body)
        row.save()
    return row


def _frozen(row: Text | None) -> Text | None:
    """Copy a text for a revision: the card's own may be written again in an amendment, the copy never."""
    if row is None or not row.body:
        return None
    salt = new_salt()
    return Text.objects.create(
        application_id=row.application_id,
        author_id=row.author_id,
        kind=row.kind,
        body=row.body,
        salt=salt,
        digest=text_digest(salt, row.body),
        frozen=True,
    )


def already_submitted() -> AlreadySubmitted:
    return AlreadySubmitted(_("This card is submitted. It changes only by an amendment."))
