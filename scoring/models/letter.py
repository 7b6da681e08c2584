"""Feedback letters to candidates: one draft at a time, and what was sent."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone


class FeedbackLetter(models.Model):
    """A letter about an application. Its words are a Text row, so that erasing finds them; once queued it is frozen."""

    code = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    application = models.ForeignKey("interviews.Application", on_delete=models.PROTECT, related_name="+")
    text = models.ForeignKey("interviews.Text", on_delete=models.PROTECT, related_name="+")
    language = models.CharField(max_length=16)
    version = models.PositiveIntegerField(default=1)
    by = models.ForeignKey("people.Person", on_delete=models.PROTECT, related_name="+")
    changed_at = models.DateTimeField(default=timezone.now)
    queued_at = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["application_id", "id"]
        constraints = [
            models.UniqueConstraint(
                fields=["application"], condition=models.Q(queued_at__isnull=True), name="letter_one_draft"
            ),
            models.CheckConstraint(
                condition=models.Q(sent_at__isnull=True) | models.Q(queued_at__isnull=False), name="letter_sent_queued"
            ),
        ]

    def __str__(self) -> str:
        return f"letter {self.pk} about application {self.application_id}"
