"""The test of the test: take one guard of the seal away, and the sealing matrix finds what it kept.

Walked on the pages that show judgements alone: a leak that the matrix could miss is one there.
"""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models import Q

from interviews import sealed
from interviews.models import Seat
from interviews.sealed import SealedManager
from scoring.queries import cards, panel
from tests.cast import Cast
from tests.house.test_sealing_matrix import AUTHOR, INSIDE, PAGES, check_words
from tests.house.worlds import STATES, State

pytestmark = pytest.mark.db

# The PDF is drawn from the page's own report, in a second each.
ROUTES = [route for route in PAGES if route.name in AUTHOR - {"scoring:panel-pdf"}]

NOBODY, EVERYBODY = Q(pk__in=[]), Q(pk__isnull=False)


def state(name: str) -> State:
    return next(state for state in STATES if state.name == name)


def rows_of_judgements(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(SealedManager, "visible_to", lambda manager, viewer: manager._rows())


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


REMOVED = [
    (rows_of_judgements, "Bo's card in"),
    (whose_card_may_be_read, "Bo's card in"),
    (the_figures_wait_for_all, "Bo's and Ana's in"),
    (the_duty_on_the_person, "all in, Chen meets them again"),
    (all_must_be_in, "Bo's and Ana's in, after all"),
]


@pytest.mark.parametrize(("remove", "name"), REMOVED, ids=[remove.__name__ for remove, _name in REMOVED])
def test_the_matrix_fails_when_a_guard_is_removed(
    cast: Cast, monkeypatch: pytest.MonkeyPatch, remove: Any, name: str
) -> None:
    with monkeypatch.context() as patch:
        remove(patch)
        with pytest.raises(AssertionError):
            check_words(cast, state(name), INSIDE, ROUTES)


def test_with_every_guard_in_its_place_the_same_walk_finds_nothing(cast: Cast) -> None:
    check_words(cast, state("Bo's and Ana's in"), INSIDE, ROUTES)
