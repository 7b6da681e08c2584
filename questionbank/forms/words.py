"""A text of the bank in a form: it can be read, and reads as it is kept."""

from __future__ import annotations

import re
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from questionbank.limits import TURNING, says_something

_TURNERS: Final = re.compile(f"[{TURNING}]")


class ReadableField(forms.CharField):
    """Words with a letter or digit in them; what would turn their direction is left out."""

    def to_python(self, value: Any) -> str:
        return super().to_python(_TURNERS.sub("", value) if isinstance(value, str) else value) or ""

    def validate(self, value: str) -> None:
        super().validate(value)
        if value and not says_something(value):
            raise ValidationError(_("Write it with letters or digits: nobody can read this."))
