from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from questionbank.services.owning import possible_owners


class OwnerForm(forms.Form):
    owner = forms.ModelChoiceField(
        label=_("Owner"),
        queryset=possible_owners(),
        to_field_name="code",
        required=False,
        empty_label=_("nobody"),
        help_text=_("Whom to ask about this tree. It gives no right, and takes none."),
    )
