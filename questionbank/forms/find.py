"""What can be searched and filtered by. It comes by the address, so that a search can be kept and sent to others."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from people.fields import words_in
from people.models import Person
from questionbank.enums import Aim, VersionState
from questionbank.outline import MOST_ANCESTORS
from questionbank.queries.find import NOBODY, Choices, Search, choices
from questionbank.rules import may_write
from questionbank.wording import AIMS, LAST_USED, STATES, language_name

MOST_PAGES = 100_000


class FindForm(forms.Form):
    q = forms.CharField(label=_("Search"), required=False, max_length=200, widget=forms.TextInput)
    topic = forms.ChoiceField(label=_("Topic"), required=False)
    aim = forms.ChoiceField(
        label=_("Asks for"), required=False, choices=[("", _("all")), *((aim.value, AIMS[aim]) for aim in Aim)]
    )
    level = forms.IntegerField(label=_("Level"), required=False, min_value=1, max_value=MOST_ANCESTORS + 1)
    state = forms.ChoiceField(
        label=_("Status"),
        required=False,
        choices=[("", _("all")), *((state.value, STATES[state]) for state in VersionState)],
    )
    language = forms.ChoiceField(label=_("Language"), required=False)
    plan = forms.ChoiceField(label=_("Plan"), required=False)
    owner = forms.ChoiceField(label=_("Owner"), required=False)
    used = forms.ChoiceField(
        label=_("Last used"),
        required=False,
        choices=[("", _("any time")), *((when.value, words) for when, words in LAST_USED.items())],
    )
    page = forms.IntegerField(required=False, min_value=1, max_value=MOST_PAGES)

    def __init__(self, data: Any, *, person: Person) -> None:
        super().__init__(data, auto_id="find-%s")
        offered: Choices = choices(person)
        every = ("", _("all"))
        self._offer("topic", [every, *((topic.key, words_in(topic.title)[0]) for topic in offered.topics)])
        self._offer("language", [every, *((tag, language_name(tag)) for tag in offered.languages)])
        self._offer("plan", [every, *((plan.key, plan.name) for plan in offered.plans)])
        owners = [(str(owner.code), owner.name) for owner in offered.owners]
        self._offer("owner", [every, *owners, (NOBODY, _("nobody"))])
        if not may_write(person.roles):
            del self.fields["state"]  # what isn't published isn't theirs to find
        self.fields["q"].widget.attrs |= {"type": "search", "autocomplete": "off", "spellcheck": "false"}

    def _offer(self, name: str, offered: list[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101 - for the type checker
        field.choices = offered

    @property
    def filters(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in {"q", "page"}]

    @property
    def asked(self) -> dict[str, str]:
        """What was filled in, by name and as it stands in an address; the page left out."""
        return {name: str(value) for name, value in self.cleaned_data.items() if value and name != "page"}

    @property
    def search(self) -> Search:
        return Search(**{name: value for name, value in self.cleaned_data.items() if name != "page" and value})

    @property
    def number(self) -> int:
        return self.cleaned_data.get("page") or 1
