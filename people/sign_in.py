"""The forms at the door: allauth's own, in the words that the rest of the house uses."""

from __future__ import annotations

from typing import Any

from allauth.account.forms import LoginForm, ResetPasswordForm
from django.utils.translation import gettext_lazy as _


class SignInForm(LoginForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["login"].label = _("E-mail")
        self.fields["login"].widget.attrs.pop("placeholder", None)
        self.fields["password"].help_text = ""  # allauth's way to a new password; the page has one beside the button


class ForgottenForm(ResetPasswordForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["email"].label = _("E-mail")
        self.fields["email"].widget.attrs.pop("placeholder", None)
