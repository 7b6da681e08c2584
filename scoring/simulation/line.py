"""A person's line to a room: one WebSocket that comes back by itself, resumes at its cursors and carries the outbox."""

from __future__ import annotations

import asyncio
import json
import random
import time
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final, Protocol
from urllib.parse import urlencode, urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus

from scoring.simulation.outbox import Outbox, Refused

PROTOCOL: Final = 1
SILENCE: Final = 18.0
OPENING: Final = 10.0
LEAST_PAUSE, MOST_PAUSE = 0.5, 10.0
FINAL: Final[Mapping[int, str]] = {
    403: "the site refuses the address this line comes from; is --url the address that the server knows itself by?",
    4400: "the server does not speak our protocol",
    4401: "not signed in",
    4403: "no seat in this interview, or the right to it is lost",
    4404: "there is no such interview",
}
GAP: Final = 4000

Watch = Callable[[str, str, Mapping[str, Any]], bool]
"""Told of every frame: who, "sent" or "heard", the frame. Answers whether the frame, if heard, is lost on the way."""


class Lost(Exception):
    """The line is closed for good, and trying again is of no use."""

    def __init__(self, code: int) -> None:
        super().__init__(FINAL[code])
        self.code = code


class Gap(Exception):
    """An event is missing before the one that came: the line starts anew at the cursors."""


class Ears(Protocol):
    """Who listens at the end of a line."""

    def hear(self, event: Mapping[str, Any]) -> None: ...
    def welcome(self, seat: str, role: str) -> None: ...
    def refused(self, refused: Refused) -> None: ...


@dataclass(frozen=True, slots=True)
class Heard:
    """An event as it was first applied."""

    stream: str
    seq: int
    name: str
    cause: str | None
    by: str | None
    data: Mapping[str, Any]


def pause_before(attempt: int, chance: Callable[[], float] = random.random) -> float:
    """Seconds before try number `attempt` (0 = the first again): full jitter, so that a panel does not come at once."""
    cap = min(MOST_PAUSE, LEAST_PAUSE * 2.0 ** min(attempt + 1, 9))
    return LEAST_PAUSE + chance() * (cap - LEAST_PAUSE)


class Line:
    """Runs until cancelled or Lost. `progress` is called whenever something came of it."""

    def __init__(
        self,
        name: str,
        *,
        site: str,
        path: str,
        cookie: Callable[[], str],
        outbox: Outbox,
        ears: Ears,
        progress: Callable[[], None],
        watch: Watch | None = None,
        pause: Callable[[int], float] = pause_before,
    ) -> None:
        self.name = name
        self.outbox = outbox
        self.seat = self.role = ""
        self.heads: dict[str, int] = {}
        self.heard: list[Heard] = []
        self.closing: Mapping[str, Any] | None = None
        self.lines = self.gaps = self.snapshots = 0
        self.live = False
        self.lost: Lost | None = None
        self.wanted = asyncio.Event()
        self.wanted.set()
        self.kick = asyncio.Event()
        self._site, self._path, self._cookie = site, path, cookie
        self._ears, self._progress, self._watch = ears, progress, watch
        self._pause = pause
        self._epoch = 0
        self._seen: dict[str, int] = {}
        self._behind: set[str] = set()
        self._device = str(uuid.uuid4())
        self._socket: ClientConnection | None = None

    # --- what the person does with it

    def cut(self) -> None:
        """Lose the line as a broken network does: without a word, and with no way back until `mend`."""
        self.wanted.clear()
        if self._socket is not None:
            self._socket.transport.abort()

    def seen(self, stream: str) -> int:
        """The seq of the last event that was applied."""
        return self._seen.get(stream, 0)

    def mend(self) -> None:
        self.wanted.set()

    async def pong(self) -> None:
        """Say where we stand, also unasked: after the end the server answers an empty outbox with `closing`."""
        if self._socket is not None and self.live:
            with suppress(ConnectionClosed):
                await self._say(self._socket, self._pong())

    # --- the line itself

    async def run(self) -> None:
        attempt = 0
        while True:
            await self.wanted.wait()
            before = self.lines
            code = await self._once()
            if code in FINAL:
                self.lost = Lost(code)
                self._progress()
                return
            if code == GAP:
                continue
            attempt = 0 if self.lines > before else attempt + 1
            await asyncio.sleep(self._pause(attempt))

    async def _once(self) -> int:
        """Hold one line as long as it lasts; return why it ended."""
        try:
            async with connect(
                self._address(),
                origin=self._site,  # type: ignore[arg-type]  # a plain str, of which Origin is a NewType
                additional_headers={"Cookie": self._cookie()},
                open_timeout=OPENING,
                close_timeout=2.0,
                max_size=None,
                proxy=None,
                compression=None,
            ) as socket:
                self._socket = socket
                if self.wanted.is_set():
                    await self._talk(socket)
        except ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006
        except InvalidStatus as refused:
            return 403 if refused.response.status_code == 403 else 1006
        except Gap:
            return GAP
        except (OSError, InvalidHandshake, TimeoutError):
            return 1006
        finally:
            self._socket, self.live = None, False
            self.outbox.line_lost()
        return 1006

    def _address(self) -> str:
        parts = urlsplit(self._site)
        scheme = "wss" if parts.scheme == "https" else "ws"
        query = {"v": PROTOCOL, **({"epoch": self._epoch} if self._epoch else {}), **self._seen}
        return f"{scheme}://{parts.netloc}{self._path}?{urlencode(query)}"

    async def _talk(self, socket: ClientConnection) -> None:
        sending = asyncio.create_task(self._send_all(socket))
        try:
            while True:
                async with asyncio.timeout(SILENCE):
                    text = await socket.recv()
                await self._take(socket, json.loads(text))
        finally:
            sending.cancel()
            with suppress(asyncio.CancelledError, ConnectionClosed):
                await sending

    async def _send_all(self, socket: ClientConnection) -> None:
        """Carry what the outbox lets go, whenever something may have changed."""
        while True:
            self.kick.clear()
            if self.live:
                for row in self.outbox.due(time.monotonic()):
                    await self._say(socket, row.frame(time.monotonic()))
            hold = self.outbox.hold_until - time.monotonic()
            with suppress(TimeoutError):
                async with asyncio.timeout(hold if hold > 0 else None):
                    await self.kick.wait()

    async def _say(self, socket: ClientConnection, frame: Mapping[str, Any]) -> None:
        await socket.send(json.dumps(frame, ensure_ascii=False))
        if self._watch is not None:
            self._watch(self.name, "sent", frame)

    def _pong(self) -> dict[str, Any]:
        return {"type": "pong", "heads": self._seen, "outbox": len(self.outbox.rows), "device": self._device}

    # --- what comes

    async def _take(self, socket: ClientConnection, frame: Mapping[str, Any]) -> None:
        if self._watch is not None and self._watch(self.name, "heard", frame):
            return
        kind = frame["type"]
        if kind == "ping":
            await self._say(socket, self._pong())
            self._check_behind(frame["heads"])
            return
        if kind == "welcome":
            self._welcome(frame)
        elif kind == "snapshot":
            self.snapshots += 1
            self._epoch, self._seen = frame["epoch"], dict(frame["heads"])
        elif kind == "event":
            self._event(frame)
        elif kind == "ack":
            self.outbox.acknowledge(frame)
        elif kind == "refused":
            if refused := self.outbox.refuse(frame, time.monotonic()):
                self._ears.refused(refused)
        elif kind == "closing":
            self.closing = frame
        self.kick.set()
        self._progress()

    def _welcome(self, frame: Mapping[str, Any]) -> None:
        self.seat, self.role = frame["seat"]["id"], frame["seat"]["role"]
        self.heads = dict(frame["heads"])
        self._epoch = self._epoch or frame["epoch"]
        self._behind = set()
        self._ears.welcome(self.seat, self.role)
        self.lines += 1
        self.live = True

    def _event(self, frame: Mapping[str, Any]) -> None:
        """Apply what is next, drop what was applied, start anew at a gap."""
        stream, seq = frame["stream"], frame["seq"]
        seen = self._seen.get(stream, 0)
        if seq <= seen:
            return
        if seq != seen + 1:
            self.gaps += 1
            raise Gap
        self._seen[stream] = seq
        self.heard.append(Heard(stream, seq, frame["name"], frame["cause"], frame["by"], frame["data"]))
        self._ears.hear(frame)

    def _check_behind(self, heads: Mapping[str, int]) -> None:
        """Start anew when the server has been ahead of us for two pings in a row and nothing came."""
        behind = {stream for stream, head in heads.items() if head > self._seen.get(stream, 0)}
        if behind & self._behind:
            self.gaps += 1
            raise Gap
        self._behind = behind
