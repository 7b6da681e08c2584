"""This app's part of the home page. Importing this module adds it (ScoringConfig.ready)."""

from __future__ import annotations

from django.http import HttpRequest

from people import lifecycle
from people.models import Person
from scoring.queries.blind import own_markings
from scoring.queries.debriefs import debriefs_to_join


def markings(request: HttpRequest) -> tuple[str, dict[str, object]] | None:
    person = request.user
    if not isinstance(person, Person) or not person.is_interviewer:
        return None
    waiting = list(own_markings(person))
    return ("scoring/home_markings.html", {"markings": waiting}) if waiting else None


def debriefs(request: HttpRequest) -> tuple[str, dict[str, object]] | None:
    """How who judged finds a debrief: nothing else leads them to the application."""
    person = request.user
    if not isinstance(person, Person):
        return None
    under_way = debriefs_to_join(person)
    return ("scoring/home_debriefs.html", {"debriefs": under_way}) if under_way else None


lifecycle.home_sections += [markings, debriefs]
