"""Delivering a room's events to the sockets of this process.

The table is the truth. A hint from the bus only says when to look; every second the heads are compared with the table
anyway, so a dead bus costs a second and no event. Each socket is a cursor on a stream's ring, not a queue: a slow one
costs a number and resumes from the log, and the others don't wait for it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections import deque
from collections.abc import Iterable
from typing import Any, Protocol

import redis.asyncio
from channels.db import database_sync_to_async
from django.conf import settings
from django.db import DatabaseError

from interviews import bus, log
from interviews.live import frames, telemetry
from interviews.models import Event
from interviews.queries.standing import Standing, live_sessions, standings

logger = logging.getLogger("sounding.hub")

RING = 512  # events kept per stream; who is further behind reads the log
TICK = 1.0
PRESENCE_EVERY = 1.0


def in_thread(function: Any) -> Any:
    """Run a database function off the loop, on any thread: Channels' default would queue all rooms on one."""
    return database_sync_to_async(function, thread_sensitive=False)


class Line(Protocol):
    """What the hub knows of a socket."""

    seat: int
    session_key: str | None
    streams: dict[str, str]  # wire name -> stream name
    cursors: dict[str, int]  # wire name -> last seq sent
    wake: asyncio.Event

    async def rights(self, standing: Standing | None) -> None: ...
    def presence(self, frame: str) -> None: ...


class Ring:
    """The newest events of one stream, and the frames drawn of them, each once per language."""

    def __init__(self, head: int) -> None:
        self.head = head
        self.events: deque[Event] = deque(maxlen=RING)
        self.frames: dict[tuple[int, str], str] = {}
        self.drawing = asyncio.Lock()

    def keep(self, texts: dict[int, str], language: str) -> None:
        """Keep drawn frames of the events that the ring still has."""
        oldest = self.events[0].seq if self.events else self.head + 1
        self.frames |= {(seq, language): text for seq, text in texts.items() if seq >= oldest}

    def add(self, events: Iterable[Event]) -> None:
        for event in events:
            if event.seq != self.head + 1:
                continue  # seen already; a gap can't be, since the log was read from the head on
            if len(self.events) == RING:
                old = self.events[0].seq
                self.frames = {key: frame for key, frame in self.frames.items() if key[0] != old}
            self.events.append(event)
            self.head = event.seq

    def after(self, cursor: int) -> list[Event] | None:
        """The events after the cursor, or None if the ring no longer reaches back that far."""
        if cursor >= self.head:
            return []
        if not self.events or self.events[0].seq > cursor + 1:
            return None
        return [event for event in self.events if event.seq > cursor]


class RoomFeed:
    """The streams of one room and the sockets that listen here."""

    def __init__(self, room: int) -> None:
        self.room = room
        self.rings: dict[str, Ring] = {}
        self.lines: set[Line] = set()
        self.presence_due = False
        self.asked_to_look = False
        self._reading = asyncio.Lock()

    async def open_streams(self, streams: dict[str, str]) -> dict[str, int]:
        """Hold the streams that a socket may hear; return their heads as they are now."""
        async with self._reading:
            new = [name for name in streams.values() if name not in self.rings]
            if new:
                found = await in_thread(log.heads)(self.room, new)
                for name, head in found.items():
                    self.rings[name] = Ring(head)
        return {wire: self.rings[name].head for wire, name in streams.items()}

    async def catch_up(self) -> None:
        """Read what the table has beyond the rings, and wake whoever listens to it."""
        async with self._reading:
            self.asked_to_look = False
            while True:
                cursors = {name: ring.head for name, ring in self.rings.items()}
                if not cursors:
                    return
                events = await in_thread(log.since)(self.room, cursors)
                if not events:
                    return
                for name, ring in self.rings.items():
                    ring.add(event for event in events if event.stream == name)
                for line in self.lines:
                    line.wake.set()

    async def frames_after(self, stream: str, cursor: int, language: str) -> list[tuple[int, str]]:
        """The frames after a cursor as (seq, JSON text), from the ring or else from the log.

        Sockets are woken together; the first one draws, and the others find it done.
        """
        ring = self.rings[stream]
        async with ring.drawing:
            events = ring.after(cursor)
            if events is None:
                events = await in_thread(log.since)(self.room, {stream: cursor})
            texts = {event.seq: ring.frames.get((event.seq, language)) for event in events}
            missing = [event for event in events if texts[event.seq] is None]
            if missing:
                drawn = await in_thread(frames.draw_all)(missing, language)
                new = {event.seq: json.dumps(frame) for event, frame in zip(missing, drawn, strict=True)}
                texts |= new
                ring.keep(new, language)
        return [(seq, text) for seq, text in texts.items() if text is not None]


class Hub:
    """All rooms of this process. One bus subscription, one ticker."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.feeds: dict[int, RoomFeed] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        bus.listeners.append(self.heard_here)
        self.spawn(self._subscribe())
        self.spawn(self._tick())

    def spawn(self, work: Any) -> None:
        task = self.loop.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def join(self, room: int, line: Line) -> RoomFeed:
        """Add a socket to its room, at once: a feed without sockets is dropped."""
        feed = self.feeds.setdefault(room, RoomFeed(room))
        feed.lines.add(line)
        telemetry.joined(self.feeds)
        return feed

    def leave(self, room: int, line: Line) -> None:
        feed = self.feeds.get(room)
        if feed is not None:
            feed.lines.discard(line)
            if not feed.lines:
                del self.feeds[room]
            telemetry.left(self.feeds)

    def heard_here(self, hint: dict[str, Any]) -> None:
        """A hint from a service of this process, on whatever thread it ran."""
        with contextlib.suppress(RuntimeError):  # the loop is closing
            self.loop.call_soon_threadsafe(self.heard, hint)

    def heard(self, hint: dict[str, Any]) -> None:
        feed = self.feeds.get(hint.get("room", 0))
        if feed is None:
            return
        heads = hint.get("heads", {})
        behind = any(feed.rings[name].head < seq for name, seq in heads.items() if name in feed.rings)
        if behind and not feed.asked_to_look:
            feed.asked_to_look = True
            self.spawn(self._safely(feed.catch_up()))
        if hint.get("rights"):
            self.spawn(self._safely(self._check_rights([feed])))
        if hint.get("presence"):
            feed.presence_due = True

    async def _safely(self, work: Any) -> None:
        """Whatever fails, the next tick looks again: one bad room or socket must not end delivery for all."""
        try:
            await work
        except (DatabaseError, OSError):
            logger.warning("the database is away; the next tick tries again", exc_info=True)
        except Exception:  # see above; the log keeps what broke
            logger.exception("delivery failed; the next tick tries again")

    async def _subscribe(self) -> None:
        while True:
            client = redis.asyncio.Redis.from_url(settings.REDIS_URL, health_check_interval=10, socket_keepalive=True)
            try:
                async with client.pubsub() as subscription:
                    await subscription.subscribe(bus.CHANNEL)
                    async for message in subscription.listen():
                        if message["type"] == "message" and (hint := bus.read(message["data"])) is not None:
                            self.heard(hint)
            except (redis.RedisError, OSError):
                logger.warning("the bus is away; looking at the table every second meanwhile")
                await asyncio.sleep(1)  # between attempts to reach the bus
            finally:
                await client.aclose()

    async def _tick(self) -> None:
        """Compare heads and rights with the table every second, whatever the bus said."""
        while True:
            await asyncio.sleep(TICK)
            feeds = list(self.feeds.values())
            if feeds:
                await self._safely(self._compare(feeds))

    async def _compare(self, feeds: list[RoomFeed]) -> None:
        heads = await in_thread(log.all_heads)([feed.room for feed in feeds])
        for feed in feeds:
            if any(heads.get((feed.room, name), 0) > ring.head for name, ring in feed.rings.items()):
                telemetry.filled()
                await feed.catch_up()
        await self._check_rights(feeds)
        for feed in feeds:
            if feed.presence_due:
                feed.presence_due = False
                await self._announce_presence(feed)

    async def _check_rights(self, feeds: list[RoomFeed]) -> None:
        lines = [line for feed in feeds for line in feed.lines]
        found = await in_thread(standings)({line.seat for line in lines})
        sessions = await in_thread(live_sessions)({line.session_key for line in lines})
        for line in lines:
            await line.rights(found.get(line.seat) if line.session_key in sessions else None)

    async def _announce_presence(self, feed: RoomFeed) -> None:
        frame = json.dumps(await in_thread(frames.presence)(feed.room))
        for line in list(feed.lines):
            line.presence(frame)


_hub: Hub | None = None


def hub() -> Hub:
    """The hub of the running loop."""
    global _hub
    loop = asyncio.get_running_loop()
    if _hub is None or _hub.loop is not loop:
        if _hub is not None:
            bus.listeners.remove(_hub.heard_here)
        _hub = Hub()
    return _hub
