"""Files that people send: the field for several of them, and what their names are shown as."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext_lazy as _

MEGABYTE = 1024 * 1024


class FilesInput(forms.ClearableFileInput):
    allow_multiple_selected = True
    template_name = "django/forms/widgets/file.html"


class FilesField(forms.FileField):
    """Several files at once; the value is a list. `largest`: bytes of one. Too many or too large: none is read."""

    widget = FilesInput

    def __init__(self, *, most: int, largest: int, **options: Any) -> None:
        self.most, self.largest = most, largest
        super().__init__(**options)

    def clean(self, data: Any, initial: Any = None) -> list[UploadedFile]:
        # Nothing at all is judged as one file that is missing.
        sent: Sequence[Any] = (data if isinstance(data, list | tuple) else [data]) or [None]
        if len(sent) > self.most:
            raise forms.ValidationError(_("At most %(most)d files at once."), params={"most": self.most})
        for file in sent:
            if file and file.size > self.largest:
                raise forms.ValidationError(
                    _("%(name)s is larger than %(most)d MB."),
                    params={"name": file.name, "most": self.largest // MEGABYTE},
                )
        return [file for each in sent if (file := super(FilesField, self).clean(each, initial))]


def clean_name(name: str) -> str:
    """Return a file's name without folders, control and direction characters, at most 160 characters."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    visible = "".join(" " if unicodedata.category(sign)[0] in "CZ" else sign for sign in last)
    words = " ".join(visible.replace('"', "'").split()).lstrip(".")
    stem, dot, last_part = words.rpartition(".")
    if not dot or not stem:
        return words[:160] or "file"
    return f"{stem[: 159 - len(last_part)]}.{last_part}" if len(last_part) < 10 else words[:160]
