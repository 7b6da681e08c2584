"""Writing to a candidate: the draft kept while it is edited, then one e-mail, written down."""

from __future__ import annotations

import logging
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
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
from scoring.queries.letters import draft_of, identity_of, letter_version

logger = logging.getLogger("sounding.letters")


class LetterChanged(Refused):
    """The letter was changed, or sent, in another window since this one was drawn."""


class NoAddress(Refused):
    """The candidate has no e-mail address here."""


def save_letter(*, application: Application, by: Person, body: str, language: str, version: int) -> FeedbackLetter:
    """Keep the draft. `version`: what it builds on (`letter_version`). Raises LetterChanged; then nothing has
    changed."""
    with transaction.atomic():
        letter = _save(application, by, body, language, version)
        audit.record(by, "letter.saved", application, letter=letter.pk, version=letter.version)
    return letter


def send_letter(*, application: Application, by: Person, body: str, language: str, version: int) -> FeedbackLetter:
    """Keep the draft and hand it to the mail: from here on it never changes. Raises LetterChanged, NoAddress."""
    identity = identity_of(application)
    if identity is None or not identity.email:
        raise NoAddress(_("There is no e-mail address of the candidate. Add one on their page, or send it yourself."))
    with transaction.atomic():
        letter = _save(application, by, body, language, version)
        letter.queued_at = timezone.now()
        letter.save(update_fields=["queued_at"])
        letter.text.frozen = True
        letter.text.save(update_fields=["frozen"])
        audit.record(by, "letter.queued", application, letter=letter.pk)
        enqueue("scoring.send_letter", key=f"letter:{letter.pk}", letter=letter.pk)
    return letter


def _save(application: Application, by: Person, body: str, language: str, version: int) -> FeedbackLetter:
    Application.objects.select_for_update(no_key=True).get(pk=application.pk)  # a second window waits, and is stale
    if letter_version(application) != version:
        raise _changed()
    letter = draft_of(application)
    if letter is None:
        text = text_about(application, TextKind.LETTER, body)
        return FeedbackLetter.objects.create(application=application, text=text, language=language, by=by)
    letter.version, letter.by, letter.language, letter.changed_at = letter.version + 1, by, language, timezone.now()
    letter.save(update_fields=["version", "by", "language", "changed_at"])
    rewrite(letter.text, body)
    return letter


def _changed() -> LetterChanged:
    return LetterChanged(
        _("The letter was changed or sent in another window. Your words are still here: copy them, then reload.")
    )


def deliver_letter(letter: int) -> None:
    """Send a letter that waits; one that was sent, or whose words or address were erased meanwhile, is left alone.

    A mail server that fails raises: the job is tried again later.
    """
    with transaction.atomic():
        row = (
            FeedbackLetter.objects.select_for_update(of=("self",))
            .select_related("text", "by", "application__position", "application__candidate__identity")
            .filter(pk=letter)
            .first()
        )
        if row is None:
            logger.info("letter %s is gone; nothing is sent", letter)
            return
        identity = identity_of(row.application)
        if row.sent_at or row.queued_at is None or row.text.body is None or identity is None or not identity.email:
            return
        with translation.override(row.language):
            subject = _("Your interviews with us: %(position)s") % {"position": row.application.position.title}
        mail = EmailMessage(
            subject=" ".join(subject.split()),
            body=row.text.body,
            to=[identity.email],
            reply_to=[row.by.email],
            # A worker that dies after the mail server's answer sends again: under one id, which mail programs fold.
            headers={"Message-ID": f"<letter-{row.pk}-{row.application.code}@{urlsplit(settings.SITE_URL).hostname}>"},
        )
        row.sent_at = timezone.now()
        row.save(update_fields=["sent_at"])
        audit.record(row.by, "letter.sent", row.application, letter=row.pk)
        mail.send()  # last: what was written down goes back when it fails
