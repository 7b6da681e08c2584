"""Fields that several forms of this app share."""

from __future__ import annotations

import uuid
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _


class OnceField(forms.UUIDField):
    """A code made with the empty form. It becomes the code of what is made, so a form sent twice makes one thing."""

    widget = forms.HiddenInput

    def __init__(self) -> None:
        super().__init__(initial=uuid.uuid4, label="")


class LinesField(forms.CharField):
    """A text of one thing a line; the value is a list of the lines that hold something."""

    widget = forms.Textarea

    def __init__(self, *, most: int, longest: int, **options: Any) -> None:
        self.most, self.longest = most, longest
        super().__init__(required=False, max_length=(longest + 2) * most, **options)
        self.widget.attrs.setdefault("rows", 4)

    def to_python(self, value: Any) -> Any:
        lines = [" ".join(line.split()) for line in (super().to_python(value) or "").splitlines()]
        return [line for line in lines if line]

    def run_validators(self, value: Any) -> None:
        super().run_validators("\n".join(value))

    def validate(self, value: Any) -> None:
        super().validate(value)
        if len(value) > self.most:
            raise forms.ValidationError(_("At most %(most)d lines."), params={"most": self.most})
        for line in value:
            if len(line) > self.longest:
                raise forms.ValidationError(
                    _("This line is longer than %(longest)d characters: %(line)s…"),
                    params={"longest": self.longest, "line": line[:60]},
                )

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value
