"""The form that takes files for the bank."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext_lazy as _

from people.files import FilesField, FilesInput
from questionbank.exchange.files import FORMATS

MOST_FILES = 100
TOGETHER = 4
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
