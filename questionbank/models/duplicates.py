"""Questions that are asked twice: pairs that look alike, what a curator said of them, and redirects of merged ones.

All by tree and probe key, which survive versions: published versions stay as they were.
"""

from __future__ import annotations

from django.contrib.postgres.functions import RandomUUID
from django.db import models
from django.db.models import Q
from django.utils import timezone

from people.fields import enum_field, one_of
from questionbank.enums import PairVerdict
from questionbank.models.tree import Tree, key_validator


class NearPair(models.Model):
    """Two probes whose prompts are alike in one language, the one where they are most so. The lower (tree, key) first.

    `similarity` is 0-1. A pair that a curator called different stays, so that it isn't listed again.
    """

    code = models.UUIDField(db_default=RandomUUID(), unique=True, editable=False)
    tree = models.ForeignKey(Tree, on_delete=models.CASCADE, related_name="+")
    key = models.SlugField(max_length=80)
    other_tree = models.ForeignKey(Tree, on_delete=models.CASCADE, related_name="+")
    other_key = models.SlugField(max_length=80)
    language = models.CharField(max_length=40)
    similarity = models.FloatField()
    verdict = enum_field(PairVerdict, default=PairVerdict.OPEN)
    judged_by = models.ForeignKey("people.Person", on_delete=models.PROTECT, null=True, related_name="+")
    judged_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-similarity", "id"]
        constraints = [
            models.UniqueConstraint(fields=["tree", "key", "other_tree", "other_key"], name="nearpair_once"),
            models.CheckConstraint(condition=Q(similarity__gte=0, similarity__lte=1), name="nearpair_similarity"),
            one_of("verdict", PairVerdict, table="nearpair"),
        ]

    def __str__(self) -> str:
        return f"{self.tree_id}/{self.key} ~ {self.other_tree_id}/{self.other_key}"


class Redirect(models.Model):
    """A merged probe: who looks for it is sent on to the probe that was kept. Figures and links follow it."""

    code = models.UUIDField(db_default=RandomUUID(), unique=True, editable=False)
    tree = models.ForeignKey(Tree, on_delete=models.PROTECT, related_name="redirects")
    key = models.SlugField(max_length=80, validators=[key_validator])
    to_tree = models.ForeignKey(Tree, on_delete=models.PROTECT, related_name="+")
    to_key = models.SlugField(max_length=80, validators=[key_validator])
    by = models.ForeignKey("people.Person", on_delete=models.PROTECT, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    reason = models.TextField(blank=True)

    class Meta:
        ordering = ["-at", "-id"]
        constraints = [
            models.UniqueConstraint(fields=["tree", "key"], name="redirect_once"),
            models.CheckConstraint(
                condition=~Q(tree=models.F("to_tree"), key=models.F("to_key")), name="redirect_not_to_itself"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tree_id}/{self.key} -> {self.to_tree_id}/{self.to_key}"
