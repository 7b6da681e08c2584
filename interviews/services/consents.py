"""What the candidate accepted being recorded: the start waits for it, and nothing is recorded before.

They accept it themselves at their link; where they have no browser, the lead reads it to them and says that they did.
"""

from __future__ import annotations

from django.utils import translation
from django.utils.translation import gettext as _

from interviews.enums import ConsentWord, Role
from interviews.models import Consent, Interview, Seat
from interviews.rules.notice import NOTICE
from interviews.services.refusal import Code, Refusal


def is_given(interview: Interview) -> bool:
    """Whether the candidate accepted today's notice for this interview, at their link or aloud."""
    return Consent.objects.filter(seat__interview=interview, notice=NOTICE).exists()


def keep_consent(seat: Seat, *, language: str) -> None:
    """Write down that the candidate accepted the notice in a language, once for each."""
    if not Consent.objects.filter(seat=seat, notice=NOTICE, language=language).exists():
        Consent.objects.create(seat=seat, notice=NOTICE, language=language)


def require_consent(interview: Interview, *, lead: Seat, word: ConsentWord | None) -> bool:
    """See that the candidate accepted what is recorded; return whether the lead's word was needed for that.

    `word` is the lead's: the candidate accepted aloud. Raises Refusal bad_field where nobody said anything.
    """
    if is_given(interview):
        return False
    if word != ConsentWord.HEARD:
        raise Refusal(
            Code.BAD_FIELD,
            _(
                "The candidate has not accepted yet what is recorded. Let them join by their link; or tell them, and "
                "start with their word."
            ),
        )
    candidate = Seat.objects.filter(interview=interview, role=Role.CANDIDATE, removed_at__isnull=True).first()
    Consent.objects.create(
        seat=candidate or lead, notice=NOTICE, language=translation.get_language() or "", heard_by=lead
    )
    return True
