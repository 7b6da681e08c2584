"""The form of a plan: its terms, and its trees as rows that can be moved, added and taken out before it is saved."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from people.fields import words_in
from questionbank.enums import Aim
from questionbank.outline import MOST_PLAN_TREES
from questionbank.plan_reading import PlannedTree, tree_choices, trees_named
from questionbank.wording import AIMS

KEY = re.compile(r"[a-z0-9-]{1,80}")
LONGEST = 240


@dataclass(frozen=True, slots=True)
class Row:
    """One tree as the form shows it. `minutes` is what was typed; `error` what is wrong with it."""

    tree: PlannedTree
    minutes: str
    required: bool
    error: str = ""


class PlanForm(forms.Form):
    """`rows` are the trees in their order, read from the list `tree` with `minutes-KEY` and `required-KEY` beside it.

    A button named `do` changes the rows and saves nothing: `up KEY`, `down KEY`, `out KEY`, `add`, `check`.
    """

    name = forms.CharField(label=pgettext_lazy("plan", "Name"), max_length=120)
    minutes = forms.IntegerField(
        label=_("Minutes of the interview"),
        min_value=5,
        max_value=480,
        required=False,
        help_text=_("The trees' minutes should fit in. Leave some for hello and questions."),
    )
    required_aims = forms.TypedMultipleChoiceField(
        label=_("Each interview must ask for"),
        choices=list(AIMS.items()),
        coerce=Aim,
        widget=forms.CheckboxSelectMultiple,
        required=False,
    )
    locked = forms.BooleanField(
        label=_("The lead keeps to the plan"),
        required=False,
        help_text=_("Interviews then take only these trees, and nobody changes them in the room."),
    )
    seen = forms.CharField(widget=forms.HiddenInput, required=False, max_length=16)

    def __init__(self, data: QueryDict | None = None, *, rows: Sequence[tuple[str, int, bool]] = (), **options: Any):
        super().__init__(data, **options)
        self.choices = tree_choices()
        self.rows = self._sent(data) if data is not None else self._given(rows)

    def _given(self, rows: Sequence[tuple[str, int, bool]]) -> list[Row]:
        named = trees_named([key for key, _minutes, _required in rows], self.choices)
        return [Row(named[key], str(minutes), required) for key, minutes, required in rows if key in named]

    def _sent(self, data: QueryDict) -> list[Row]:
        keys = [key for key in dict.fromkeys(data.getlist("tree")) if KEY.fullmatch(key)]
        named = trees_named(keys, self.choices)
        rows = [
            Row(named[key], data.get(f"minutes-{key}", "").strip(), f"required-{key}" in data)
            for key in keys
            if key in named
        ]
        return _done(rows, data.get("do", ""), self.choices.get(data.get("add", "")))

    @property
    def saving(self) -> bool:
        """Whether the form is to be saved, and not only its rows to be changed."""
        return self.is_bound and not self.data.get("do")

    @property
    def moved(self) -> tuple[int, Row] | None:
        """The number from 1, and the row, that a button just moved or added."""
        verb, _blank, key = self.data.get("do", "").partition(" ") if self.is_bound else ("", "", "")
        key = self.data.get("add", "") if verb == "add" else key
        return next(((n, row) for n, row in enumerate(self.rows, 1) if row.tree.key == key), None)

    @property
    def focus(self) -> str:
        """The id of what should be under the fingers after a button was pressed; "" to leave it."""
        verb, _blank, key = self.data.get("do", "").partition(" ") if self.is_bound else ("", "", "")
        if verb in {"up", "down"}:
            return f"{verb}-{key}"
        return {"out": "plan-add", "add": f"minutes-{self.data.get('add', '')}"}.get(verb, "") if verb else ""

    @property
    def addable(self) -> list[tuple[str, str]]:
        """(key, title) of the trees that can be added."""
        taken = {row.tree.key for row in self.rows}
        return [(key, words_in(dict(one.title))[0]) for key, one in self.choices.items() if key not in taken]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        words = str(_("Write a whole number from 1 to 240."))
        self.rows = [replace(row, error="" if number(row.minutes) else words) for row in self.rows]
        if any(row.error for row in self.rows):
            raise forms.ValidationError(_("Look at the trees: minutes are whole numbers from 1 to 240."))
        if (n := len(self.rows)) > MOST_PLAN_TREES:
            over = _("A plan has %(most)d trees at most, this one %(n)d. Take some out.")
            raise forms.ValidationError(over % {"most": MOST_PLAN_TREES, "n": n})
        return cleaned

    @property
    def entries(self) -> list[tuple[PlannedTree, int, bool]]:
        """(tree, minutes, required) of the rows whose minutes can be read."""
        return [(row.tree, n, row.required) for row in self.rows if (n := number(row.minutes))]


def number(typed: str) -> int:
    """Return the minutes that were typed, 0 for what is no number from 1 to 240."""
    if not (typed.isascii() and typed.isdigit() and len(typed) < 5):
        return 0
    return int(typed) if 1 <= int(typed) <= LONGEST else 0


def _done(rows: list[Row], do: str, added: PlannedTree | None) -> list[Row]:
    """Return the rows after one button was pressed; a button that fits nothing changes nothing."""
    verb, _blank, key = do.partition(" ")
    if verb == "add" and added and added.version and added.key not in {row.tree.key for row in rows}:
        return [*rows, Row(added, str(added.version.minutes), required=True)]
    place = next((n for n, row in enumerate(rows) if row.tree.key == key), None)
    if place is None:
        return rows
    rest = [row for row in rows if row.tree.key != key]
    if verb == "out":
        return rest
    to: Mapping[str, int] = {"up": max(place - 1, 0), "down": place + 1}
    if verb in to:
        rest.insert(to[verb], rows[place])
        return rest
    return rows
