"""Which applications stand behind the bank's figures."""

from __future__ import annotations

from django.db import models


class CountedApplication(models.Model):
    """A closed application that the figures of one probe, as it was worded, include from some snapshot on."""

    application = models.ForeignKey("interviews.Application", on_delete=models.CASCADE, related_name="+")
    tree = models.ForeignKey("questionbank.Tree", on_delete=models.CASCADE, related_name="+")
    probe_key = models.SlugField(max_length=80)
    content_hash = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tree", "probe_key", "content_hash", "application"], name="counted_application_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.probe_key}: application {self.application_id}"
