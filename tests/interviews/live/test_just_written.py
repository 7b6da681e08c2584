"""What an author's frame shows comes with its event: the same frame as from the tables, without asking them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

import interviews.live.interview_room  # noqa: F401 - registers itself
from interviews import bus, log
from interviews.live import frames
from interviews.live.feeds import RoomFeed
from interviews.live.kinds import KINDS
from interviews.live.rings import Ring
from interviews.models import Event
from interviews.queries.standing import Standing
from tests.cast import Cast
from tests.house.test_command_matrix import Prepared
from tests.support.factories import make_scene

pytestmark = pytest.mark.db


class Line:
    """The author's page."""

    def __init__(self, seat: int, stream: str) -> None:
        self.seat, self.session_key, self.language = seat, None, "zh-hans"
        self.streams, self.cursors = {log.MINE: stream}, {log.MINE: 0}
        self.wake = asyncio.Event()

    async def rights(self, standing: Standing | None) -> None: ...
    def presence(self, frame: str) -> None: ...
    def listen(self, now: float) -> None: ...


@pytest.fixture
def heard(django_capture_on_commit_callbacks: Any, cast: Cast) -> dict[str, Event]:
    """By their names, events as the process that wrote them hears of them."""
    room = Prepared(make_scene(cast))
    written: dict[str, Event] = {}

    def listen(hint: dict[str, Any], events: Sequence[Event] = ()) -> None:
        written.update({event.name: event for event in events})

    bus.listeners.append(listen)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            # What was said before stands in the frame of a mark too.
            room.do("bo", "mark.set", asked=room.asked, version=1, aid="hinted")
            room.do("bo", "note.set", asked=room.asked, text="Quick & <calm>", version=1)
            room.do("bo", "note.set", asked=room.asked, text="Slow", version=2)
    finally:
        bus.listeners.remove(listen)
    return written


def test_frame_of_what_was_just_written_is_the_one_that_the_tables_give(heard: dict[str, Event]) -> None:
    assert set(heard) == {"mark.set", "note.set"}
    for event in heard.values():
        assert event.wrote is not None
        with CaptureQueriesContext(connection) as captured:
            (drawn,) = frames.draw_all([event], "en")
        (kept,) = log.since(event.room_id, {event.stream: event.seq - 1}, limit=1)
        assert frames.draw_all([kept], "en") == [drawn]
        assert len(captured) == 0


async def test_feed_draws_it_for_its_author_and_keeps_no_words(heard: dict[str, Event]) -> None:
    event = heard["note.set"]
    assert event.seat is not None
    feed = RoomFeed(event.room_id, KINDS["interview"])
    ring = feed.rings[event.stream] = Ring(event.seq - 1)
    line = Line(event.seat.pk, event.stream)
    feed.lines.add(line)

    feed.take([event])

    ((seq, text),) = ring.drawn(event.seq - 1, "zh-hans")
    assert (seq, json.loads(text)["data"]["text"]) == (event.seq, "Slow")
    assert line.wake.is_set()
    assert event.wrote is None
