"""This app's part of the home page. Importing this module adds it (ScoringConfig.ready)."""

from __future__ import annotations

from django.http import HttpRequest

from people import lifecycle
from people.models import Person
from scoring.queries.blind import own_markings


def markings(request: HttpRequest) -> tuple[str, dict[str, object]] | None:
    person = request.user
    if not isinstance(person, Person) or not person.is_interviewer:
        return None
    waiting = list(own_markings(person))
    return ("scoring/home_markings.html", {"markings": waiting}) if waiting else None


lifecycle.home_sections.append(markings)
