"""What people made of the bank's questions in live rooms: a copy of the wording, for curators to take up or not."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils.translation import gettext_lazy as _

from people.fields import LanguageMap, enum_array, enum_field, one_of
from questionbank.enums import Aim, ProbeKind, SuggestionKind, SuggestionState
from questionbank.models.tree import Tree


class Suggestion(models.Model):
    """Another wording of a probe, or a follow-up that wasn't in the tree.

    Nothing leads back to the interview: no seat, no person, no time but the month, and an id that tells no order.
    `released` is set by a nightly job, so that the hour says nothing either. What was typed in a room may hold personal
    data: somebody says that it doesn't before it is taken up, and the words of what isn't taken up are erased.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tree = models.ForeignKey(Tree, on_delete=models.CASCADE, related_name="suggestions")
    probe_key = models.SlugField(max_length=80, help_text="the probe that was worded anew, or the follow-up's parent")
    kind = enum_field(SuggestionKind)
    text = LanguageMap(help_text="the prompt; once decided, what was taken up, {} for nothing")
    aims = enum_array(Aim, default=list, blank=True)
    probe_kind = enum_field(ProbeKind, null=True)
    month = models.DateField(help_text="the first day of the month in which it was made")
    released = models.BooleanField(default=False)
    state = enum_field(SuggestionState, default=SuggestionState.OPEN)
    decided_by = models.ForeignKey("people.Person", on_delete=models.PROTECT, null=True, related_name="+")
    decided_at = models.DateTimeField(null=True)
    reason = models.TextField(_("reason"), blank=True, max_length=2000)
    personal_data_checked = models.BooleanField(default=False)

    class Meta:
        ordering = ["tree_id", "probe_key", "id"]
        constraints = [
            one_of("kind", SuggestionKind, table="suggestion"),
            one_of("probe_kind", ProbeKind, table="suggestion", null=True),
            one_of("state", SuggestionState, table="suggestion"),
            models.CheckConstraint(condition=models.Q(month__day=1), name="suggestion_tells_the_month_only"),
            models.CheckConstraint(
                condition=models.Q(kind="edit", probe_kind__isnull=True)
                | models.Q(kind="follow_up", probe_kind__isnull=False, aims__len__gte=1),
                name="suggestion_follow_up_is_a_probe",
            ),
            models.CheckConstraint(
                condition=models.Q(state="open", decided_at__isnull=True)
                | models.Q(state="declined", decided_at__isnull=False, text={})
                | models.Q(
                    state__in=["accepted", "changed"],
                    decided_at__isnull=False,
                    decided_by__isnull=False,
                    personal_data_checked=True,
                ),
                name="suggestion_taken_up_is_checked",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} of {self.probe_key}"
