"""The form in which a person chooses the letters of the live room."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from interviews import keys
from people.keys import letters_of
from people.models import Person


class KeyField(forms.CharField):
    """One letter, figure or sign."""

    def __init__(self, **options: Any) -> None:
        super().__init__(
            max_length=1,
            widget=forms.TextInput(attrs={"class": "input input--key", "autocomplete": "off", "spellcheck": "false"}),
            **options,
        )

    def clean(self, value: Any) -> str:
        cap = str(super().clean(value)).upper()
        if cap not in keys.CAPS:
            raise forms.ValidationError(_("A letter of the Latin alphabet, a figure, or a sign like [ or ?."))
        return cap


class KeysForm(forms.Form):
    off = forms.BooleanField(
        label=gettext_lazy("Switch single keys off"),
        required=False,
        help_text=gettext_lazy("On every page. Ctrl K still opens the list of commands."),
    )

    def __init__(self, person: Person, data: Any = None) -> None:
        own = letters_of(person.keys)
        super().__init__(data, initial={"off": bool(person.keys.get("off"))})
        self.names = {key: f"key-{at}" for at, (_group, key) in enumerate(keys.all_keys())}
        for group, key in keys.all_keys():
            start = own.get(key, key.rpartition(" ")[2])
            self.fields[self.names[key]] = KeyField(label=group.keys[key], initial=start)

    def groups(self) -> Iterator[tuple[keys.Group, list[forms.BoundField]]]:
        for group in keys.GROUPS:
            yield group, [self[self.names[key]] for key in group.keys]

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        chosen = {key: given.get(name, f"\0{key}") for key, name in self.names.items()}
        before = {key: str(self.fields[name].initial) for key, name in self.names.items()}
        for key, other in keys.clashes(chosen, before).items():
            label = self.fields[self.names[other]].label
            self.add_error(self.names[key], _("%(other)s has this key. Choose another one.") % {"other": label})
        return given

    def letters(self) -> dict[str, str]:
        """The letters that are not the default ones, by default letter."""
        chosen = {key: self.cleaned_data[name] for key, name in self.names.items()}
        return {key: cap for key, cap in chosen.items() if cap != key.rpartition(" ")[2]}
