"""Panel scorecards: what the cards of an application add up to, one row for one set of inputs."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class PanelScorecard(models.Model):
    """A compiled result. Append-only; the newest number is the current one.

    `inputs` (ids, enumerations, numbers, salted digests of texts) reproduce `content` under `code_version`;
    `digest` is the SHA-256 of the canonical inputs. `calibration`: the run in the inputs; NULL without one.
    """

    application = models.ForeignKey("interviews.Application", on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    code_version = models.CharField(max_length=40)
    calibration = models.ForeignKey("scoring.CalibrationRun", on_delete=models.PROTECT, null=True, related_name="+")
    inputs = models.JSONField()
    content = models.JSONField()
    compiled_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["application_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["application", "number"], name="panel_number_once"),
        ]
        indexes = [models.Index(fields=["application", "digest"], name="panel_digest")]

    def __str__(self) -> str:
        return f"panel card {self.number} of application {self.application_id}"
