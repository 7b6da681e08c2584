"""What somebody writes for themselves before an interview: no judgement, shown to nobody else, ever."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.utils import timezone

from interviews.sealed import PrivateManager


class PreparationNote(models.Model):
    """One seat's notes for an interview to come. `version` counts the accepted writes, so that no window overwrites
    another unseen; the words are a Text of the application, so that erasing finds them."""

    seat = models.OneToOneField("interviews.Seat", on_delete=models.PROTECT, related_name="+")
    text = models.ForeignKey("interviews.Text", on_delete=models.PROTECT, related_name="+")
    version = models.PositiveIntegerField(default=1)
    written_at = models.DateTimeField(default=timezone.now)

    objects: ClassVar[PrivateManager[Any]] = PrivateManager()

    def __str__(self) -> str:
        return f"preparation note {self.pk}"
