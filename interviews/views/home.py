"""This app's part of the home page. Importing this module adds it (InterviewsConfig.ready)."""

from __future__ import annotations

from django.http import HttpRequest

from interviews.queries.hiring import position_rows
from interviews.queries.home import home
from people import lifecycle
from people.models import Person


def needs(request: HttpRequest) -> tuple[str, dict[str, object]] | None:
    if not isinstance(request.user, Person):
        return None
    found = home(request.user)
    if not found.needs and not found.next:
        return None
    return "interviews/home_needs.html", {"needs": found.needs, "next": found.next}


def positions(request: HttpRequest) -> tuple[str, dict[str, object]] | None:
    person = request.user
    if not isinstance(person, Person) or not (person.is_manager or person.is_administrator):
        return None
    return "interviews/home_positions.html", {"positions": position_rows(person)}


lifecycle.home_sections += [needs, positions]
