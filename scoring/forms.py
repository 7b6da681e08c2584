"""The words and the recommendation of a card. Values are never typed in: they come from the marks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from scoring.enums import Recommendation
from scoring.labels import AIDS, AIMS, OUTCOMES, RECOMMENDATIONS
from scoring.queries.voids import KnownProbe

TEXT_LENGTH = 20_000  # as every text field of the room


class VoidForm(forms.Form):
    """A probe of the position and why it counts for nothing. `cleaned_data["probe"]` is a KnownProbe."""

    probe = forms.ChoiceField(label=pgettext_lazy("column", "Probe"))
    reason = forms.CharField(
        label=_("Reason"),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Kept with the position and shown to who is in charge of it. Write about the probe, not a person."),
    )

    def __init__(self, *args: Any, probes: Iterable[KnownProbe], **options: Any) -> None:
        super().__init__(*args, **options)
        self._probes = {probe.name: probe for probe in probes}
        groups: dict[str, list[tuple[str, str]]] = {}
        for name, probe in self._probes.items():
            groups.setdefault(probe.tree_title[0], []).append((name, f"{probe.level} · {probe.title[0]}"))
        self.fields["probe"].choices = [("", ""), *groups.items()]  # type: ignore[attr-defined]

    def clean_probe(self) -> KnownProbe:
        return self._probes[self.cleaned_data["probe"]]


class DraftForm(forms.Form):
    """What is kept as it is typed: nothing of it is required yet."""

    use_required_attribute = False  # or the browser would hold back a save that lacks what only submitting asks for

    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    summary = forms.CharField(
        label=_("Summary"),
        required=False,
        max_length=TEXT_LENGTH,
        error_messages={"required": _("Write a summary: two or three sentences on what you heard.")},
        widget=forms.Textarea(attrs={"rows": 7}),
    )
    recommendation = forms.ChoiceField(
        label=_("Recommendation"), required=False, choices=[("", ""), *RECOMMENDATIONS.items()]
    )
    reason = forms.CharField(
        label=_("Reason for no decision"),
        help_text=_("Needed with “no decision”, and only then."),
        required=False,
        max_length=TEXT_LENGTH,
        widget=forms.Textarea(attrs={"rows": 2}),
    )

    def clean_recommendation(self) -> Recommendation | None:
        chosen: str = self.cleaned_data["recommendation"]
        return Recommendation(chosen) if chosen else None

    def values(self) -> dict[str, Any]:
        """What save_draft and submit_card want, by name."""
        return {name: self.cleaned_data[name] for name in ("version", "summary", "recommendation", "reason")}


RATINGS = [("", "–"), *((str(rating), str(rating)) for rating in range(5))]


class AnswerForm(forms.Form):
    """One answer, marked without names. Its prefix is the asking's id; aims that the probe lacks have no field."""

    outcome = forms.ChoiceField(label=_("Outcome"), required=False, choices=[("", "–"), *OUTCOMES.items()])
    aid = forms.ChoiceField(label=_("Help needed"), required=False, choices=[("", "–"), *AIDS.items()])

    def __init__(self, *args: Any, aims: Iterable[str], **options: Any) -> None:
        super().__init__(*args, **options)
        for aim in aims:
            self.fields[aim] = forms.TypedChoiceField(
                label=str(AIMS[aim]), required=False, choices=RATINGS, coerce=int, empty_value=None
            )


class HandIn(forms.Form):
    """The version that the page was drawn with, and whether it is handed in."""

    version = forms.IntegerField(min_value=0, widget=forms.HiddenInput)
    do = forms.ChoiceField(choices=[("keep", ""), ("submit", "")], required=False)


class PercentForm(forms.Form):
    percent = forms.IntegerField(
        label=_("Of a hundred candidates, mark a second time"),
        min_value=0,
        max_value=100,
        help_text=_("Drawn at random among those whose cards are all in. Where the panel disagrees, one is asked too."),
    )


class NormingForm(forms.Form):
    """An interview of the position to be marked by everybody, by its code."""

    interview = forms.ChoiceField(label=_("Interview"))

    def __init__(self, *args: Any, interviews: Iterable[tuple[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["interview"].choices = [("", ""), *interviews]  # type: ignore[attr-defined]


class CardForm(DraftForm):
    """What is handed in."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["summary"].required = True


class AmendmentDraftForm(DraftForm):
    """The card again, with why it is amended."""

    amendment = forms.CharField(
        label=_("Why you amend it"),
        help_text=_("Read by everyone who reads the card."),
        required=False,
        max_length=TEXT_LENGTH,
        error_messages={"required": _("Say why the card is amended.")},
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def values(self) -> dict[str, Any]:
        return super().values() | {"amendment": self.cleaned_data["amendment"]}


class AmendmentForm(AmendmentDraftForm):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["summary"].required = True
        self.fields["amendment"].required = True
