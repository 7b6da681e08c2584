"""The forms of an import: the files, and what the columns of tables hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext_lazy as _

from people.files import FilesField, FilesInput
from questionbank.exchange.files import FORMATS
from questionbank.exchange.outlines.columns import Role

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

MOST_FILES: Final = 100
LONGEST_LABEL: Final = 60
TOGETHER: Final = 4
"""All files of one import may be this many times the size of one."""


class UploadForm(forms.Form):
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        endings = sorted(ending for one in FORMATS.values() for ending in one.endings)
        words = {"endings": ", ".join(endings), "most": filesizeformat(settings.BANK_FILE_BYTES)}
        self.fields["documents"] = FilesField(
            label=_("Files"),
            most=MOST_FILES,
            largest=settings.BANK_FILE_BYTES,
            help_text=_("One or several. Known endings: %(endings)s. At most %(most)s each.") % words,
            widget=FilesInput(attrs={"accept": ",".join(endings)}),
        )

    def clean_documents(self) -> list[UploadedFile]:
        files: list[UploadedFile] = self.cleaned_data["documents"]
        most = TOGETHER * settings.BANK_FILE_BYTES
        if sum(file.size or 0 for file in files) > most:
            raise forms.ValidationError(
                _("Together the files are larger than %(most)s. Send them in parts."),
                params={"most": filesizeformat(most)},
            )
        return files


ROLES: Final[Mapping[Role, _StrPromise]] = {
    Role.QUESTION: _("question"),
    Role.ANSWER: _("answer"),
    Role.TOPIC: _("topic"),
    Role.FOLLOW_UP: _("follow-up question"),
    Role.FOLLOW_UP_ANSWER: _("answer to the follow-up"),
    Role.ID: _("number or id of the row"),
    Role.PARENT: _("id of the row it follows"),
    Role.LEVEL: _("level"),
    Role.IGNORED: _("not read"),
}


@dataclass(frozen=True, slots=True)
class SheetColumns:
    """A sheet as the form draws it: for each column its name and its field, None where it has one further up."""

    file: str
    sheet: str
    columns: list[tuple[str, forms.BoundField | None]]
    rows: list[list[str]]


class ColumnsForm(forms.Form):
    """What the columns of tables hold. Columns of one name in one file hold the same, on whatever sheet they stand."""

    def __init__(self, *args: Any, tables: Sequence[Mapping[str, Any]], **options: Any) -> None:
        super().__init__(*args, **options)
        self._tables = tables
        self._names: dict[str, tuple[int, str]] = {}
        for table in tables:
            for name, role in zip(table["header"], table["roles"], strict=True):
                self._add(table["position"], name, role)

    def _add(self, position: int, name: str, role: str) -> None:
        if name.strip() and (position, name) not in self._names.values():
            field = f"column-{len(self._names)}"
            self._names[field] = (position, name)
            label = name if len(name) <= LONGEST_LABEL else f"{name[:LONGEST_LABEL]}…"
            self.fields[field] = forms.ChoiceField(label=label, choices=list(ROLES.items()), initial=role)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        for position, roles in self._roles(cleaned).items():
            if Role.QUESTION not in roles.values():
                file = next(table["file"] for table in self._tables if table["position"] == position)
                self.add_error(None, _("%(file)s: say which column holds the questions.") % {"file": file})
        return cleaned

    @property
    def columns(self) -> dict[int, dict[str, str]]:
        """{position of the file: {name of a column: role}}."""
        return self._roles(self.cleaned_data)

    def _roles(self, cleaned: Mapping[str, str]) -> dict[int, dict[str, str]]:
        found: dict[int, dict[str, str]] = {}
        for field, (position, name) in self._names.items():
            found.setdefault(position, {})[name] = cleaned.get(field, Role.IGNORED)
        return found

    def sheets(self) -> Iterator[SheetColumns]:
        drawn: set[tuple[int, str]] = set()
        by_column = {column: field for field, column in self._names.items()}
        for table in self._tables:
            columns: list[tuple[str, forms.BoundField | None]] = []
            for name in table["header"]:
                column = (table["position"], name)
                shown = column in by_column and column not in drawn
                columns.append((name, self[by_column[column]] if shown else None))
                drawn.add(column)
            yield SheetColumns(table["file"], table["sheet"], columns, table["rows"])
