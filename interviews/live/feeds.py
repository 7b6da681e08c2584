"""The streams of one room, and the sockets that listen to them in this process."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterable
from typing import Protocol

from interviews import log
from interviews.live import telemetry
from interviews.live.crews import readers
from interviews.live.kinds import RoomKind
from interviews.live.rings import AT_ONCE, Ring
from interviews.models import Event
from interviews.queries.standing import Standing

logger = logging.getLogger("sounding.hub")


class Line(Protocol):
    """What the hub knows of a socket."""

    seat: int
    session_key: str | None
    streams: dict[str, str]  # wire name -> stream name
    cursors: dict[str, int]  # wire name -> last seq sent
    wake: asyncio.Event
    language: str

    async def rights(self, standing: Standing | None) -> None: ...
    def presence(self, frame: str) -> None: ...
    def listen(self, now: float) -> None: ...


class RoomFeed:
    """A ring per stream. Each socket is a cursor on them, so that a slow one costs a number and no one waits for it."""

    def __init__(self, room: int, kind: RoomKind) -> None:
        self.room = room
        self.kind = kind
        self.rings: dict[str, Ring] = {}
        self.lines: set[Line] = set()
        self.presence_due = False
        self.told_here: frozenset[str] = frozenset()  # who was here by the last presence frame
        self.asked_to_look = False
        self.gaps_filled = 0
        self._reading = asyncio.Lock()

    async def open_streams(self, streams: dict[str, str]) -> dict[str, int]:
        """Hold the streams that a socket may hear; return their heads as they are now."""
        if any(name not in self.rings for name in streams.values()):
            async with self._reading:
                new = [name for name in streams.values() if name not in self.rings]
                if new:
                    found = await readers.do(log.heads, self.room, new)
                    for name, head in found.items():
                        self.rings[name] = Ring(head)
        return {wire: self.rings[name].head for wire, name in streams.items()}

    def take(self, events: Iterable[Event]) -> bool:
        """Take events just written by this process; say whether one before them is still missing."""
        news: set[str] = set()
        for event in events:
            ring = self.rings.get(event.stream)
            if ring is not None and ring.add([event]):
                news.add(event.stream)
                if event.wrote is not None:
                    self._draw_just_written(ring, event)
            event.wrote = None  # whoever draws it later reads what is there then: words may have been erased
        self._wake(news)
        return any(ring.has_gap for ring in self.rings.values())

    def _draw_just_written(self, ring: Ring, event: Event) -> None:
        """Draw an event for its author here and now: what it shows came with it, so no thread and no database is asked.

        Most of what a room says are judgements, which nobody else hears.
        """
        for language in {line.language for line in self.lines if event.stream in line.streams.values()}:
            try:
                ring.keep(self._draw([event], language), language)
            except Exception:  # whoever sends it tries again, on a thread
                logger.exception("a frame could not be drawn at once")

    async def catch_up(self) -> None:
        """Read what the table has beyond the rings, and wake whoever listens to it.

        Ends when a reading moved no ring, whatever the table holds: the next tick looks again, and others wait.
        """
        async with self._reading:
            self.asked_to_look = False
            while True:
                cursors = {name: ring.head for name, ring in self.rings.items()}
                if not cursors:
                    return
                events = await readers.do(log.since, self.room, cursors)
                if not events:
                    return
                news = {
                    name
                    for name, ring in self.rings.items()
                    if ring.add(event for event in events if event.stream == name)
                }
                self.gaps_filled += len(news)
                telemetry.filled(len(news))
                self._wake(news)
                if all(self.rings[name].head == head for name, head in cursors.items()):
                    return

    def _wake(self, streams: set[str]) -> None:
        if streams:
            for line in self.lines:
                if not streams.isdisjoint(line.streams.values()):
                    line.wake.set()

    async def frames_after(self, stream: str, cursor: int, language: str) -> list[tuple[int, str]]:
        """The next frames after a cursor as (seq, JSON text), at most AT_ONCE, from the ring or else from the log.

        Sockets are woken together; the first one draws, and the others find it done.
        """
        ring = self.rings[stream]
        if cursor >= ring.head:
            return []
        if found := ring.drawn(cursor, language):
            return found
        async with ring.drawing:
            if found := ring.drawn(cursor, language):
                return found
            events = ring.after(cursor)
            if events is not None:
                texts = await readers.do(self._draw, events, language)
                ring.keep(texts, language)
                return list(texts.items())
        # Too far behind for the ring: nobody waits while this one reads the log.
        return list((await readers.do(self._draw_from_log, stream, cursor, language)).items())

    def _draw_from_log(self, stream: str, cursor: int, language: str) -> dict[int, str]:
        return self._draw(log.since(self.room, {stream: cursor}, limit=AT_ONCE), language)

    def _draw(self, events: list[Event], language: str) -> dict[int, str]:
        drawn = self.kind.draw(events, language) if events else []
        return {event.seq: json.dumps(frame) for event, frame in zip(events, drawn, strict=True)}
