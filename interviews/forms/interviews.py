"""The forms of an interview: making it, moving it, its seats, and who did not come."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django import forms
from django.utils.translation import gettext_lazy as _

from interviews.enums import ASKERS, Role, Shape
from interviews.forms.fields import OnceField
from interviews.labels import MISSING, SEATS, SHAPES
from interviews.models import Application, Interview
from interviews.queries.interviews import InterviewPage
from interviews.queries.seating import may_sit, seatable_people
from interviews.queries.trees import TreeChoice, tree_choices
from people.clock import local
from people.forms import ZoneField
from people.models import Person


class WhenForm(forms.Form):
    """A local time in a named zone."""

    day = forms.DateField(label=_("Date"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"))
    at = forms.TimeField(label=_("Time"), widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M"))
    time_zone = ZoneField(help_text=_("The time above is read in this zone. Everyone sees it in their own."))
    minutes = forms.IntegerField(label=_("Minutes"), min_value=5, max_value=480, initial=60)
    meeting_link = forms.URLField(
        label=_("Meeting link"), required=False, max_length=500, assume_scheme="https", help_text=_("For the sound.")
    )

    @property
    def when(self) -> dict[str, Any]:
        """The fields of interviews.services.scheduling.When."""
        cleaned = self.cleaned_data
        return {
            "day": cleaned["day"],
            "at": cleaned["at"],
            "zone": cleaned["time_zone"],
            "minutes": cleaned["minutes"],
        }


class MoveForm(WhenForm):
    # The start that the page showed, so that two people can't move over each other unseen.
    seen = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, *args: Any, interview: Interview, **options: Any) -> None:
        starts = local(interview.starts_at, interview.time_zone)
        options["initial"] = {
            "day": starts.date(),
            "at": starts.time(),
            "time_zone": interview.time_zone,
            "minutes": interview.minutes,
            "meeting_link": interview.meeting_link,
            "seen": interview.starts_at.isoformat(),
        }
        super().__init__(*args, **options)

    def clean_seen(self) -> datetime:
        try:
            return datetime.fromisoformat(self.cleaned_data["seen"]).astimezone(UTC)
        except (OverflowError, ValueError):
            raise forms.ValidationError(_("Open the page again.")) from None


class TreeForm(forms.Form):
    """One tree that the interview may pin."""

    key = forms.CharField(widget=forms.HiddenInput, max_length=80)
    use = forms.BooleanField(required=False, label=_("Ask"))
    minutes = forms.IntegerField(min_value=1, max_value=240, label=_("Minutes"))
    asker = forms.ChoiceField(required=False, label=_("Asked by"))


class InterviewForm(WhenForm):
    """Everything of a new interview but its trees, which are `trees`: a list of (TreeChoice, TreeForm)."""

    code = OnceField()
    shape = forms.TypedChoiceField(
        label=_("Shape"), choices=list(SHAPES.items()), coerce=Shape, widget=forms.RadioSelect, initial=Shape.PANEL
    )
    lead = forms.ChoiceField(label=_("Lead"), help_text=_("Asks, follows branches, starts and ends."))
    interviewers = forms.MultipleChoiceField(
        label=_("Interviewers"), required=False, widget=forms.CheckboxSelectMultiple
    )
    shadows = forms.MultipleChoiceField(
        label=_("Shadows"), required=False, widget=forms.CheckboxSelectMultiple, help_text=_("Mark to learn.")
    )
    observers = forms.MultipleChoiceField(
        label=_("Observers"), required=False, widget=forms.CheckboxSelectMultiple, help_text=_("Listen only.")
    )
    field_order = ("code", "shape")

    def __init__(self, *args: Any, application: Application, **options: Any) -> None:
        super().__init__(*args, **options)
        self._people = {str(person.code): person for person in seatable_people()}
        self._fill("lead", Role.LEAD, empty=True)
        self._fill("interviewers", Role.INTERVIEWER)
        self._fill("shadows", Role.SHADOW)
        self._fill("observers", Role.OBSERVER)
        self.trees = [(choice, self._tree(choice)) for choice in tree_choices(application)]

    def _fill(self, name: str, role: Role, *, empty: bool = False) -> None:
        choices = [(code, person.name) for code, person in self._people.items() if may_sit(person, role)]
        self.fields[name].choices = [*([("", "---")] if empty else []), *choices]  # type: ignore[attr-defined]

    def _tree(self, choice: TreeChoice) -> TreeForm:
        initial = {"key": choice.key, "use": choice.planned, "minutes": choice.minutes}
        form = TreeForm(self.data if self.is_bound else None, prefix=f"tree-{choice.key}", initial=initial)
        form.fields["asker"].choices = [("", _("the lead")), *self.fields["lead"].choices[1:]]  # type: ignore[attr-defined]
        return form

    @property
    def askers(self) -> list[Person]:
        """Who can be seated to ask."""
        return [person for person in self._people.values() if may_sit(person, Role.INTERVIEWER)]

    @property
    def picked(self) -> list[Person]:
        """Who is chosen to ask, in what was sent so far; the form may have mistakes."""
        if not self.is_bound:
            return []
        sent = [self.data.get("lead", ""), *self["interviewers"].data]
        return [self._people[code] for code in dict.fromkeys(sent) if code in self._people]

    @property
    def titles(self) -> dict[int, str]:
        """What the trees are called that can be asked, the plan's first."""
        return {choice.version.tree_id: choice.title for choice, _form in self.trees}

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        broken = [choice for choice, form in self.trees if not form.is_valid()]
        if broken:
            raise forms.ValidationError(_("Look at the trees: minutes are whole numbers from 1 to 240."))
        return cleaned

    def person(self, code: str) -> Person:
        return self._people[code]

    @property
    def seats(self) -> Iterator[tuple[Person, Role]]:
        """Who sits where, the lead first."""
        yield self.person(self.cleaned_data["lead"]), Role.LEAD
        for name, role in (
            ("interviewers", Role.INTERVIEWER),
            ("shadows", Role.SHADOW),
            ("observers", Role.OBSERVER),
        ):
            for code in self.cleaned_data[name]:
                yield self.person(code), role

    @property
    def chosen_trees(self) -> Iterator[tuple[TreeChoice, int, Person | None]]:
        """The trees to pin: (choice, minutes, who asks it or None for the lead)."""
        for choice, form in self.trees:
            cleaned = form.cleaned_data
            if cleaned["use"]:
                yield choice, cleaned["minutes"], self.person(cleaned["asker"]) if cleaned["asker"] else None


class SeatForm(forms.Form):
    """Somebody for a seat: in place of another (`role` given), or one more."""

    person = forms.ChoiceField(label=_("Person"))
    role = forms.TypedChoiceField(
        label=_("Seat"), choices=list(SEATS.items()), coerce=Role, widget=forms.RadioSelect, initial=Role.INTERVIEWER
    )

    def __init__(self, *args: Any, interview: Interview, role: Role | None = None, **options: Any) -> None:
        super().__init__(*args, **options)
        seated = set(interview.seats.filter(removed_at__isnull=True).values_list("person", flat=True))
        free = [person for person in seatable_people() if person.pk not in seated]
        if role:
            free = [person for person in free if may_sit(person, role)]
            del self.fields["role"]
        self._people = {str(person.code): person for person in free}
        self.fields["person"].choices = [("", "---"), *((c, p.name) for c, p in self._people.items())]  # type: ignore[attr-defined]

    @property
    def askers(self) -> list[Person]:
        """Who can be seated to ask."""
        return [person for person in self._people.values() if may_sit(person, Role.INTERVIEWER)]

    def clean_person(self) -> Person:
        return self._people[self.cleaned_data["person"]]


class AskersForm(forms.Form):
    """Who asks which of the pinned trees: one field for each, called by the tree's key."""

    def __init__(self, *args: Any, page: InterviewPage, **options: Any) -> None:
        super().__init__(*args, **options)
        self._pinned = {tree.key: tree.pinned.pk for tree in page.trees}
        seats = [(str(one.code), one.person.name) for one in page.seats if one.role in ASKERS and one.person]
        for tree in page.trees:
            self.fields[tree.key] = forms.ChoiceField(
                label=tree.title, choices=seats, initial=str(tree.asker.code) if tree.asker else None
            )

    @property
    def askers(self) -> dict[int, UUID]:
        """What interviews.services.seating.share_trees takes."""
        return {pk: UUID(self.cleaned_data[key]) for key, pk in self._pinned.items()}


class NoShowForm(forms.Form):
    role = forms.TypedChoiceField(
        label=_("Who did not come?"),
        choices=list(MISSING.items()),
        coerce=Role,
        widget=forms.RadioSelect,
        initial=Role.CANDIDATE,
    )
