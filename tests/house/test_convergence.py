"""A page that was open meanwhile and a page loaded now are the same page.

For every command and every event: the old page, with the frames of what happened applied by the page's rules, equals
the fresh page, region by region, for every seat that hears of it, in both languages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from bs4 import BeautifulSoup

from interviews import log
from interviews.live.commands import COMMANDS
from interviews.models import Event, Seat
from interviews.queries.standing import standings
from interviews.rendering.regions import MINE_REGIONS, SHARED_REGIONS
from tests.cast import Cast
from tests.house import (
    judging_cases,  # noqa: F401 - adds its cases
    late_cases,  # noqa: F401 - adds its cases
    own_cases,  # noqa: F401 - adds its cases
    panel_cases,  # noqa: F401 - adds its cases
)
from tests.house.room_cases import CANARY, CASES, Case, Room, make
from tests.house.room_page import open_pages, said
from tests.support.factories import make_scene

pytestmark = pytest.mark.db


def test_every_command_has_a_case() -> None:
    assert {case.event for case in CASES} >= set(COMMANDS)


def test_every_event_that_draws_something_has_a_case() -> None:
    assert {case.event for case in CASES} == {*SHARED_REGIONS, *MINE_REGIONS}


def _told_in_both() -> Iterator[Any]:
    """Every case in English; in Chinese, which changes words and nothing else, one of each event, and all where time
    is no matter."""
    seen: set[str] = set()
    for case in CASES:
        name = case.name.replace(" ", "-")
        yield pytest.param(case, "en", id=f"{name}-en")
        yield pytest.param(
            case, "zh-hans", id=f"{name}-zh-hans", marks=[pytest.mark.slow] if case.event in seen else []
        )
        seen.add(case.event)


@pytest.mark.parametrize(("case", "language"), list(_told_in_both()))
def test_an_open_page_becomes_the_fresh_page(cast: Cast, case: Case, language: str) -> None:
    room, steps = make(make_scene(cast), case)
    before = Event.objects.order_by("id").last()
    pages = open_pages(_readers(room, case, language), language)

    next(steps, None)

    happened = Event.objects.filter(id__gt=before.pk if before else 0)
    assert case.event in set(happened.values_list("name", flat=True))
    stay = standings([page.seat.pk for page in pages])
    # Who lost the seat hears no more, nor does a browser that another one took the candidate's seat from.
    pages = [page for page in pages if page.seat.pk in stay and page.browser == stay[page.seat.pk].browser]
    heard = {page.seat.pk: page.hear(language) for page in pages}
    for page, fresh in zip(pages, open_pages([page.seat for page in pages], language), strict=True):
        assert page.cursors == fresh.cursors, page.seat
        assert page.regions() == fresh.regions(), page.seat
        assert said(page.saved, fresh.saved) == said(fresh.saved, fresh.saved), page.seat
    assert any(heard.values())
    for frames in heard.values():
        for frame in frames:
            _check_frame(frame)


def _readers(room: Room, case: Case, language: str) -> list[Seat]:
    """Every kind of seat; of one's own judgements who writes, leads and listens; in the second language one of them."""
    scene = room.scene
    seats = [scene.ana, scene.bo, scene.eli, *([scene.dee] if case.needs_everybody else [])]
    if language != "en":
        seats = [scene.bo]
    if scene.candidate.links.filter(revoked_at__isnull=True, joined_at__isnull=False).exists():
        seats.append(scene.candidate)
    return list(Seat.objects.filter(pk__in=[seat.pk for seat in seats]).select_related("person", "interview"))


CONTROL = re.compile(r"<(button|input|select|form|a)\b|\b(hx-|data-command|popovertarget|aria-keyshortcuts)")


def _check_frame(frame: dict[str, Any]) -> None:
    """No control, zone, key or right in a frame; on shared streams nothing that somebody wrote for themselves."""
    page = BeautifulSoup(frame["html"], "html.parser")
    text = json.dumps(frame, ensure_ascii=False)
    assert CONTROL.search(frame["html"]) is None, frame["html"]
    assert "Europe/" not in text
    own = [tag for tag in page.find_all("textarea") if not (tag.parent.get("id") or "").startswith("my-note-")]
    assert own == []
    if frame["stream"] != log.MINE:
        assert CANARY not in text
        assert frame["name"] not in MINE_REGIONS
        assert page.find_all("textarea") == []
        assert [slot for slot in page.select("[data-slot]") if slot.contents or slot.get("data-outcome")] == []
        assert [tag["id"] for tag in page.select('[id^="my-"]') if not tag["id"].startswith("my-mark-")] == []
