"""One's own note for an interview to come."""

from __future__ import annotations

from typing import Any

from django import forms

TEXT_LENGTH = 20_000  # as every text field of the room


class PreparationForm(forms.Form):
    """`over`: the version that the writer saw and means to replace; else `version`, which the page was drawn with."""

    text = forms.CharField(required=False, max_length=TEXT_LENGTH, strip=False)
    version = forms.IntegerField(min_value=0)
    over = forms.IntegerField(min_value=0, required=False)

    def values(self) -> dict[str, Any]:
        over = self.cleaned_data["over"]
        return {"text": self.cleaned_data["text"], "version": self.cleaned_data["version"] if over is None else over}
