"""What was sent to whom about a card that is owed, so that nothing is sent twice."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from people.fields import enum_field, one_of
from scoring.enums import ReminderKind


class Reminder(models.Model):
    """One e-mail to the author of a card. `sent_at` NULL: its job is still to send it, or to find that it need not."""

    seat = models.ForeignKey("interviews.Seat", on_delete=models.CASCADE, related_name="+")
    kind = enum_field(ReminderKind)
    created_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["seat", "kind"], name="reminder_once"),
            one_of("kind", ReminderKind, table="reminder"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} to seat {self.seat_id}"
