"""The doorbell between processes: "room 7's panel stream is at 12". Hints only; they may be lost, doubled or late.

Only this module and interviews.live touch Redis. Losing the bus costs a second, because every hub compares the heads of
its streams with the table each second.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import queue
import threading
from collections.abc import Callable
from functools import cache
from typing import Any

import redis
from django.conf import settings

logger = logging.getLogger("sounding.bus")

CHANNEL = "sounding:hints"

# Called in this process at once, before Redis: the hub registers itself here. From any thread.
listeners: list[Callable[[dict[str, Any]], None]] = []


@cache
def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(
        url, socket_timeout=1, socket_connect_timeout=1, health_check_interval=30, max_connections=50
    )


def ring(room: int, heads: dict[str, int]) -> None:
    """Say that streams of a room have new heads. Never raises: the table tells the same a second later."""
    publish({"room": room, "heads": heads})


def rights(room: int) -> None:
    """Say that somebody's right to a room changed, so that every hub looks at its sockets at once."""
    publish({"room": room, "rights": True})


def publish(hint: dict[str, Any]) -> None:
    """Tell this process at once and the others soon. Never raises and never waits: Redis is spoken to by a thread of
    its own, so that a command's answer doesn't wait for a bus that hangs."""
    for listener in listeners:
        listener(hint)
    if _sender.owner != os.getpid():
        _sender.start()
    with contextlib.suppress(queue.Full):  # far behind: the heads in the table tell the same
        _sender.waiting.put_nowait(json.dumps(hint))


def read(message: bytes | str) -> dict[str, Any] | None:
    """A hint from another process; None for anything else that came by our channel."""
    try:
        hint = json.loads(message)
    except ValueError:
        return None
    return hint if isinstance(hint, dict) else None


class _Sender:
    """The thread that speaks to Redis; one a process, made anew after a fork."""

    def __init__(self) -> None:
        self.owner = 0
        self.waiting: queue.Queue[str] = queue.Queue(maxsize=10_000)

    def start(self) -> None:
        self.owner = os.getpid()
        self.waiting = queue.Queue(maxsize=10_000)
        threading.Thread(target=self._work, args=(self.waiting,), name="bus", daemon=True).start()

    def _work(self, waiting: queue.Queue[str]) -> None:
        while True:
            message = waiting.get()
            try:
                _client(settings.REDIS_URL).publish(CHANNEL, message)
            except (redis.RedisError, OSError):
                logger.warning("the bus is away; processes will find out from the table")


_sender = _Sender()
