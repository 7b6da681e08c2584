"""Automatic judges: a model or a test suite that rates answers from outside. Never counted among raters."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, NoReturn

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from interviews.enums import Aim
from interviews.sealed import SealBroken, readable_panel
from people.fields import enum_field, one_of
from people.models import Person
from scoring.enums import JudgeKind


class Judge(models.Model):
    """One version of an automatic judge. Another version rates otherwise, so it is another judge.

    Its token acts within the rights that `created_by` has at that moment; only the token's hash is kept. `metered`
    counts its requests since `metered_from`.
    """

    code = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    name = models.CharField(_("name"), max_length=80)
    kind = enum_field(JudgeKind)
    version = models.CharField(_("version"), max_length=40)
    created_by = models.ForeignKey("people.Person", on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    token_hash = models.CharField(max_length=64, unique=True)
    token_made_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True)
    metered_from = models.DateTimeField(default=timezone.now)
    metered = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["name", "created_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["name", "version"], name="judge_version_once"),
            one_of("kind", JudgeKind, table="judge"),
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.version}"


class JudgeTerms(models.Model):
    """Whether automatic judges' ratings count in the calibration of a position's candidates. Off unless said."""

    position = models.OneToOneField("interviews.Position", on_delete=models.CASCADE, primary_key=True, related_name="+")
    counts = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"position {self.position_id}: {self.counts}"


class JudgeBatch(models.Model):
    """Ratings that came together. Append-only; `key` is the sender's: the same key again is the same batch."""

    judge = models.ForeignKey(Judge, on_delete=models.PROTECT, related_name="+")
    key = models.CharField(max_length=80)
    digest = models.CharField(max_length=64)
    taken = models.PositiveIntegerField()
    known = models.PositiveIntegerField(help_text="ratings that had come before, word for word")
    received_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["judge", "key"], name="judge_batch_once")]

    def __str__(self) -> str:
        return f"{self.key} of judge {self.judge_id}"


class JudgedManager(models.Manager["JudgeRating"]):
    """Hands out ratings by the rule of figures over the panel: a judge's rating is nobody's own."""

    def get_queryset(self) -> NoReturn:
        raise SealBroken("Judges' ratings are sealed: read them with .visible_to(viewer).")

    def visible_to(self, viewer: Person) -> models.QuerySet[Any]:
        return super().get_queryset().filter(readable_panel(viewer, "application"))

    def unsealed_for_compiling(self) -> models.QuerySet[Any]:
        """Every row. For calibration, whose results are sealed themselves, and for taking ratings; never for a page."""
        return super().get_queryset()


class JudgeRating(models.Model):
    """A judge's rating of one answer on one dimension. Append-only; a judge rates an answer once.

    `text` is what it said about it, a Text row of the application; `rated_at` when, if it told.
    """

    batch = models.ForeignKey(JudgeBatch, on_delete=models.PROTECT, related_name="+")
    judge = models.ForeignKey(Judge, on_delete=models.PROTECT, related_name="+")
    application = models.ForeignKey("interviews.Application", on_delete=models.PROTECT, related_name="+")
    asked = models.ForeignKey("interviews.Asked", on_delete=models.PROTECT, related_name="+")
    aim = enum_field(Aim)
    rating = models.PositiveSmallIntegerField(validators=[MaxValueValidator(4)])
    text = models.ForeignKey("interviews.Text", on_delete=models.PROTECT, null=True, related_name="+")
    rated_at = models.DateTimeField(null=True)

    objects: ClassVar[JudgedManager] = JudgedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["judge", "asked", "aim"], name="judge_rating_once"),
            models.CheckConstraint(condition=models.Q(rating__lte=4), name="judge_rating_0_to_4"),
            one_of("aim", Aim, table="judgerating"),
        ]

    def __str__(self) -> str:
        return f"{self.judge_id} on {self.asked_id}"
