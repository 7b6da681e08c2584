"""What scoring adds to the home page: the cards that wait to be submitted."""

from __future__ import annotations

from django.http import HttpRequest

from people.models import Person
from scoring.queries.cards import owed_cards


def owed_section(request: HttpRequest) -> tuple[str, dict[str, object]] | None:
    """Return the section's template and context, or None when the person owes no card."""
    person = request.user
    if not isinstance(person, Person):
        return None
    seats = owed_cards(person)
    return ("scoring/home_cards.html", {"seats": seats}) if seats else None
