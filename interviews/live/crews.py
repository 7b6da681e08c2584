"""The threads on which rooms speak to the database: a few, each with a connection that it keeps.

A connection per call costs more than the call. asgiref's own threads would give theirs back after each, and one thread
for all, Channels' default, would let every room wait for the slowest.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import InterfaceError, OperationalError, connection

P = ParamSpec("P")
T = TypeVar("T")

WRITERS, READERS = 6, 3
AWAY = 1.0  # seconds: for so long after a connection failed no thread waits for another try


class Crew:
    """Threads that take work in the order it comes."""

    def __init__(self, name: str, size: int) -> None:
        self._threads = ThreadPoolExecutor(size, thread_name_prefix=name)
        self._away_until = 0.0

    async def do(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do it on one of the threads. Work must bear being done twice: a connection that died between two pieces of
        work is told by the next one, which then starts over on a fresh connection."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, lambda: self._work(lambda: work(*args, **kwargs)))

    def _work(self, work: Callable[[], T]) -> T:
        connection.queries_log.clear()  # with DEBUG on, what a kept connection said would be kept too
        kept = connection.connection is not None
        if not kept and time.monotonic() < self._away_until:
            raise OperationalError("the database was away a moment ago")
        try:
            return work()
        except (OperationalError, InterfaceError):
            self._give_back()
            if not kept or time.monotonic() < self._away_until:
                self._away_until = time.monotonic() + AWAY
                raise
        try:
            return work()
        except (OperationalError, InterfaceError):
            self._give_back()
            self._away_until = time.monotonic() + AWAY
            raise

    @staticmethod
    def _give_back() -> None:
        """Let go of the connection: whatever happened to it, the next piece of work gets one that was looked at."""
        connection.close()


writers = Crew("room-writer", WRITERS)
readers = Crew("room-reader", READERS)
