"""The form of a feedback letter."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

TEXT_LENGTH = 20_000  # as every text about a candidate


class LetterForm(forms.Form):
    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    body = forms.CharField(
        label=_("Letter"), max_length=TEXT_LENGTH, strip=False, widget=forms.Textarea(attrs={"rows": 24})
    )

    def __init__(self, *args: Any, language: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["body"].widget.attrs["lang"] = "zh-Hans" if language == "zh-hans" else language

    def clean_body(self) -> str:
        """Line ends as mail and files want them: browsers send \\r\\n."""
        body: str = self.cleaned_data["body"]
        if not body.strip():
            raise forms.ValidationError(_("An empty letter says nothing."))
        return body.replace("\r\n", "\n")
