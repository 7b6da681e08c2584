"""One process's hub: what fails in one room, one socket or one hint keeps nothing from another."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import AsyncIterator, Callable, Iterable
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connections

import interviews.live.interview_room  # noqa: F401 - registers itself
from interviews import bus, log
from interviews.enums import InterviewStatus
from interviews.live import consumer, feeds
from interviews.live import hub as hubs
from interviews.live.crews import Crew
from interviews.live.feeds import RoomFeed
from interviews.live.hub import Hub
from interviews.live.kinds import KINDS, RoomKind
from interviews.live.rings import Ring
from interviews.queries.standing import Standing
from tests.cast import Cast
from tests.house.acting import do
from tests.support.factories import Scene, make_scene

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("async_connections")]

KIND = KINDS["interview"]


@pytest.fixture
async def crew(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Crew]:
    """One thread in place of three, so that its connection can be closed."""
    one = Crew("test", 1)
    for module in (consumer, feeds, hubs):
        monkeypatch.setattr(module, "readers", one)
    yield one
    await one.do(connections.close_all)


@pytest.fixture
async def hub(crew: Crew, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Hub]:
    """A hub that neither ticks nor listens by itself."""
    one = Hub()
    await end(one.tasks)
    monkeypatch.setattr(hubs, "_hub", one)
    yield one
    bus.listeners.remove(one.heard_here)
    await end(one.tasks)


async def end(tasks: Iterable[asyncio.Task[None]]) -> None:
    ending = list(tasks)
    for task in ending:
        task.cancel()
    await asyncio.gather(*ending, return_exceptions=True)


@pytest.fixture
def live(transactional_db: None, cast: Cast) -> Scene:
    return make_scene(cast, status=InterviewStatus.LIVE)


class Line:
    """A socket as the hub sees one, which says what it was told."""

    def __init__(self, seat: int, session_key: str | None, told: list[str], fails: bool = False) -> None:
        self.seat = seat
        self.session_key = session_key
        self.streams = {"panel": log.PANEL}
        self.cursors: dict[str, int] = {}
        self.wake = asyncio.Event()
        self.standing: Standing | None = None
        self.heard: list[str] = []
        self._told = told
        self._fails = fails

    async def rights(self, standing: Standing | None) -> None:
        self._told.append("rights")
        if self._fails:
            raise RuntimeError("this line")
        self.standing = standing

    def presence(self, frame: str) -> None:
        self.heard.append(frame)

    def listen(self, now: float) -> None: ...


def fails(*_: Any) -> Any:
    raise RuntimeError("this room")


def another_kind(**answers: Callable[..., Any]) -> RoomKind:
    return dataclasses.replace(KIND, **answers)


async def test_a_reading_that_moves_nothing_ends(crew: Crew, live: Scene) -> None:
    """Whatever is wrong with a stream, who waits for the room's readings must not wait for ever."""
    await sync_to_async(do)(live.ana, "interview.pause")
    feed = RoomFeed(live.interview.room_id, KIND)
    feed.rings[log.PANEL] = Ring(head=-5)  # waits for what is not in the table
    async with asyncio.timeout(5):
        await feed.catch_up()
    feed.rings[log.PANEL] = Ring(head=0)
    await feed.catch_up()
    assert feed.rings[log.PANEL].head >= 1
