"""What was done to a draft, one row an edit: the way back, and who changed what."""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.utils import timezone

from people.fields import enum_field, one_of
from questionbank.enums import DraftOp
from questionbank.models.tree import TreeVersion


class DraftEdit(models.Model):
    """One edit. `delta` is what it changed, before and after (questionbank.edits.history).

    `probe_key` is the probe it was done on ("" for the head), `keys` are all that it touched. `field` is the field that
    was written, "" for edits of shape. Undoing marks the row `undone` and adds a row that `undoes` it; so does redoing.
    Nothing here belongs to what the version says. It goes when the draft is discarded.
    """

    version = models.ForeignKey(TreeVersion, on_delete=models.CASCADE, related_name="edits")
    number = models.PositiveIntegerField()
    by = models.ForeignKey("people.Person", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    op = enum_field(DraftOp)
    probe_key = models.SlugField(max_length=80, blank=True)
    field = models.CharField(max_length=80, blank=True)
    keys = ArrayField(models.SlugField(max_length=80), default=list, blank=True)
    delta = models.JSONField()
    undone = models.BooleanField(default=False)
    undoes = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="+")

    class Meta:
        ordering = ["version_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["version", "number"], name="draft_edit_number_once"),
            one_of("op", DraftOp, table="draftedit"),
        ]
        indexes = [GinIndex(fields=["keys"], name="draft_edit_keys")]

    def __str__(self) -> str:
        return f"{self.version_id}/{self.number}: {self.op}"
