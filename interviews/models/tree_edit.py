"""What an interview changed of its pinned trees, for itself alone: the pinned versions stay as they are."""

from __future__ import annotations

from django.db import models

from interviews.enums import TreeOp
from people.fields import enum_field, one_of


class TreeEdit(models.Model):
    """One change; a tree as this interview reads it is the pinned version with these done to it in the order of `seq`.

    Probes are named as on the wire, "<tree key>/<probe key>". A question asked at once is an addition too (its `own` is
    not planned). `suggested`: a copy of the words has gone to the curators; which one, nothing says.
    """

    id = models.UUIDField(primary_key=True, help_text="the command's")
    interview = models.ForeignKey("interviews.Interview", on_delete=models.CASCADE, related_name="tree_edits")
    by = models.ForeignKey("interviews.Seat", on_delete=models.PROTECT, related_name="+")
    seq = models.PositiveBigIntegerField(help_text="the panel stream's")
    op = enum_field(TreeOp)
    probe = models.CharField(max_length=200)
    parent = models.CharField(max_length=200, blank=True, help_text="of a move: whose follow-up it is from now on")
    after = models.CharField(max_length=200, blank=True, help_text="of a move: the sibling before it, none = first")
    language = models.CharField(max_length=16, blank=True)
    text = models.ForeignKey("interviews.Text", on_delete=models.PROTECT, null=True, related_name="+")
    own = models.OneToOneField("interviews.AdHocProbe", on_delete=models.PROTECT, null=True, related_name="added_by")
    suggested = models.BooleanField(default=False)

    class Meta:
        ordering = ["interview_id", "seq"]
        constraints = [
            one_of("op", TreeOp, table="tree_edit"),
            models.CheckConstraint(
                condition=models.Q(op="text", text__isnull=False, own__isnull=True)
                | models.Q(op="add", text__isnull=True, own__isnull=False)
                | models.Q(op="move", text__isnull=True, own__isnull=True),
                name="tree_edit_has_what_it_needs",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.op} {self.probe}"
