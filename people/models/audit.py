"""Who did what, append-only: ids, enumerations and numbers, never words about a person."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class AuditEntry(models.Model):
    at = models.DateTimeField(default=timezone.now)
    actor = models.ForeignKey("people.Person", on_delete=models.PROTECT, null=True, related_name="+")
    action = models.CharField(max_length=60, help_text="object.verb, such as seat.excused")
    object_kind = models.CharField(max_length=40)
    object_id = models.CharField(max_length=40)
    data = models.JSONField(default=dict)

    class Meta:
        indexes = [models.Index(fields=["object_kind", "object_id"], name="audit_object")]

    def __str__(self) -> str:
        return f"{self.action} {self.object_kind} {self.object_id}"
