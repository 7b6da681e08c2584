"""Forms of accounts and preferences, and the field for a time zone that other apps use too."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from people.clock import zone_names
from people.enums import PersonRole, Theme
from people.labels import ROLES, THEMES
from people.models.person import validate_time_zone


class ZoneInput(forms.TextInput):
    """A text field that offers the known zones as one types."""

    template_name = "people/zone_input.html"

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        return {**super().get_context(name, value, attrs), "zones": zone_names()}


class ZoneField(forms.CharField):
    widget = ZoneInput

    def __init__(self, **options: Any) -> None:
        options.setdefault("label", _("Time zone"))
        options.setdefault("help_text", _("Written like Europe/Berlin or Asia/Shanghai."))
        super().__init__(max_length=64, validators=[validate_time_zone], **options)


class LanguageField(forms.ChoiceField):
    def __init__(self, **options: Any) -> None:
        options.setdefault("label", _("Language"))
        super().__init__(choices=settings.LANGUAGES, **options)


class PersonForm(forms.Form):
    name = forms.CharField(label=_("Name"), max_length=120)
    email = forms.EmailField(label=_("E-mail"), max_length=254, help_text=_("They sign in with it."))
    roles = forms.TypedMultipleChoiceField(
        label=_("Roles"),
        choices=list(ROLES.items()),
        coerce=PersonRole,
        widget=forms.CheckboxSelectMultiple,
        required=False,
        help_text=_("Inside an interview the seat decides, not the role."),
    )
    language = LanguageField()
    time_zone = ZoneField()


class PersonChangeForm(PersonForm):
    is_active = forms.BooleanField(
        label=_("May sign in"),
        required=False,
        help_text=_("Taking this away closes their pages and rooms at once. What they wrote stays."),
    )


class PreferencesForm(forms.Form):
    language = LanguageField()
    time_zone = ZoneField()
    theme = forms.TypedChoiceField(
        label=_("Colours"), choices=list(THEMES.items()), coerce=Theme, widget=forms.RadioSelect
    )
