"""Markings from the timeline without names: second markings and the norming set. They never enter a panel figure."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar, NoReturn

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils import timezone

from interviews.enums import Aid, Outcome
from interviews.models.text import new_salt
from interviews.sealed import SealBroken
from people.fields import enum_field, one_of
from people.models import Person
from scoring.enums import MarkingCause


class MarkingTerms(models.Model):
    """How many of a hundred applications of a position are marked a second time, and the seed they are drawn by."""

    position = models.OneToOneField("interviews.Position", on_delete=models.CASCADE, primary_key=True, related_name="+")
    percent = models.PositiveSmallIntegerField(default=5, validators=[MaxValueValidator(100)])
    seed = models.CharField(max_length=32, default=new_salt)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=models.Q(percent__lte=100), name="marking_percent_0_to_100"),
        ]

    def __str__(self) -> str:
        return f"{self.percent} % of position {self.position_id}"


class MarkingDraw(models.Model):
    """What was drawn for a closed application, once. Append-only; `number` follows from seed and application."""

    application = models.OneToOneField("interviews.Application", on_delete=models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField(help_text="0 to 9999, in hundredths of a percent")
    percent = models.PositiveSmallIntegerField(help_text="as set by then")
    seed = models.CharField(max_length=32)
    disagrees = models.BooleanField()
    cause = enum_field(MarkingCause, null=True)
    drawn_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [one_of("cause", MarkingCause, table="markingdraw", null=True)]

    def __str__(self) -> str:
        return f"{self.number} for application {self.application_id}"


class BlindMarking(models.Model):
    """One person's marking of one interview. `agreement` (scoring.rules.blind) is against the panel card `digest`."""

    code = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    interview = models.ForeignKey("interviews.Interview", on_delete=models.PROTECT, related_name="+")
    marker = models.ForeignKey("people.Person", on_delete=models.PROTECT, related_name="+")
    cause = enum_field(MarkingCause)
    requested_at = models.DateTimeField(default=timezone.now)
    version = models.PositiveIntegerField(default=0)
    submitted_at = models.DateTimeField(null=True)
    agreement = models.JSONField(null=True)
    digest = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["requested_at", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["interview", "marker"], name="blind_marking_once"),
            one_of("cause", MarkingCause, table="blindmarking"),
        ]

    def __str__(self) -> str:
        return f"marking {self.pk} of interview {self.interview_id}"


class BlindManager(models.Manager["BlindMark"]):
    """Hands out marks only to who made them: nobody else reads them, before the reveal and after it."""

    def get_queryset(self) -> NoReturn:
        raise SealBroken("Blind marks are sealed: read them with .marked_by(person).")

    def marked_by(self, person: Person) -> models.QuerySet[Any]:
        return super().get_queryset().filter(marking__marker=person)

    def unsealed_for_compiling(self) -> models.QuerySet[Any]:
        """Every row. For agreement and calibration, whose results are sealed themselves; never for a page."""
        return super().get_queryset()


class BlindMark(models.Model):
    """A mark made from the timeline without names. No words: there is nothing to say that the marks don't."""

    marking = models.ForeignKey(BlindMarking, on_delete=models.CASCADE, related_name="+")
    asked = models.ForeignKey("interviews.Asked", on_delete=models.PROTECT, related_name="+")
    outcome = enum_field(Outcome, null=True)
    aid = enum_field(Aid, null=True)
    depth = models.PositiveSmallIntegerField(null=True)
    why = models.PositiveSmallIntegerField(null=True)
    hands_on = models.PositiveSmallIntegerField(null=True)

    objects: ClassVar[BlindManager] = BlindManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["marking", "asked"], name="blind_mark_once"),
            one_of("outcome", Outcome, table="blindmark", null=True),
            one_of("aid", Aid, table="blindmark", null=True),
        ]

    def __str__(self) -> str:
        return f"{self.marking_id}: {self.asked_id}"


class NormingInterview(models.Model):
    """An interview of the norming set: everybody who had no part in it marks it, each once."""

    interview = models.OneToOneField("interviews.Interview", on_delete=models.PROTECT, related_name="+")
    added_by = models.ForeignKey("people.Person", on_delete=models.PROTECT, related_name="+")
    added_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-added_at", "-pk"]

    def __str__(self) -> str:
        return f"norming: interview {self.interview_id}"
