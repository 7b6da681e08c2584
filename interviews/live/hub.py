"""Delivering rooms' events to the sockets of this process.

The table is the truth. What this process writes itself goes to its own sockets at once; a hint from the bus only says
when to look; every second the heads are compared with the table anyway, so a dead bus costs a second and no event.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Container, Sequence
from typing import Any

import redis.asyncio
from django.conf import settings
from django.db import DatabaseError

from interviews import bus, log
from interviews.live import telemetry
from interviews.live.crews import readers, writers
from interviews.live.feeds import Line, RoomFeed
from interviews.live.kinds import RoomKind
from interviews.models import Event
from interviews.queries.standing import live_sessions
from interviews.services.attendance import Report

logger = logging.getLogger("sounding.hub")

TICK = 1.0
LOOK_AROUND = 5.0  # seconds between looks for lines that died without a word
SOCKETS_PER_SEAT = 16  # more than tabs and devices that a person uses at once, with a few lines that died unnoticed


class Hub:
    """All rooms of this process. One bus subscription, one ticker."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.feeds: dict[int, RoomFeed] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self._reports: dict[RoomKind, dict[int, Report]] = {}
        self._look_at = 0.0
        bus.listeners.append(self.heard_here)
        self.spawn(self._subscribe())
        self.spawn(self._tick())

    def spawn(self, work: Any) -> None:
        task = self.loop.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    def join(self, room: int, kind: RoomKind, line: Line) -> RoomFeed:
        """Add a socket to its room, at once: a feed without sockets is dropped."""
        feed = self.feeds.get(room)
        if feed is None:
            feed = self.feeds[room] = RoomFeed(room, kind)
        feed.lines.add(line)
        telemetry.joined(self.feeds)
        return feed

    def crowded(self, room: int, seat: int) -> bool:
        """Whether a seat has as many sockets here as it may have."""
        feed = self.feeds.get(room)
        return feed is not None and sum(line.seat == seat for line in feed.lines) >= SOCKETS_PER_SEAT

    def leave(self, room: int, line: Line) -> None:
        feed = self.feeds.get(room)
        if feed is not None:
            feed.lines.discard(line)
            if not feed.lines:
                del self.feeds[room]
            telemetry.left(self.feeds)

    def stays(self, kind: RoomKind, attendance: int, report: Report) -> None:
        """A page answered. Written down with the next tick, all in one statement."""
        self._reports.setdefault(kind, {})[attendance] = report

    async def leaves(self, kind: RoomKind, attendance: int, room: int) -> None:
        """A line ended; what its page last said is written before."""
        report = self._reports.get(kind, {}).pop(attendance, None)
        if report is not None:
            await writers.do(kind.stay, {attendance: report})
        await writers.do(kind.depart, attendance, room)

    def heard_here(self, hint: dict[str, Any], written: Sequence[Event]) -> None:
        """A hint from a service of this process, on whatever thread it ran, with the events that were committed."""
        with contextlib.suppress(RuntimeError):  # the loop is closing
            self.loop.call_soon_threadsafe(self.heard, hint, written)

    def heard(self, hint: dict[str, Any], written: Sequence[Event] = ()) -> None:
        feed = self.feeds.get(hint.get("room", 0))
        if feed is None:
            return
        if written:
            behind = feed.take(written)
        else:
            heads = hint.get("heads", {})
            behind = any(feed.rings[name].head < seq for name, seq in heads.items() if name in feed.rings)
        if behind and not feed.asked_to_look:
            feed.asked_to_look = True
            self.spawn(self._safely(feed.catch_up()))
        if hint.get("rights"):
            self.spawn(self._safely(self._check_rights([feed])))
        if hint.get("presence"):
            feed.presence_due = True

    def heard_elsewhere(self, message: bytes) -> None:
        """A message of the bus. One hint that can't be followed costs a second in its room, and no other hint."""
        for hint in bus.read(message):
            try:
                self.heard(hint)
            except Exception:  # see above
                logger.exception("a hint could not be followed")

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
                        if message["type"] == "message":
                            self.heard_elsewhere(message["data"])
            except (redis.RedisError, OSError):
                logger.warning("the bus is away; looking at the table every second meanwhile")
                await asyncio.sleep(1)  # between attempts to reach the bus
            except Exception:  # whatever broke, this process goes on listening
                logger.exception("listening to the bus failed; trying again")
                await asyncio.sleep(1)  # between attempts to reach the bus
            finally:
                await client.aclose()

    async def _tick(self) -> None:
        """Compare heads and rights with the table every second, whatever the bus said."""
        while True:
            await asyncio.sleep(TICK)
            feeds = list(self.feeds.values())
            now = time.monotonic()
            for feed in feeds:
                for line in feed.lines:
                    line.listen(now)
            if feeds:
                await self._compare(feeds)

    async def _compare(self, feeds: list[RoomFeed]) -> None:
        """Each part by itself, so that what fails in one room keeps nothing from another. Rights wait for nothing."""
        await self._safely(self._check_rights(feeds))
        await self._safely(self._catch_up(feeds))
        await self._safely(self._write_reports())
        await self._safely(self._look_around(feeds))
        for feed in feeds:
            if feed.presence_due:
                await self._safely(self._announce_presence(feed))

    async def _catch_up(self, feeds: list[RoomFeed]) -> None:
        heads = await readers.do(log.all_heads, [feed.room for feed in feeds])
        for feed in feeds:
            if any(heads.get((feed.room, name), 0) > ring.head for name, ring in feed.rings.items()):
                await self._safely(feed.catch_up())

    async def _check_rights(self, feeds: list[RoomFeed]) -> None:
        lines = [(feed.kind, line) for feed in feeds for line in feed.lines]
        sessions = await readers.do(live_sessions, {line.session_key for _, line in lines})
        for kind in {kind for kind, _ in lines}:
            await self._safely(self._check_lines(kind, [line for of, line in lines if of is kind], sessions))

    async def _check_lines(self, kind: RoomKind, lines: list[Line], sessions: Container[str | None]) -> None:
        found = await readers.do(kind.standings, {line.seat for line in lines})
        for line in lines:
            await self._safely(line.rights(found.get(line.seat) if line.session_key in sessions else None))

    async def _write_reports(self) -> None:
        for kind, reports in list(self._reports.items()):
            if reports:
                self._reports[kind] = {}
                await writers.do(kind.stay, reports)

    async def _look_around(self, feeds: list[RoomFeed]) -> None:
        """Have presence told again where it is no longer what was told: a process that dies takes no leave."""
        if time.monotonic() < self._look_at:
            return
        self._look_at = time.monotonic() + LOOK_AROUND
        for kind in {feed.kind for feed in feeds}:
            here = await readers.do(kind.present, [feed.room for feed in feeds if feed.kind is kind])
            for feed in feeds:
                if feed.kind is kind and here[feed.room] != feed.told_here:
                    feed.presence_due = True

    async def _announce_presence(self, feed: RoomFeed) -> None:
        """Tell who is here; what failed stays due, and who comes or goes during the reading is told with the next."""
        feed.presence_due = False
        try:
            told = await readers.do(feed.kind.presence, feed.room)
            feed.told_here = frozenset(one["seat"] for one in told["seats"] if one["here"])
            frame = json.dumps(told)
            for line in list(feed.lines):
                line.presence(frame)
        except Exception:  # whatever it was: `_safely` logs it, and the next tick tells it again
            feed.presence_due = True
            raise


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
