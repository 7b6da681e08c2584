"""The form of a position."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from interviews.enums import SealingPolicy
from interviews.forms.fields import OnceField
from interviews.labels import SEALING
from interviews.models import Position
from interviews.queries.trees import newest_published
from people.enums import PersonRole
from people.fields import words_in
from people.models import Person
from questionbank.models import Plan


class PositionForm(forms.Form):
    """Cleaned values: the fields of interviews.services.hiring.PositionTerms, and `code` where a position is made."""

    code = OnceField()
    title = forms.CharField(label=_("Title"), max_length=160)
    plan = forms.ModelChoiceField(
        Plan.objects.all(),
        label=_("Plan"),
        required=False,
        empty_label=_("No plan: choose the trees with each interview"),
        help_text=_("The question trees that interviews for this position start from."),
    )
    managers = forms.MultipleChoiceField(
        label=_("Managers"),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("They see its candidates, schedule interviews and decide."),
    )
    sealing = forms.TypedChoiceField(
        label=_("When may a rater read the others' cards?"),
        choices=list(SEALING.items()),
        coerce=SealingPolicy,
        widget=forms.RadioSelect,
        initial=SealingPolicy.AFTER_OWN,
    )
    retention_days = forms.IntegerField(
        label=_("Days kept after closing"),
        min_value=1,
        max_value=3650,
        initial=180,
        help_text=_("Then names and words about the candidates are to be erased."),
    )
    optional_trees = forms.MultipleChoiceField(
        label=_("Optional trees"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Asked only of candidates who have met the subject; not having met it counts for nothing."),
    )
    chat = forms.BooleanField(
        label=_("The panel may chat in the room"),
        required=False,
        help_text=_("The candidate never sees it. Judgements do not belong there."),
    )

    def __init__(self, *args: Any, position: Position | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        self._trees = {version.tree.key: version for version in newest_published()}
        may_manage = Q(roles__contains=[PersonRole.MANAGER], is_active=True)
        if position:
            may_manage |= Q(positions=position)
        self._people = {
            str(person.code): person for person in Person.objects.filter(may_manage).distinct().order_by("name", "pk")
        }
        self.fields["managers"].choices = [(code, person.name) for code, person in self._people.items()]  # type: ignore[attr-defined]
        self.fields["optional_trees"].choices = [  # type: ignore[attr-defined]
            (key, words_in(version.title)[0]) for key, version in self._trees.items()
        ]
        if position:
            del self.fields["code"]

    def clean_managers(self) -> list[Person]:
        return [self._people[code] for code in self.cleaned_data["managers"]]

    def clean_optional_trees(self) -> list[Any]:
        return [self._trees[key].tree for key in self.cleaned_data["optional_trees"]]
