"""Forms on the way of a version."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from people.models import Person
from questionbank.models import TreeVersion
from questionbank.versions import reviewers_for

LONGEST_REASON = 2000
LONGEST_COMMENT = 4000


class ReviewerForm(forms.Form):
    """Who reads the draft before it is published."""

    reviewer = forms.ChoiceField(label=_("Reviewer"), widget=forms.RadioSelect)

    def __init__(self, *args: Any, version: TreeVersion, **options: Any) -> None:
        super().__init__(*args, **options)
        self.people = {str(person.code): person for person in reviewers_for(version)}
        self.fields["reviewer"].choices = [(code, person.name) for code, person in self.people.items()]  # type: ignore[attr-defined]

    def clean_reviewer(self) -> Person:
        return self.people[self.cleaned_data["reviewer"]]


class ReturnForm(forms.Form):
    reason = forms.CharField(
        label=_("What is to be done"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text=_("It stands above the draft until it is sent again. Comments on single probes stay with it."),
    )


class RetireForm(forms.Form):
    """Why, and whether earlier published versions go with it."""

    THIS, WHOLE = "this", "whole"

    whole_tree = forms.TypedChoiceField(
        label=_("What is retired"),
        choices=[(THIS, _("This version; the one before it is offered again")), (WHOLE, _("The whole tree"))],
        coerce=lambda value: value == RetireForm.WHOLE,
        widget=forms.RadioSelect,
        initial=THIS,
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("It stands in the history of the tree."),
    )

    def __init__(self, *args: Any, alone: bool, **options: Any) -> None:
        """With `alone` no other version is published, so there is nothing to choose."""
        super().__init__(*args, **options)
        if alone:
            del self.fields["whole_tree"]


class CommentForm(forms.Form):
    probe_key = forms.SlugField(required=False, max_length=80, widget=forms.HiddenInput)
    text = forms.CharField(
        label=_("Comment"), max_length=LONGEST_COMMENT, widget=forms.Textarea(attrs={"rows": 2}), strip=True
    )


class RulesForm(forms.Form):
    own_review = forms.BooleanField(
        label=_("Authors may review and publish their own versions"),
        required=False,
        help_text=_("For a bank with a single curator. Two people find more than one."),
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("The log keeps who changed this and when; the reason is shown here."),
    )
