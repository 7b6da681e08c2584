"""Forms of automatic judges."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.enums import JudgeKind
from scoring.labels import JUDGES


class JudgeForm(forms.Form):
    """A judge to be made."""

    name = forms.CharField(label=_("Name"), max_length=80, help_text=_("As it stands beside everything it says."))
    kind = forms.TypedChoiceField(label=_("Kind"), choices=list(JUDGES.items()), coerce=JudgeKind)
    version = forms.CharField(
        label=_("Version"), max_length=40, help_text=_("Another version rates otherwise, so it is another judge.")
    )


class JudgeTermsForm(forms.Form):
    counts = forms.BooleanField(
        label=_("Automatic judges count in the calibration of this position"),
        required=False,
        help_text=_(
            "Off: they are measured and move no one. On: what they say enters the calibrated values, with their own"
            " severity. Raw values and the number of interviewers leave them out either way."
        ),
    )
