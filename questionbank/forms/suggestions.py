"""Forms with which a curator decides on a suggestion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from questionbank.enums import SuggestionKind
from questionbank.forms.words import ReadableField
from questionbank.limits import PROMPT
from questionbank.ordering import english_first
from questionbank.suggestion_reads import SuggestionLine
from questionbank.wording import language_name


class AcceptForm(forms.Form):
    """The words to take up, a field `text-TAG` for each language; `was-TAG` holds what the probe said then.

    Languages are the suggestion's and those of the probe: who takes up new words can bring the translation along.
    """

    personal_data_checked = forms.BooleanField(
        label=gettext_lazy("It holds nothing about a person"),
        required=False,
        help_text=gettext_lazy("No names, employers, projects or dates by which somebody could be recognised."),
    )

    def __init__(self, *args: Any, line: SuggestionLine, **options: Any) -> None:
        super().__init__(*args, **options)
        suggestion, now = line.suggestion, line.probe.prompt if line.probe else {}
        edit = suggestion.kind == SuggestionKind.EDIT
        self.tags = sorted({*suggestion.text, *now}, key=english_first)
        fields: dict[str, forms.Field] = {}
        for tag in self.tags:
            fields[f"text-{tag}"] = ReadableField(
                label=format_html(_("Prompt, {language}"), language=_named(tag)),
                initial=suggestion.text.get(tag, now.get(tag, "") if edit else ""),
                required=tag in suggestion.text,
                max_length=PROMPT,
                widget=forms.Textarea(attrs={"rows": 3, "lang": tag}),
            )
            fields[f"was-{tag}"] = forms.CharField(
                initial=now.get(tag, ""), required=False, widget=forms.HiddenInput, strip=False
            )
        self.fields = {**fields, **self.fields}

    def text(self) -> Mapping[str, str]:
        return self._by_tag("text")

    def was(self) -> Mapping[str, str]:
        return self._by_tag("was")

    def _by_tag(self, name: str) -> Mapping[str, str]:
        return {tag: self.cleaned_data[f"{name}-{tag}"] for tag in self.tags}


def _named(tag: str) -> SafeString:
    """Draw a language's own name, marked as its own language."""
    return format_html('<span lang="{}">{}</span>', tag, language_name(tag))


class DeclineForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy("The words of the suggestion are erased; the reason stays. Don't repeat them here."),
    )
