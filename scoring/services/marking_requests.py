"""The e-mail that asks somebody to mark an interview without names. It says nothing of the interview, nor why.

Sent by a job like reminders are: a worker that dies between the mail server's answer and the commit sends again, under
the same Message-ID.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from people.jobs import enqueue
from scoring.models import BlindMarking
from scoring.queries.blind import own_markings


def ask_to_send(marking: BlindMarking) -> None:
    """Have the request sent, in the transaction that makes it."""
    enqueue("scoring.send_request", key=f"marking:{marking.pk}", marking=marking.pk)


def send_request(marking: int) -> None:
    """Send it, unless it is handed in by now, can't be read any more, or its marker has left."""
    with transaction.atomic():
        row = BlindMarking.objects.select_for_update(no_key=True, of=("self",)).select_related("marker").get(pk=marking)
        if row.marker.is_active and own_markings(row.marker).filter(pk=row.pk).exists():
            _message(row).send()


def _message(row: BlindMarking) -> EmailMessage:
    with translation.override(row.marker.language):
        lines = [
            _("Hello %(name)s,") % {"name": row.marker.name},
            _(
                "please mark an interview you had no part in, from what was asked and what was written down. "
                "No names stand there."
            ),
            settings.SITE_URL + reverse("scoring:blind-marking", kwargs={"code": row.code}),
            "Sounding",
        ]
        subject = _("An interview to mark without names")
    host = urlsplit(settings.SITE_URL).hostname
    return EmailMessage(
        subject=subject,
        body="\n\n".join(lines) + "\n",
        to=[row.marker.email],
        headers={"Message-ID": f"<marking-{row.code}@{host}>", "Auto-Submitted": "auto-generated"},
    )
