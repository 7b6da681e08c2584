"""Writing to a candidate: the draft kept while it is edited, then one e-mail, written down."""

from __future__ import annotations

from django.core.mail import EmailMessage
from django.db import IntegrityError, transaction
from django.utils import timezone, translation
from django.utils.translation import gettext as _

from interviews.enums import TextKind
from interviews.models import Application
from interviews.services.texts import rewrite, text_about
from people import audit
from people.jobs import enqueue
from people.models import Person
from people.refusal import Refused
from scoring.models import FeedbackLetter
from scoring.queries.letters import draft_of, identity_of


class LetterChanged(Refused):
    """The letter was changed, or sent, in another window since this one was drawn."""


class NoAddress(Refused):
    """The candidate has no e-mail address here."""


def save_letter(*, application: Application, by: Person, body: str, language: str, version: int) -> FeedbackLetter:
    """Keep the draft. `version`: the one it builds on, 0 for none. Raises LetterChanged; then nothing has changed."""
    try:
        with transaction.atomic():
            letter = _save(application, by, body, language, version)
            audit.record(by, "letter.saved", application, letter=letter.pk, version=letter.version)
    except IntegrityError:  # two windows began the first draft at once
        raise _changed() from None
    return letter


def send_letter(*, application: Application, by: Person, body: str, language: str, version: int) -> FeedbackLetter:
    """Keep the draft and hand it to the mail: from here on it never changes. Raises LetterChanged, NoAddress."""
    identity = identity_of(application)
    if identity is None or not identity.email:
        raise NoAddress(_("There is no e-mail address of the candidate. Add one on their page, or send it yourself."))
    try:
        with transaction.atomic():
            letter = _save(application, by, body, language, version)
            letter.queued_at = timezone.now()
            letter.save(update_fields=["queued_at"])
            letter.text.frozen = True
            letter.text.save(update_fields=["frozen"])
            audit.record(by, "letter.queued", application, letter=letter.pk)
            enqueue("scoring.send_letter", key=f"letter:{letter.pk}", letter=letter.pk)
    except IntegrityError:
        raise _changed() from None
    return letter


def _save(application: Application, by: Person, body: str, language: str, version: int) -> FeedbackLetter:
    letter = draft_of(application)
    if (letter.version if letter else 0) != version:
        raise _changed()
    if letter is None:
        text = text_about(application, TextKind.LETTER, body)
        return FeedbackLetter.objects.create(application=application, text=text, language=language, by=by)
    changed = FeedbackLetter.objects.filter(pk=letter.pk, version=version, queued_at__isnull=True).update(
        version=version + 1, by=by, language=language, changed_at=timezone.now()
    )
    if changed != 1:
        raise _changed()
    rewrite(letter.text, body)
    letter.version = version + 1
    return letter


def _changed() -> LetterChanged:
    return LetterChanged(
        _("The letter was changed in another window. Your words are still here: copy what you need, then reload.")
    )


def deliver_letter(letter: int) -> None:
    """Send a letter that waits; one that was sent, or whose words or address were erased meanwhile, is left alone.

    A mail server that fails raises: the job is tried again later.
    """
    with transaction.atomic():
        row = (
            FeedbackLetter.objects.select_for_update(of=("self",))
            .select_related("text", "by", "application__position", "application__candidate__identity")
            .get(pk=letter)
        )
        identity = identity_of(row.application)
        if row.sent_at or row.queued_at is None or row.text.body is None or identity is None or not identity.email:
            return
        with translation.override(row.language):
            subject = _("Your interviews with us: %(position)s") % {"position": row.application.position.title}
        mail = EmailMessage(
            subject=" ".join(subject.split()), body=row.text.body, to=[identity.email], reply_to=[row.by.email]
        )
        row.sent_at = timezone.now()
        row.save(update_fields=["sent_at"])
        audit.record(row.by, "letter.sent", row.application, letter=row.pk)
        mail.send()  # last: what was written down goes back when it fails
