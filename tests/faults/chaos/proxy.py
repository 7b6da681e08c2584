"""A network that can be made worse: a TCP proxy that cuts, delays, swallows, refuses and says frames twice."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from contextlib import suppress

CHUNK = 65_536
TEXT = 0x81  # FIN and opcode 1: the only frames of the room's wire


class Splitter:
    """Cuts one direction of a connection into the HTTP head and then whole WebSocket frames; other HTTP stays whole."""

    def __init__(self) -> None:
        self.held = b""
        self.head_seen = False
        self.upgraded = False

    def feed(self, data: bytes) -> Iterator[bytes]:
        self.held += data
        if not self.head_seen:
            end = self.held.find(b"\r\n\r\n")
            if end < 0:
                return
            head, self.held = self.held[: end + 4], self.held[end + 4 :]
            self.head_seen = True
            self.upgraded = b"upgrade: websocket" in head.lower()
            yield head
        if not self.upgraded:
            if self.held:
                yield self.held
            self.held = b""
            return
        while length := frame_length(self.held):
            frame, self.held = self.held[:length], self.held[length:]
            yield frame


def frame_length(data: bytes) -> int:
    """The bytes of the first WebSocket frame in `data`; 0 while it isn't whole."""
    if len(data) < 2:
        return 0
    size, at = data[1] & 0x7F, 2
    if size >= 126:
        width = 2 if size == 126 else 8
        if len(data) < at + width:
            return 0
        size, at = int.from_bytes(data[at : at + width], "big"), at + width
    at += 4 if data[1] & 0x80 else 0  # the mask
    return at + size if len(data) >= at + size else 0


class Connection:
    """One connection through the proxy. `swallows`: what is sent goes nowhere, and nobody is told."""

    def __init__(self, *writers: asyncio.StreamWriter) -> None:
        self.writers = writers
        self.swallows = False

    def abort(self) -> None:
        for writer in self.writers:
            writer.transport.abort()


class Proxy:
    """Listens on a port of its own and passes on to `target`. Its faults are attributes that a nemesis sets."""

    def __init__(self, target: int, dice: random.Random) -> None:
        self.target, self.dice = target, dice
        self.port = 0
        self.delay = 0.0
        self.doubles = 0.0
        self.refuses = False
        self.said_twice = 0
        self.connections: set[Connection] = set()
        self._server: asyncio.Server | None = None
        self._passing: set[asyncio.Task[None]] = set()  # or those that wait for nothing would be collected

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        assert self._server is not None
        self._server.close()
        self.cut(1.0)
        await self._server.wait_closed()

    def cut(self, share: float) -> int:
        """Reset a share of the connections, without a word to anybody; return how many."""
        chosen = [one for one in self.connections if self.dice.random() < share]
        for one in chosen:
            one.abort()
        return len(chosen)

    def half_open(self, share: float) -> int:
        """Swallow from now on what a share of the connections carries; both ends believe that they are connected."""
        chosen = [one for one in self.connections if self.dice.random() < share]
        for one in chosen:
            one.swallows = True
        return len(chosen)

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self.refuses:
            writer.transport.abort()
            return
        try:
            there_reader, there = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:  # the process behind is dead
            writer.transport.abort()
            return
        connection = Connection(writer, there)
        self.connections.add(connection)
        ways = {
            asyncio.create_task(self._pass(connection, reader, there)),
            asyncio.create_task(self._pass(connection, there_reader, writer)),
        }
        self._passing |= ways
        try:
            with suppress(asyncio.CancelledError):  # the run is over; asyncio's streams would complain of it
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            self._passing -= ways
            self.connections.discard(connection)
            for one in (writer, there):
                one.close()
                with suppress(OSError):
                    await one.wait_closed()

    async def _pass(self, connection: Connection, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        splitter = Splitter()
        with suppress(OSError):
            while data := await reader.read(CHUNK):
                for piece in splitter.feed(data):
                    if self.delay:
                        await asyncio.sleep(self.delay * self.dice.random())  # the fault itself
                    if connection.swallows:
                        continue
                    writer.write(piece)
                    if self.doubles and piece[0] == TEXT and self.dice.random() < self.doubles:
                        writer.write(piece)
                        self.said_twice += 1
                await writer.drain()
            if connection.swallows:
                await asyncio.Event().wait()  # not even the end is passed on
