"""Calibrations of everything that closed applications say, one for one set of ratings."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone


class CalibrationRun(models.Model):
    """A stored result. Append-only; the newest number is the one in use. Ratings that return to an earlier set make a
    run of their own, so that this stays true.

    `digest` is the SHA-256 of the ratings that went in, those of `applications`. `content` has the JSON of
    docs/calibration.md with our ids: candidates are applications, interviewers are people, items
    "<tree>/<probe>/<wording>". `held` is what re-scoring one candidate needs (scoring.calibration.kept).
    """

    number = models.PositiveIntegerField(unique=True)
    digest = models.CharField(max_length=64)
    code_version = models.CharField(max_length=40)
    applications = ArrayField(models.BigIntegerField())
    content = models.JSONField()
    held = models.BinaryField()
    ran_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["number"]

    def __str__(self) -> str:
        return f"calibration {self.number}"
