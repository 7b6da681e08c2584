"""What the tree editor's page sends: one field, one place, one step back. Values are judged by the algebra."""

from __future__ import annotations

import json
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from questionbank.edits.shape import Place
from questionbank.enums import Aim, ProbeKind
from questionbank.forms.words import ReadableField
from questionbank.limits import FINGERPRINT, KEY_LENGTH, MOST_LANGUAGES, MOST_PROBES, PART, PROMPT, TITLE
from questionbank.outline import RATINGS, Text

LONGEST = 40_000
"""Of one field as it is sent: thirty signals of a thousand letters, and room to be told that it is too long."""
LONGEST_ALONG: Final = len(RATINGS) * MOST_LANGUAGES * 2 * PART
"""Of all anchors of an aim as JSON, which writes some letters as two."""
LONGEST_SHOWN: Final = MOST_PROBES * (KEY_LENGTH + FINGERPRINT + len(": "))
"""Of the keys and fingerprints of a whole tree."""
Sent = dict[str, Any]


class _Words(forms.CharField):
    """Words exactly as they were typed: what stands around them is the service's business."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, strip=False, max_length=LONGEST, **options)


class SeenForm(forms.Form):
    """`seen`: the number of the last edit that the page knows, so that it can be told what it missed."""

    seen = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 1)

    @property
    def known(self) -> int:
        return self.cleaned_data["seen"] or 0


class ProbeForm(SeenForm):
    probe = forms.SlugField(max_length=80)


class FieldForm(SeenForm):
    """One field of a probe, or without a probe of the head: what was shown, and what it shall be.

    `along`: what was shown in the fields that go with it, as JSON {name: text}.
    """

    probe = forms.SlugField(max_length=80, required=False)
    name = forms.CharField(max_length=80)
    was = _Words()
    value = _Words()
    along = forms.CharField(required=False, max_length=LONGEST_ALONG)

    def clean_along(self) -> dict[str, str]:
        try:
            shown = json.loads(self.cleaned_data["along"] or "{}")
        except (ValueError, RecursionError):
            shown = None
        if not isinstance(shown, dict) or not all(isinstance(said, str) for said in shown.values()):
            raise forms.ValidationError(_("That can't be read. Load the page anew."))
        return shown


class MoveForm(ProbeForm):
    """From where it was shown to where it shall stand: a parent, and the sibling before ("" for first)."""

    was_parent = forms.SlugField(max_length=80, required=False)
    was_after = forms.SlugField(max_length=80, required=False)
    parent = forms.SlugField(max_length=80)
    after = forms.SlugField(max_length=80, required=False)

    @property
    def was(self) -> Place:
        return Place(self.cleaned_data["was_parent"] or None, self.cleaned_data["was_after"] or None)

    @property
    def to(self) -> Place:
        return Place(self.cleaned_data["parent"], self.cleaned_data["after"] or None)


class RemoveForm(ProbeForm):
    """`shown`: "key:fingerprint key:fingerprint ...", the probe and all below it as the page shows them."""

    shown = forms.CharField(max_length=LONGEST_SHOWN)

    def clean_shown(self) -> dict[str, str]:
        pairs = [one.partition(":") for one in self.cleaned_data["shown"].split()]
        return {key: fingerprint for key, _colon, fingerprint in pairs}


class AddForm(SeenForm):
    """A new probe: below `parent` after `after`, or `above` another one. Words in the languages of the tree."""

    above = forms.SlugField(max_length=80, required=False)
    parent = forms.SlugField(max_length=80, required=False)
    after = forms.SlugField(max_length=80, required=False)
    kind = forms.TypedChoiceField(choices=[(kind.value, kind.name) for kind in ProbeKind], coerce=ProbeKind)
    aims = forms.TypedMultipleChoiceField(
        choices=[(aim.value, aim.name) for aim in Aim], coerce=Aim, error_messages={"required": _("Choose an aim.")}
    )

    def __init__(self, data: Any, *, languages: tuple[str, ...]) -> None:
        super().__init__(data)
        self.languages = languages
        for tag in languages:
            self.fields[f"prompt.{tag}"] = ReadableField(required=False, max_length=PROMPT)

    def clean(self) -> Sent:
        cleaned: Sent = super().clean() or self.cleaned_data
        if not self.errors and not self.prompt:
            raise forms.ValidationError(_("Write the question in one language at least."))
        return cleaned

    @property
    def prompt(self) -> Text:
        given = {tag: self.cleaned_data.get(f"prompt.{tag}", "") for tag in self.languages}
        return {tag: words for tag, words in given.items() if words.strip()}

    @property
    def place(self) -> Place:
        return Place(self.cleaned_data["parent"] or None, self.cleaned_data["after"] or None)


class BackForm(SeenForm):
    """One step back or forth, or one removed probe back."""

    UNDO, REDO, RESTORE = "undo", "redo", "restore"

    step = forms.ChoiceField(choices=[(step, step) for step in (UNDO, REDO, RESTORE)])
    probe = forms.SlugField(max_length=80, required=False)


class LanguageForm(SeenForm):
    tag = forms.CharField(label=_("Language"), max_length=20, help_text=_("A tag such as en, zh-Hans or pt-BR."))
    title = ReadableField(label=_("Title in this language"), max_length=TITLE)
