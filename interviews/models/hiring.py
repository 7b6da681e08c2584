"""Positions, candidates and applications: what is hired for, who applies, the unit of sealing and retention."""

from __future__ import annotations

import uuid

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from interviews.enums import Decision, SealingPolicy
from people.fields import enum_field, one_of


class Position(models.Model):
    code = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    title = models.CharField(_("title"), max_length=160)
    managers = models.ManyToManyField("people.Person", related_name="positions")
    plan = models.ForeignKey("questionbank.Plan", on_delete=models.PROTECT, null=True, related_name="+")
    sealing = enum_field(SealingPolicy, default=SealingPolicy.AFTER_OWN)
    retention_days = models.PositiveIntegerField(
        _("days kept after closing"), default=180, validators=[MinValueValidator(1), MaxValueValidator(3650)]
    )
    optional_trees = models.ManyToManyField("questionbank.Tree", related_name="+", blank=True)
    chat = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
    closed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [one_of("sealing", SealingPolicy, table="position")]

    def __str__(self) -> str:
        return self.title


class Candidate(models.Model):
    """A person who applies, without a name: the name is in CandidateIdentity, which anonymising deletes."""

    code = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    created_at = models.DateTimeField(default=timezone.now)
    anonymised_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"candidate {self.pk}"


class CandidateIdentity(models.Model):
    candidate = models.OneToOneField(Candidate, on_delete=models.CASCADE, primary_key=True, related_name="identity")
    name = models.CharField(_("name"), max_length=160)
    email = models.EmailField(_("e-mail"), blank=True)
    language = models.CharField(_("language"), max_length=16, default="en")
    accommodations = models.TextField(_("accommodations"), blank=True, max_length=4000)
    extra_time_percent = models.PositiveSmallIntegerField(default=0, validators=[MaxValueValidator(200)])

    def __str__(self) -> str:
        return self.name


class Application(models.Model):
    """A candidate for a position: the unit of sealing, scoring and retention."""

    code = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    position = models.ForeignKey(Position, on_delete=models.PROTECT, related_name="applications")
    candidate = models.ForeignKey(Candidate, on_delete=models.PROTECT, related_name="applications")
    created_at = models.DateTimeField(default=timezone.now)
    # The manager says that no further interview will come, so "all in" no longer waits for the scheduled ones.
    loop_closed_at = models.DateTimeField(null=True)
    loop_closed_by = models.ForeignKey("people.Person", on_delete=models.PROTECT, null=True, related_name="+")
    # Opened before all cards were in; the reason is a Text row, the entry stands in the audit log.
    opened_at = models.DateTimeField(null=True)
    opened_by = models.ForeignKey("people.Person", on_delete=models.PROTECT, null=True, related_name="+")
    lifted_trees = models.ManyToManyField("questionbank.Tree", related_name="+", blank=True)
    # What was decided last, and when: written down by the debrief, in the transaction that records it. It tells of
    # judgements, so it is shown to those only whom the seal lets read them.
    decision = enum_field(Decision, null=True)
    decided_at = models.DateTimeField(null=True)
    erased_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at"]
        constraints = [
            models.UniqueConstraint(fields=["position", "candidate"], name="application_once"),
            one_of("decision", Decision, table="application", null=True),
        ]

    def __str__(self) -> str:
        return f"application {self.pk}"


class Claim(models.Model):
    """Something the résumé claims, to be probed."""

    application = models.ForeignKey(Application, on_delete=models.CASCADE, related_name="claims")
    position = models.PositiveIntegerField(default=0)
    text = models.ForeignKey("interviews.Text", on_delete=models.CASCADE, related_name="+")

    class Meta:
        ordering = ["application_id", "position"]

    def __str__(self) -> str:
        return f"claim {self.pk}"


class Attachment(models.Model):
    """A résumé or another file, or a link, that the candidate gave. `url` and `file` exclude each other."""

    code = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    application = models.ForeignKey(Application, on_delete=models.CASCADE, related_name="attachments")
    label = models.CharField(max_length=160)
    url = models.URLField(blank=True, max_length=500)
    file = models.FileField(upload_to="attachments", blank=True)
    media_type = models.CharField(max_length=100, blank=True)
    added_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["application_id", "id"]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(url="", file__gt="") | models.Q(url__gt="", file=""), name="attachment_file_or_url"
            )
        ]

    def __str__(self) -> str:
        return self.label
