"""Opening an application's judgements before all cards are in: possible, with a reason, and logged."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from interviews.enums import TextKind
from interviews.models import Application
from interviews.services.texts import text_about
from interviews.services.unsealing import note_unsealed
from people import audit
from people.models import Person
from people.refusal import Refused


class AlreadyOpen(Refused):
    """Somebody opened it before."""


def open_early(*, application: Application, by: Person, reason: str) -> None:
    """Let who is in charge and off the panel read what is in. Raises AlreadyOpen, Refused; then nothing has changed.

    The caller fetched the application with the right to it (queries.panel_page.sealed_panel_for).
    """
    if not reason.strip():
        raise Refused(_("Say why it can't wait."), field="reason")
    with transaction.atomic():
        opened = Application.objects.filter(pk=application.pk, opened_at__isnull=True).update(
            opened_at=timezone.now(), opened_by=by
        )
        if opened != 1:
            raise AlreadyOpen(_("This application was opened early before."))
        text = text_about(application, TextKind.OPENING, reason)
        audit.record(by, "application.opened_early", application, text=text.pk)
        note_unsealed(application.candidate_id)
