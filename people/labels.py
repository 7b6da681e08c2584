"""What the closed lists of people are called on pages."""

from __future__ import annotations

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from people.enums import PersonRole, Theme

ROLES: dict[PersonRole, str | Promise] = {
    PersonRole.ADMINISTRATOR: _("administrator"),
    PersonRole.MANAGER: _("hiring manager"),
    PersonRole.CURATOR: _("curator"),
    PersonRole.INTERVIEWER: _("interviewer"),
    PersonRole.OBSERVER: _("observer"),
}
THEMES: dict[Theme, str | Promise] = {
    Theme.AUTO: _("as the system says"),
    Theme.LIGHT: _("light"),
    Theme.DARK: _("dark"),
}
