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
import time
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any
from uuid import uuid4

import redis
from django.conf import settings

logger = logging.getLogger("sounding.bus")

CHANNEL = "sounding:hints"

# Called in this process at once, before Redis, with a hint and what was written: the hub registers itself here. From
# any thread.
listeners: list[Callable[[dict[str, Any], Sequence[Any]], None]] = []

GATHER = (
    0.003  # seconds in which hints come together in one message: under load a message each would be most of the work
)
ALONE = 0.05  # the same while no other process listens: nobody waits, and who comes next is told a moment later
MOST_AT_ONCE = 500


@cache
def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(
        url, socket_timeout=1, socket_connect_timeout=1, health_check_interval=30, max_connections=50
    )


def ring(room: int, heads: dict[str, int], written: Sequence[Any] = ()) -> None:
    """Say that streams of a room have new heads. Never raises: the table tells the same a second later.

    `written`: the committed events, for this process only: what a bus carries must not be worth stealing or forging.
    """
    publish({"room": room, "heads": heads}, written)


def rights(room: int) -> None:
    """Say that somebody's right to a room changed, so that every hub looks at its sockets at once."""
    publish({"room": room, "rights": True})


def publish(hint: dict[str, Any], written: Sequence[Any] = ()) -> None:
    """Tell this process at once and the others soon. Never raises and never waits: Redis is spoken to by a thread of
    its own, so that a command's answer doesn't wait for a bus that hangs."""
    for listener in listeners:
        listener(hint, written)
    if _sender.owner != os.getpid():
        _sender.start()
    with contextlib.suppress(queue.Full):  # far behind: the heads in the table tell the same
        _sender.waiting.put_nowait(hint)


def read(message: bytes) -> list[dict[str, Any]]:
    """The hints of another process; none in our own messages, and none in whatever else came by our channel."""
    if message.startswith(_sender.name):
        _sender.hears_itself = True
        return []
    try:
        hints = json.loads(message.partition(b" ")[2])
    except (ValueError, RecursionError):
        return []
    return [hint for hint in hints if _is_hint(hint)] if isinstance(hints, list) else []


def _is_hint(hint: object) -> bool:
    if not isinstance(hint, dict) or type(hint.get("room")) is not int:
        return False
    heads = hint.get("heads", {})
    return isinstance(heads, dict) and all(type(seq) is int for seq in heads.values())  # JSON's names are strings


def merged(hints: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """One hint a room, with the newest heads and everything else that any of them said."""
    rooms: dict[int, dict[str, Any]] = {}
    for hint in hints:
        kept = rooms.setdefault(hint["room"], {"room": hint["room"], "heads": {}})
        for stream, seq in hint.get("heads", {}).items():
            kept["heads"][stream] = max(seq, kept["heads"].get(stream, 0))
        kept.update({word: True for word in ("rights", "presence") if hint.get(word)})
    return list(rooms.values())


class _Sender:
    """The thread that speaks to Redis; one a process, made anew after a fork. Its name begins every message."""

    def __init__(self) -> None:
        self.owner = 0
        self._starting = threading.Lock()
        self.name = b"-"
        self.hears_itself = False  # this process listens too, and is one of those that a message reaches
        self.waiting: queue.Queue[dict[str, Any]] = queue.Queue(maxsize=10_000)

    def start(self) -> None:
        """Start the thread, once, from whichever thread it is asked. `owner` comes last: who reads it may send."""
        with self._starting:
            if self.owner == os.getpid():
                return
            self.name = uuid4().hex.encode()
            self.hears_itself = False
            self.waiting = queue.Queue(maxsize=10_000)
            threading.Thread(target=self._work, args=(self.waiting,), name="bus", daemon=True).start()
            self.owner = os.getpid()

    def forked(self) -> None:
        """In a new process: whoever held the lock stayed behind in the old one."""
        self._starting = threading.Lock()

    def _work(self, waiting: queue.Queue[dict[str, Any]]) -> None:
        others = True
        while True:
            hints = [waiting.get()]
            time.sleep(
                GATHER if others else ALONE
            )  # so that what a burst of commands writes meanwhile goes out as one message
            with contextlib.suppress(queue.Empty):
                while len(hints) < MOST_AT_ONCE:
                    hints.append(waiting.get_nowait())
            message = self.name + b" " + json.dumps(merged(hints)).encode()
            try:
                reached = _client(settings.REDIS_URL).publish(CHANNEL, message)
                others = reached > self.hears_itself
            except (redis.RedisError, OSError):
                logger.warning("the bus is away; processes will find out from the table")


_sender = _Sender()
os.register_at_fork(after_in_child=_sender.forked)
