"""The cards of a simulated organisation, as if they had been handed in. Written only: nothing is read back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from interviews.enums import Aid, Outcome, TextKind
from interviews.models import Asked, Mark, Seat, Text
from interviews.models.text import new_salt, text_digest
from questionbank.models import Probe
from scoring.demo.simulated import Heard
from scoring.enums import CardStatus, Recommendation
from scoring.models import Revision, RevisionMark, Scorecard

AT_ONCE: Final = 1000
SUMMARY: Final = "Simulated: nobody said this."

Judged = tuple[Seat, Asked, Heard, dict[str, int]]


def write_cards(
    raters: Sequence[Seat],
    texts: Sequence[Text],
    given: dict[int, list[float]],
    marks: Sequence[Judged],
    probes: Sequence[Sequence[Probe]],
) -> None:
    """Write the cards of seats as handed in, a summary each. Nothing is read back."""
    cards = Scorecard.objects.unsealed_for_compiling().bulk_create(
        [
            Scorecard(
                seat=seat,
                status=CardStatus.SUBMITTED,
                recommendation=_recommendation(given[seat.pk]),
                summary=text,
                version=1,
                updated_at=seat.card_submitted_at or seat.added_at,
            )
            for seat, text in zip(raters, texts, strict=True)
        ],
        batch_size=AT_ONCE,
    )
    revisions = Revision.objects.unsealed_for_compiling().bulk_create(
        [
            Revision(
                card=card,
                seat=card.seat,
                number=1,
                submitted_at=card.updated_at,
                recommendation=card.recommendation,
                summary=card.summary,
            )
            for card in cards
        ],
        batch_size=AT_ONCE,
    )
    of_seat = {revision.seat_id: revision for revision in revisions}
    said = [
        (seat, asked, _said(ratings, asked.seq), probes[heard.tree][heard.question])
        for seat, asked, heard, ratings in marks
    ]
    Mark.objects.unsealed_for_compiling().bulk_create(
        [
            Mark(seat=seat, asked=asked, version=1, made_at=asked.made_at, judged_at=asked.made_at, **words)
            for seat, asked, words, _probe in said
        ],
        batch_size=AT_ONCE,
    )
    RevisionMark.objects.unsealed_for_compiling().bulk_create(
        [
            RevisionMark(
                revision=of_seat[seat.pk],
                seat=seat,
                asked=asked,
                tree_id=probe.version.tree_id,
                probe_key=probe.key,
                level=probe.level,
                kind=probe.kind,
                aims=probe.aims,
                scoring=probe.scoring,
                asked_seq=asked.seq,
                made_at=asked.made_at,
                **words,
            )
            for seat, asked, words, probe in said
        ],
        batch_size=AT_ONCE,
    )


def _said(ratings: dict[str, int], seq: int) -> dict[str, Any]:
    """A mark's words for its ratings: what was heard goes by their mean, help by what was heard."""
    mean = sum(ratings.values()) / len(ratings)
    if mean >= 2.5:
        return {**ratings, "outcome": Outcome.SUSTAINED, "aid": Aid.UNAIDED}
    if mean >= 1.5:
        return {**ratings, "outcome": Outcome.PARTIAL, "aid": Aid.CLARIFIED if seq % 2 else Aid.HINTED}
    return {**ratings, "outcome": Outcome.NOT_SUSTAINED, "aid": Aid.HINTED}


def _recommendation(ratings: Sequence[float]) -> Recommendation:
    mean = sum(ratings) / len(ratings) if ratings else 0.0
    steps = ((2.6, Recommendation.STRONG_YES), (1.9, Recommendation.YES), (1.2, Recommendation.NO))
    return next((word for least, word in steps if mean >= least), Recommendation.STRONG_NO)


def summary_of(seat: Seat, application: int) -> Text:
    salt = new_salt()
    return Text(
        application_id=application,
        author=seat,
        kind=TextKind.SUMMARY,
        body=SUMMARY,
        salt=salt,
        digest=text_digest(salt, SUMMARY),
        frozen=True,
    )
