"""Interviewers' scorecards: the working card, and its revisions, which never change once submitted."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import models
from django.utils import timezone

from interviews.enums import Aid, Confidence, Ended, Outcome, ProbeKind
from interviews.sealed import LiveManager, SealedManager
from people.fields import enum_array, enum_field, one_of
from questionbank.enums import Aim, Scoring
from scoring.enums import CardStatus, Recommendation, StatementKind


class Scorecard(models.Model):
    """One seat's card. Dimension values are never typed in or stored here: they are read from the marks."""

    seat = models.OneToOneField("interviews.Seat", on_delete=models.PROTECT, related_name="+")
    status = enum_field(CardStatus, default=CardStatus.DRAFT)
    recommendation = enum_field(Recommendation, null=True)
    summary = models.ForeignKey("interviews.Text", on_delete=models.PROTECT, null=True, related_name="+")
    reason = models.ForeignKey("interviews.Text", on_delete=models.PROTECT, null=True, related_name="+")
    # Why it is amended, while it is being written; what was handed in is in the revision.
    amendment = models.ForeignKey("interviews.Text", on_delete=models.PROTECT, null=True, related_name="+")
    version = models.PositiveIntegerField(default=0)
    updated_at = models.DateTimeField(default=timezone.now)

    objects: ClassVar[LiveManager[Any]] = LiveManager()

    class Meta:
        constraints = [
            one_of("status", CardStatus, table="scorecard"),
            one_of("recommendation", Recommendation, table="scorecard", null=True),
        ]

    def __str__(self) -> str:
        return f"card {self.pk}"


class Revision(models.Model):
    """What was submitted, whole and for ever. Number 1 is the submission, later ones are amendments."""

    card = models.ForeignKey(Scorecard, on_delete=models.PROTECT, related_name="+")
    seat = models.ForeignKey("interviews.Seat", on_delete=models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField()
    submitted_at = models.DateTimeField(default=timezone.now)
    recommendation = enum_field(Recommendation)
    summary = models.ForeignKey("interviews.Text", on_delete=models.PROTECT, null=True, related_name="+")
    reason = models.ForeignKey("interviews.Text", on_delete=models.PROTECT, null=True, related_name="+")
    amendment = models.ForeignKey("interviews.Text", on_delete=models.PROTECT, null=True, related_name="+")
    # True when others' judgements could be seen by the author: kept, not among the three, not in calibration.
    after_seeing_others = models.BooleanField(default=False)

    objects: ClassVar[SealedManager[Any]] = SealedManager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["card", "number"], name="revision_number_once"),
            one_of("recommendation", Recommendation, table="revision"),
            models.CheckConstraint(
                condition=models.Q(number=1) | models.Q(amendment__isnull=False), name="revision_amendment_has_reason"
            ),
        ]

    def __str__(self) -> str:
        return f"revision {self.number} of card {self.card_id}"


class RevisionPart(models.Model):
    """A row that belongs to a revision and is sealed with it (`seat` repeats the revision's)."""

    revision = models.ForeignKey(Revision, on_delete=models.PROTECT, related_name="+")
    seat = models.ForeignKey("interviews.Seat", on_delete=models.PROTECT, related_name="+")

    class Meta:
        abstract = True


class RevisionMark(RevisionPart):
    """A mark as it stood at submission, with what the probe was, so that it can be read without the room."""

    asked = models.ForeignKey("interviews.Asked", on_delete=models.PROTECT, related_name="+")
    tree = models.ForeignKey("questionbank.Tree", on_delete=models.PROTECT, related_name="+")
    probe_key = models.SlugField(max_length=80, blank=True, help_text="blank = an own question of the lead")
    level = models.PositiveSmallIntegerField()
    kind = enum_field(ProbeKind)
    aims = enum_array(Aim)
    scoring = enum_field(Scoring)
    asked_seq = models.PositiveBigIntegerField()
    outcome = enum_field(Outcome, null=True)
    aid = enum_field(Aid, null=True)
    depth = models.PositiveSmallIntegerField(null=True)
    why = models.PositiveSmallIntegerField(null=True)
    hands_on = models.PositiveSmallIntegerField(null=True)
    confidence = enum_field(Confidence, null=True)
    made_at = models.DateTimeField()

    objects: ClassVar[SealedManager[Any]] = SealedManager()

    class Meta:
        ordering = ["revision_id", "asked_seq"]
        constraints = [models.UniqueConstraint(fields=["revision", "asked"], name="revision_mark_once")]

    def __str__(self) -> str:
        return f"{self.revision_id}: {self.probe_key}"


class RevisionBoundary(RevisionPart):
    """A tree's boundary by this rater, derived at submission by interviews.rules from the marks above."""

    tree = models.ForeignKey("questionbank.Tree", on_delete=models.PROTECT, related_name="+")
    version = models.ForeignKey("questionbank.TreeVersion", on_delete=models.PROTECT, related_name="+")
    floor = models.PositiveSmallIntegerField(null=True, help_text="NULL: nothing passed or missed, so nothing known")
    ceiling = models.PositiveSmallIntegerField(null=True)
    ended = enum_field(Ended, null=True)
    at_least = models.BooleanField(default=False, help_text="censored: the floor is a lower bound")
    ratable = models.BooleanField(default=False)
    override_floor = models.PositiveSmallIntegerField(null=True)
    override_ceiling = models.PositiveSmallIntegerField(null=True)
    override_reason = models.ForeignKey("interviews.Text", on_delete=models.PROTECT, null=True, related_name="+")

    objects: ClassVar[SealedManager[Any]] = SealedManager()

    class Meta:
        ordering = ["revision_id", "tree_id"]
        constraints = [models.UniqueConstraint(fields=["revision", "tree"], name="revision_boundary_once")]

    def __str__(self) -> str:
        return f"{self.revision_id}: tree {self.tree_id}"


class RevisionStatement(RevisionPart):
    """Evidence, a reason or a note as it stood at submission; `type` and `aid` are blank for notes."""

    kind = enum_field(StatementKind)
    asked = models.ForeignKey("interviews.Asked", on_delete=models.PROTECT, null=True, related_name="+")
    type = models.CharField(max_length=24, blank=True)
    aid = models.CharField(max_length=24, blank=True)
    text = models.ForeignKey("interviews.Text", on_delete=models.PROTECT, related_name="+")

    objects: ClassVar[SealedManager[Any]] = SealedManager()

    class Meta:
        ordering = ["revision_id", "id"]
        constraints = [one_of("kind", StatementKind, table="revisionstatement")]

    def __str__(self) -> str:
        return f"{self.revision_id}: {self.kind}"
