"""What happens to a version on its way to being published: who wrote it, what was said about it, each step.

None of it belongs to what the version says, so it stays open when that is frozen. It goes when a draft is discarded.
"""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from people.fields import enum_field, one_of
from questionbank.enums import ReviewStepKind
from questionbank.models.tree import TreeVersion


class VersionAuthor(models.Model):
    """Somebody who wrote or changed a draft, and so should not be the one who reviews it."""

    version = models.ForeignKey(TreeVersion, on_delete=models.CASCADE, related_name="authors")
    person = models.ForeignKey("people.Person", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["version", "person"], name="version_author_once")]

    def __str__(self) -> str:
        return f"{self.version_id}: {self.person_id}"


class ReviewStep(models.Model):
    """One step of a version: who, when, and why where a reason is asked for."""

    version = models.ForeignKey(TreeVersion, on_delete=models.CASCADE, related_name="steps")
    kind = enum_field(ReviewStepKind)
    at = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey("people.Person", on_delete=models.PROTECT, null=True, related_name="+")
    reviewer = models.ForeignKey("people.Person", on_delete=models.PROTECT, null=True, related_name="+")
    reason = models.TextField(_("reason"), blank=True, max_length=2000)

    class Meta:
        ordering = ["id"]
        constraints = [one_of("kind", ReviewStepKind, table="reviewstep")]

    def __str__(self) -> str:
        return f"{self.kind} {self.version_id}"


class ReviewComment(models.Model):
    """A remark on one probe, or with `probe_key` "" on the tree. The key lives on when the draft is written anew."""

    code = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    version = models.ForeignKey(TreeVersion, on_delete=models.CASCADE, related_name="comments")
    probe_key = models.SlugField(max_length=80, blank=True)
    text = models.TextField(_("comment"), max_length=4000)
    author = models.ForeignKey("people.Person", on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField(default=timezone.now)
    resolved_at = models.DateTimeField(null=True)
    resolved_by = models.ForeignKey("people.Person", on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"comment {self.pk}"


class BankRules(models.Model):
    """What an administrator allows in the bank. One row at most; without it, what `current` says."""

    own_review = models.BooleanField(
        _("Authors may review their own versions"),
        default=False,
        help_text=_("For a bank with a single curator. It is better when two people read each question."),
    )
    changed_at = models.DateTimeField(default=timezone.now)
    changed_by = models.ForeignKey("people.Person", on_delete=models.PROTECT, related_name="+")
    reason = models.TextField(_("reason"), max_length=2000)

    class Meta:
        constraints = [models.CheckConstraint(condition=models.Q(pk=1), name="bankrules_one_row")]

    def __str__(self) -> str:
        return "rules of the bank"
