"""The test of the test: take one guard of the seal away, and the sealing matrix finds what it kept.

Walked by those whom the guard kept out, on the pages that show judgements; with every guard in its place the same walk
finds nothing.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import Q

from interviews import sealed
from interviews.models import Seat
from scoring.queries import cards, panel
from tests.cast import Cast
from tests.house.test_sealing_matrix import AUTHOR, FIGURES, MARKS, PAGES, check_pages
from tests.house.worlds import STATES, World

pytestmark = pytest.mark.db

# The PDF is drawn from the page's own report, in a second each.
ROUTES = [route for route in PAGES if route.name in (AUTHOR | FIGURES | {MARKS}) - {"scoring:panel-pdf"}]

NOBODY, EVERYBODY = Q(pk__in=[]), Q(pk__isnull=False)


def only_what_was_submitted(patch: pytest.MonkeyPatch) -> None:
    def drafts_too(viewer: Any) -> Any:
        return Seat.objects.filter(Q(person=viewer) | sealed.readable(viewer, "interview__application")).distinct()

    patch.setattr(sealed, "open_seats", drafts_too)
    patch.setattr(cards, "open_seats", drafts_too)


def whose_card_may_be_read(patch: pytest.MonkeyPatch) -> None:
    def every_seat(viewer: Any) -> Any:
        return Seat.objects.all()

    patch.setattr(sealed, "open_seats", every_seat)
    patch.setattr(cards, "open_seats", every_seat)


def the_figures_wait_for_all(patch: pytest.MonkeyPatch) -> None:
    """Raters with their own card in would read a mean that is the other's card."""
    for place in (sealed, panel):
        patch.setattr(place, "readable_panel", sealed.readable)


def the_duty_on_the_person(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sealed, "duty", lambda viewer, candidate: NOBODY)


def all_must_be_in(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(sealed, "all_in", lambda application: EVERYBODY)


# What is removed, in which state it kept something from whom.
REMOVED = [
    (only_what_was_submitted, "opened early, Bo's a draft", "mara"),
    (whose_card_may_be_read, "Bo's card in", "chen"),
    (the_figures_wait_for_all, "Bo's and Ana's in", "ana"),
    (the_duty_on_the_person, "all in, Chen meets them again", "chen"),
    (all_must_be_in, "Bo's and Ana's in, after all", "ana"),
]


@pytest.mark.parametrize(("remove", "name", "who"), REMOVED, ids=[remove.__name__ for remove, *_rest in REMOVED])
def test_the_matrix_fails_when_a_guard_is_removed(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, remove: Any, name: str, who: str
) -> None:
    state = next(state for state in STATES if state.name == name)
    world = World(cast, state.sealing)
    state.reach(world)
    check_pages(world, state, (who,), ROUTES)

    with monkeypatch.context() as patch:
        remove(patch)
        with pytest.raises(AssertionError):
            check_pages(world, state, (who,), ROUTES)
