"""Topics, trees and their versions.

What a version *says* (TreeVersion, Probe, Signal, Anchor) is frozen once published, by trigger (migration 0002). What
happens to it afterwards - its state, redirects, figures - stands in side tables.
"""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator, RegexValidator
from django.db import models
from django.utils import timezone

from people.fields import LanguageMap, enum_field, one_of, words_in
from questionbank.enums import Purpose, VersionState
from questionbank.limits import KEY, KEY_LENGTH

key_validator = RegexValidator(rf"^{KEY}\Z")


class Topic(models.Model):
    key = models.SlugField(max_length=KEY_LENGTH, unique=True, validators=[key_validator])
    title = LanguageMap()
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position", "key"]

    def __str__(self) -> str:
        return words_in(self.title)[0]


class Tree(models.Model):
    """A question with its follow-ups, over all its versions. The key survives them."""

    key = models.SlugField(max_length=KEY_LENGTH, unique=True, validators=[key_validator])
    topic = models.ForeignKey(Topic, on_delete=models.PROTECT, related_name="trees")
    position = models.PositiveIntegerField(default=0)
    # The curator who looks after it. Nobody: nobody took it yet, or who did was let go.
    owner = models.ForeignKey("people.Person", on_delete=models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        ordering = ["topic__position", "position", "key"]

    def __str__(self) -> str:
        return self.key


class TreeVersion(models.Model):
    tree = models.ForeignKey(Tree, on_delete=models.PROTECT, related_name="versions")
    number = models.PositiveIntegerField()
    title = LanguageMap()
    purpose = enum_field(Purpose, default=Purpose.BOUNDARY)
    # The discontinue rule: this many misses in a row end the tree; one more try when an answer was unclear.
    misses_to_end = models.PositiveSmallIntegerField(default=2, validators=[MinValueValidator(1), MaxValueValidator(9)])
    retry_when_unclear = models.BooleanField(default=True)
    minutes = models.PositiveSmallIntegerField(default=10)
    content_hash = models.CharField(
        max_length=64, help_text="SHA-256 of the canonical content; equal = nothing changed"
    )
    source_text = models.TextField(blank=True, help_text="The file it came from, comments and key order kept")
    created_at = models.DateTimeField(default=timezone.now)
    created_by = models.ForeignKey("people.Person", on_delete=models.PROTECT, null=True, related_name="+")

    class Meta:
        ordering = ["tree_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["tree", "number"], name="version_number_once"),
            one_of("purpose", Purpose, table="treeversion"),
        ]

    def __str__(self) -> str:
        return f"{words_in(self.title)[0]} v{self.number}"


class VersionStatus(models.Model):
    """Where a version stands. A side table, because the version itself is frozen."""

    version = models.OneToOneField(TreeVersion, on_delete=models.CASCADE, related_name="status", primary_key=True)
    state = enum_field(VersionState, default=VersionState.DRAFT)
    reviewer = models.ForeignKey("people.Person", on_delete=models.PROTECT, null=True, related_name="+")
    published_at = models.DateTimeField(null=True)
    published_by = models.ForeignKey("people.Person", on_delete=models.PROTECT, null=True, related_name="+")
    retired_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            one_of("state", VersionState, table="versionstatus"),
            models.CheckConstraint(
                condition=~models.Q(state__in=["published", "retired"]) | models.Q(published_at__isnull=False),
                name="versionstatus_published_when",
            ),
        ]

    def __str__(self) -> str:
        return str(self.state)
