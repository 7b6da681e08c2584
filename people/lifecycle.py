"""How a lower app talks upward without importing: registries that each app fills in AppConfig.ready(), and two signals.

Signals: `interview_ended(interview_id)` and `rights_changed(room_id, seat_ids)`, both sent after the commit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from django.dispatch import Signal
from django.http import HttpRequest

if TYPE_CHECKING:
    from people.models import Person

Called = Mapping[int, str]

interview_ended = Signal()
rights_changed = Signal()

# name -> function(application id): deletes or blanks what an app keeps about an application.
erasers: dict[str, Callable[[int], None]] = {}
# function(person id): closes the sockets that this person no longer has a right to. Called after the commit.
room_closers: list[Callable[[int], None]] = []
# function(person): called in the transaction that changes roles or closes an account, before it does.
before_rights_change: list[Callable[[Person], None]] = []
# What the home page lists: function(request) -> (template, context) or None.
home_sections: list[Callable[[HttpRequest], tuple[str, dict[str, object]] | None]] = []

# What is said beside the seats of an interview that is being made: function(seated, free, trees) -> (template, context)
# or None. People and trees by id, with what they are called; who is `free` may yet get a seat.
pairing_hints: list[Callable[[Called, Called, Called], tuple[str, dict[str, object]] | None]] = []


def pairing_for(seated: Called, free: Called, trees: Called) -> list[tuple[str, dict[str, object]]]:
    return [said for hint in pairing_hints if (said := hint(seated, free, trees)) is not None]


def close_rooms_of(person: int) -> None:
    for close in room_closers:
        close(person)


def sections_for(request: HttpRequest) -> Iterator[tuple[str, dict[str, object]]]:
    for section in home_sections:
        if (drawn := section(request)) is not None:
            yield drawn
