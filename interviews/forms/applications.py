"""The forms of a candidate and their application, of an excuse, and of a reason."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from interviews.forms.fields import LinesField, OnceField
from interviews.models import Application, Position
from interviews.queries.hiring import known_candidates
from interviews.queries.trees import newest_published
from interviews.rules.uploads import LARGEST, MOST
from people.fields import words_in
from people.files import FilesField
from people.forms import LanguageField
from people.models import Person

LONGEST_REASON = 2000


class CandidateForm(forms.Form):
    """Who applies, and what is known about them."""

    name = forms.CharField(label=_("Name"), max_length=160)
    email = forms.EmailField(label=_("E-mail"), required=False)
    language = LanguageField(help_text=_("The notice and the room are shown to the candidate in it."))
    claims = LinesField(
        label=_("Claims to probe"),
        most=30,
        longest=500,
        help_text=_("What the résumé claims and the interview should look behind. One a line."),
    )
    documents = FilesField(
        label=_("Résumé and other files"),
        required=False,
        most=MOST,
        largest=LARGEST,
        help_text=_("PDF, text, Word (docx), OpenDocument, PNG or JPEG; 10 MB each."),
    )
    links = LinesField(
        label=_("Links"), most=20, longest=600, help_text=_("One a line, a name before the address if you like.")
    )
    accommodations = forms.CharField(
        label=_("Accommodations"),
        required=False,
        max_length=4000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("Breaks, captions, anything the interviewers have to know. They all read it."),
    )
    extra_time_percent = forms.IntegerField(
        label=_("Extra time (%)"), min_value=0, max_value=200, initial=0, help_text=_("Granted on top of the plan.")
    )
    lifted_trees = forms.MultipleChoiceField(
        label=_("Optional trees to ask all the same"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Because the résumé claims the subject."),
    )

    def __init__(self, *args: Any, position: Position, **options: Any) -> None:
        super().__init__(*args, **options)
        optional = set(position.optional_trees.values_list("pk", flat=True))
        versions = [version for version in newest_published() if version.tree_id in optional] if optional else []
        self._trees = {version.tree.key: version for version in versions}
        if not versions:
            del self.fields["lifted_trees"]
            return
        self.fields["lifted_trees"].choices = [  # type: ignore[attr-defined]
            (key, words_in(version.title)[0]) for key, version in self._trees.items()
        ]

    def clean_lifted_trees(self) -> list[Any]:
        return [self._trees[key].tree for key in self.cleaned_data["lifted_trees"]]

    @property
    def details(self) -> dict[str, Any]:
        """The fields of interviews.services.hiring.CandidateDetails."""
        names = ("name", "email", "language", "accommodations", "extra_time_percent")
        return {name: self.cleaned_data[name] for name in names}


class ApplicationForm(CandidateForm):
    """A candidate for a position: somebody known from another one, or somebody new."""

    code = OnceField()
    known = forms.ChoiceField(
        label=_("Somebody who applied elsewhere"),
        required=False,
        help_text=_(
            "Then the name and all of that person's stay as they are, and what is sealed there is sealed here."
        ),
    )
    field_order = ("known", "name")

    def __init__(self, *args: Any, viewer: Person, position: Position, **options: Any) -> None:
        super().__init__(*args, position=position, **options)
        self._known = {str(candidate.code): candidate for candidate in known_candidates(viewer, position)}
        self.fields["known"].choices = [  # type: ignore[attr-defined]
            ("", _("Somebody new")),
            *((code, candidate.identity.name) for code, candidate in self._known.items()),
        ]
        if not self._known:
            del self.fields["known"]
        if self.is_bound and "known" in self.fields and self.data.get("known"):
            self.fields["name"].required = False

    def clean_known(self) -> Any:
        return self._known.get(self.cleaned_data["known"])


class ApplicationChangeForm(CandidateForm):
    removed = forms.MultipleChoiceField(
        label=_("Take away"), required=False, widget=forms.CheckboxSelectMultiple, help_text=_("Files and links.")
    )

    def __init__(self, *args: Any, application: Application, **options: Any) -> None:
        super().__init__(*args, position=application.position, **options)
        kept = [(str(attachment.code), attachment.label) for attachment in application.attachments.all()]
        if kept:
            self.fields["removed"].choices = kept  # type: ignore[attr-defined]
        else:
            del self.fields["removed"]


class ReasonForm(forms.Form):
    """Why something is done that somebody may ask about later."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=LONGEST_REASON,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("It is kept with the application, and in the log that it was given."),
    )
