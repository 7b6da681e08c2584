"""One process's hub: what fails in one room, one socket or one hint keeps nothing from another."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import uuid
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from contextlib import suppress
from typing import Any, cast

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from django.db import connections
from redis.asyncio import Redis

import interviews.live.interview_room  # noqa: F401 - registers itself
from interviews import bus, log
from interviews.enums import InterviewStatus
from interviews.live import consumer, feeds
from interviews.live import hub as hubs
from interviews.live.consumer import RoomSocket
from interviews.live.crews import Crew
from interviews.live.feeds import RoomFeed
from interviews.live.handshake import Welcome
from interviews.live.hub import Hub
from interviews.live.kinds import KINDS, RoomKind
from interviews.live.rings import Ring
from interviews.queries.standing import Standing, standings
from tests.cast import Cast
from tests.house.acting import do
from tests.support.factories import Scene, make_scene
from tests.support.web import session_of

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
    async with asyncio.timeout(15):
        await feed.catch_up()
    feed.rings[log.PANEL] = Ring(head=0)
    await feed.catch_up()
    assert feed.rings[log.PANEL].head >= 1


async def test_what_fails_in_one_room_keeps_nothing_from_another(hub: Hub, live: Scene) -> None:
    """The first room fails at everything; rights are looked at before anything is read."""
    session = await sync_to_async(session_of)(live.cast.bo)
    await sync_to_async(do)(live.ana, "interview.pause")
    told: list[str] = []

    class Broken(RoomFeed):
        async def catch_up(self) -> None:
            told.append("catch_up")
            raise RuntimeError("this feed")

    broken = hub.feeds[live.interview.room_id] = Broken(
        live.interview.room_id, another_kind(standings=fails, presence=fails)
    )
    broken.rings[log.PANEL] = Ring(head=0)
    broken.lines.add(Line(live.bo.pk, session, told))
    whole = RoomFeed(live.interview.room_id, KIND)
    whole.rings[log.PANEL] = Ring(head=0)
    failing, still = Line(live.bo.pk, session, told, fails=True), Line(live.bo.pk, session, told)
    whole.lines = cast(Any, [failing, still])  # in this order
    for feed in (broken, whole):
        feed.presence_due = True

    await hub._compare([broken, whole])

    assert told == ["rights", "rights", "catch_up"]
    assert still.standing is not None
    assert whole.rings[log.PANEL].head >= 1
    assert [json.loads(frame)["type"] for frame in still.heard] == ["presence"]
    assert (broken.presence_due, whole.presence_due) == (True, False)


async def test_who_comes_while_presence_is_read_is_told_with_the_next(hub: Hub, live: Scene) -> None:
    def presence(room: int) -> Mapping[str, Any]:
        feed.presence_due = True  # a bell rings meanwhile
        return {"type": "presence", "seats": []}

    feed = RoomFeed(live.interview.room_id, another_kind(presence=presence))
    await hub._announce_presence(feed)
    assert feed.presence_due


async def test_a_hint_that_cannot_be_followed_keeps_no_other_from_being_heard(hub: Hub) -> None:
    hub.feeds[1] = cast(RoomFeed, object())
    feed = hub.feeds[2] = RoomFeed(2, KIND)
    hub.heard_elsewhere(b'x [{"room": 1, "heads": {"panel": 4}}, {"room": 2, "presence": true}]')
    assert feed.presence_due


class Awaited(RoomFeed):
    """A feed that says when it hears of somebody coming or going."""

    def __init__(self, room: int, kind: RoomKind) -> None:
        self.told = asyncio.Event()
        super().__init__(room, kind)

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if name == "presence_due" and value:
            self.told.set()


async def test_whatever_comes_by_the_channel_the_hub_goes_on_listening(
    hub: Hub, caplog: pytest.LogCaptureFixture
) -> None:
    hub.feeds[1] = cast(RoomFeed, object())
    feed = hub.feeds[2] = Awaited(2, KIND)
    hub.spawn(hub._subscribe())
    async with asyncio.timeout(15), Redis.from_url(settings.REDIS_URL) as client:
        await until_heard(client, feed)
        for hint in ({"room": [7]}, {"room": 2, "heads": ["panel"]}, {"room": 1, "heads": {"panel": 4}}):
            feed.told.clear()
            await client.publish(bus.CHANNEL, "x " + json.dumps([hint]))
            await client.publish(bus.CHANNEL, 'x [{"room": 2, "presence": true}]')
            await feed.told.wait()
    assert [record.message for record in caplog.records] == ["a hint could not be followed"]


async def until_heard(client: Redis, feed: Awaited) -> None:
    """Say it again until the hub listens: what a bus tells before, nobody hears."""
    while not feed.told.is_set():
        await client.publish(bus.CHANNEL, 'x [{"room": 2, "presence": true}]')
        with suppress(TimeoutError):
            async with asyncio.timeout(0.05):
                await feed.told.wait()


@pytest.mark.parametrize("ahead", [0, 1], ids=["served elsewhere", "beyond the table"])
async def test_a_page_served_by_another_process_is_not_sent_back_to_the_start(
    hub: Hub, live: Scene, ahead: int
) -> None:
    """The bus is away and this process behind: a page's cursors are held against the table, not against its rings."""
    room = live.interview.room_id
    feed = hub.feeds[room] = RoomFeed(room, KIND)
    feed.rings |= {name: Ring(0) for name in (log.ALL, log.PANEL, log.mine(live.bo))}
    bus.listeners.remove(hub.heard_here)  # as if another process had written it
    try:
        await sync_to_async(do)(live.ana, "interview.pause")
    finally:
        bus.listeners.append(hub.heard_here)
    heads = await sync_to_async(log.heads)(room, [log.PANEL])
    standing = (await sync_to_async(standings)([live.bo.pk]))[live.bo.pk]
    cursors = {"panel": heads[log.PANEL] + ahead}
    frames: list[dict[str, Any]] = []

    async def send(message: dict[str, Any]) -> None:
        frames.append(json.loads(message["text"]))

    async def receive() -> dict[str, Any]:
        return {"type": "websocket.disconnect"}

    socket = RoomSocket(KIND, Welcome(uuid.UUID(int=1), standing, "en", None, None, None, cursors), receive, send)
    await socket._greet()

    assert [frame["type"] for frame in frames] == ["welcome", *["snapshot"] * ahead]
    assert {frame["heads"]["panel"] for frame in frames} == {heads[log.PANEL]}
