"""Reminders of cards that are owed: e-mails to their authors, each once, and of nothing but what waits for them.

Beat finds what is due (`find_due`), a row says that it was found, and an outbox job sends it. The row is locked while
it is sent, so two workers send once; a worker that dies between the mail server's answer and the commit sends again,
under the same Message-ID.
"""

from __future__ import annotations

import zoneinfo
from datetime import timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from interviews.enums import InterviewStatus
from interviews.models import Seat
from interviews.sealed import CARD_MISSING
from people.jobs import enqueue
from people.models import Person
from scoring.enums import ReminderKind
from scoring.models import Reminder

AFTER = {ReminderKind.FIRST: timedelta(hours=1), ReminderKind.LATE: timedelta(days=1)}
"""How long after the end of the interview each one is due."""
NEEDED = {
    ReminderKind.FIRST: gettext_lazy(
        "What you marked in the room is on it already; it needs a summary and a recommendation."
    ),
    ReminderKind.LATE: gettext_lazy(
        "It is fresh for a day or two only. If you can't judge, submit “no decision” with the reason. "
        "This is the last reminder."
    ),
}
TOO_OLD = timedelta(days=7)
"""What ended before that is no news any more: a site that comes back after weeks sends no heap of mail."""


def find_due() -> int:
    """Ask for every reminder that is due and was not asked for before. Return how many."""
    asked = 0
    for kind in ReminderKind:
        for seat in _due(kind):
            asked += _ask(seat, kind)
    return asked


def _owing(**conditions: object) -> QuerySet[Seat]:
    """Seats whose card is owed on an interview that has ended, and whose author can still hand it in."""
    return Seat.objects.filter(
        CARD_MISSING,
        interview__status=InterviewStatus.ENDED,
        interview__application__erased_at__isnull=True,
        person__is_active=True,
        **conditions,
    )


def _due(kind: ReminderKind) -> list[Seat]:
    now = timezone.now()
    # Who comes to the late one without the first (the worker stood still) gets the late one alone.
    later = Q(kind__in=[ReminderKind.FIRST, ReminderKind.LATE] if kind == ReminderKind.FIRST else [kind])
    told = Reminder.objects.filter(later, seat=OuterRef("pk"))
    until = now - AFTER[kind]
    since = now - (AFTER[ReminderKind.LATE] if kind == ReminderKind.FIRST else TOO_OLD)
    rows = _owing(interview__ended_at__lte=until, interview__ended_at__gt=since).filter(~Exists(told))
    return list(rows.order_by("pk")[:500])


def _ask(seat: Seat, kind: ReminderKind) -> int:
    with transaction.atomic():
        row, fresh = Reminder.objects.get_or_create(seat=seat, kind=kind)
        if fresh:
            enqueue("scoring.send_reminder", key=f"reminder:{row.pk}", reminder=row.pk)
    return int(fresh)


def send_reminder(reminder: int) -> None:
    """Send one, unless it was sent, or nothing waits any more: then the row goes, and may be made again."""
    with transaction.atomic():
        row = Reminder.objects.select_for_update().filter(pk=reminder, sent_at__isnull=True).first()
        if row is None:
            return
        seat = (
            _owing(pk=row.seat_id, interview__ended_at__lte=timezone.now() - AFTER[ReminderKind(row.kind)])
            .select_related("person", "interview__application__position")
            .first()
        )
        if seat is None or seat.person is None:
            row.delete()
            return
        _message(row, seat, seat.person).send()
        row.sent_at = timezone.now()
        row.save(update_fields=["sent_at"])


def _message(row: Reminder, seat: Seat, person: Person) -> EmailMessage:
    """In the reader's language and time zone. No candidate's name: what is sent can't be erased."""
    zone = zoneinfo.ZoneInfo(person.time_zone)
    with translation.override(person.language), timezone.override(zone):
        told = {
            "name": person.name,
            "when": date_format(timezone.localtime(seat.interview.starts_at), "Y-m-d H:i"),
            "zone": person.time_zone,
            "position": seat.interview.application.position.title,
        }
        lines = [
            _("Hello %(name)s,") % told,
            _("your scorecard for the interview of %(when)s (%(zone)s time) for “%(position)s” is not submitted yet.")
            % told,
            settings.SITE_URL + reverse("scoring:card", kwargs={"seat": seat.code}),
            str(NEEDED[ReminderKind(row.kind)]),
            "Sounding",
        ]
        subject = _("Your scorecard: %(position)s") % told
    host = urlsplit(settings.SITE_URL).hostname
    return EmailMessage(
        subject=" ".join(subject.split()),
        body="\n\n".join(lines) + "\n",
        to=[person.email],
        headers={"Message-ID": f"<card-{seat.code}-{row.kind}@{host}>", "Auto-Submitted": "auto-generated"},
    )
