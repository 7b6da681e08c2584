"""Which of two probes is kept, and why."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from questionbank.models.tree import key_validator
from questionbank.queries.duplicates import ProbeName


class ProbeNameField(forms.Field):
    """A probe as "tree/probe"; gives (tree key, probe key)."""

    widget = forms.TextInput

    def to_python(self, value: object) -> ProbeName:
        tree, _slash, key = str(value or "").strip().partition("/")
        return (tree, key)

    def validate(self, value: object) -> None:
        try:
            for part in value if isinstance(value, tuple) else ("",):
                key_validator(part)
        except ValidationError:
            words = _("Name the probe by the keys of its tree and its own, as in data-parallel/why-shard.")
            raise ValidationError(words) from None

    def prepare_value(self, value: object) -> object:
        return "/".join(value) if isinstance(value, tuple) else value


class PairForm(forms.Form):
    kept = ProbeNameField(label=_("Probe to keep"))
    merged = ProbeNameField(label=_("Probe to merge into it"))


class MergeForm(PairForm):
    reason = forms.CharField(
        label=_("Reason"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("It stays with the redirect, for whoever looks for the merged probe."),
    )
