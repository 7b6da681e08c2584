"""What every page's frame needs."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.translation import gettext as _

from people.enums import PersonRole, Theme
from people.models import Person

THEME_COOKIE = "theme"


def base(request: HttpRequest) -> dict[str, Any]:
    """Return {nav: [{url, label, current}], theme: auto | light | dark, zone: the person's, if signed in}."""
    person = getattr(request, "user", None)
    if not isinstance(person, Person):
        return {"nav": [], "theme": _theme(request, Theme.AUTO)}
    return {"nav": _nav(request, person), "theme": _theme(request, Theme(person.theme)), "zone": person.time_zone}


def _theme(request: HttpRequest, default: Theme) -> str:
    chosen = request.COOKIES.get(THEME_COOKIE, "")
    return chosen if chosen in set(Theme) else default.value


def _nav(request: HttpRequest, person: Person) -> list[dict[str, Any]]:
    entries = [
        ("people:home", _("Home"), ()),
        ("interviews:interview-list", _("Interviews"), ()),
        ("interviews:position-list", _("Positions"), (PersonRole.MANAGER, PersonRole.ADMINISTRATOR)),
        (
            "questionbank:bank-list",
            _("Bank"),
            (PersonRole.CURATOR, PersonRole.MANAGER, PersonRole.INTERVIEWER, PersonRole.ADMINISTRATOR),
        ),
        (
            "scoring:interviewer-list",
            _("Marking"),
            (PersonRole.INTERVIEWER, PersonRole.MANAGER, PersonRole.ADMINISTRATOR),
        ),
        ("people:person-list", _("People"), (PersonRole.ADMINISTRATOR,)),
    ]
    nav = []
    for name, label, roles in entries:
        if roles and not person.has_role(*roles):
            continue
        try:
            url = reverse(name)
        except NoReverseMatch:
            continue
        current = request.path == url or (url != "/" and request.path.startswith(url))
        nav.append({"url": url, "label": label, "current": current})
    return nav
