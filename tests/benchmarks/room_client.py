"""A light client of rooms: a load of thousands of sockets must not cost more than the server that it measures."""

from __future__ import annotations

import asyncio
import base64
import json
import os
from collections.abc import Callable
from typing import Any

TEXT, CLOSE, PING, PONG = 1, 8, 9, 10


class Socket(asyncio.Protocol):
    """One WebSocket. `heard` gets every JSON frame with the time it came (loop's clock)."""

    def __init__(self, request: bytes, heard: Callable[[Socket, dict[str, Any], float], None]) -> None:
        self.request = request
        self.heard = heard
        self.loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[None] = self.loop.create_future()
        self.closed: int | None = None
        self._bytes = bytearray()
        self._open = False
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport  # type: ignore[assignment]
        transport.write(self.request)  # type: ignore[attr-defined]

    def connection_lost(self, error: Exception | None) -> None:
        self.closed = self.closed or 1006
        if not self.opened.done():
            self.opened.set_exception(ConnectionError("the server closed the handshake"))

    def data_received(self, data: bytes) -> None:
        now = self.loop.time()
        self._bytes += data
        if not self._open:
            head, found, rest = bytes(self._bytes).partition(b"\r\n\r\n")
            if not found:
                return
            self._open = True
            self._bytes = bytearray(rest)
            if b" 101 " not in head.split(b"\r\n", 1)[0]:
                self.opened.set_exception(ConnectionError(head.decode("latin-1")[:80]))
                return
            self.opened.set_result(None)
        while self._take(now):
            pass

    def _take(self, now: float) -> bool:
        """Take one frame out of what came; False where it isn't whole yet. Servers don't mask, nor fragment here."""
        have = self._bytes
        if len(have) < 2:
            return False
        size, start = have[1] & 127, 2
        if size == 126:
            size, start = int.from_bytes(have[2:4], "big"), 4
        elif size == 127:
            size, start = int.from_bytes(have[2:10], "big"), 10
        if len(have) < start + size:
            return False
        kind, body = have[0] & 15, bytes(have[start : start + size])
        del have[: start + size]
        if kind == TEXT:
            self.heard(self, json.loads(body), now)
        elif kind == PING:
            self._write(PONG, body)
        elif kind == CLOSE:
            self.closed = int.from_bytes(body[:2], "big")
        return True

    def say(self, frame: dict[str, Any]) -> None:
        self._write(TEXT, json.dumps(frame).encode())

    def _write(self, kind: int, body: bytes) -> None:
        assert self._transport is not None
        if self._transport.is_closing():
            return
        if len(body) < 126:
            head = bytes([128 | kind, 128 | len(body)])
        else:
            head = bytes([128 | kind, 128 | 126]) + len(body).to_bytes(2, "big")
        self._transport.write(head + b"\0\0\0\0" + body)  # a mask of zeros leaves it as it is

    def hang_up(self) -> None:
        if self._transport is not None:
            self._transport.close()


async def dial(port: int, path: str, session: str, heard: Callable[[Socket, dict[str, Any], float], None]) -> Socket:
    """Open a socket as the person of the session. Raises ConnectionError where the server wants none."""
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: 127.0.0.1:{port}",
        f"Origin: http://127.0.0.1:{port}",
        f"Cookie: sessionid={session}",
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}",
    ]
    request = ("\r\n".join(lines) + "\r\n\r\n").encode()
    loop = asyncio.get_running_loop()
    _transport, socket = await loop.create_connection(lambda: Socket(request, heard), "127.0.0.1", port)
    async with asyncio.timeout(60):
        await socket.opened
    return socket
