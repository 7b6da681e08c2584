"""Being asked to end, by a signal."""

from __future__ import annotations

import os
import select
import signal
from contextlib import suppress


class Ending:
    """What a process waits on until a signal asks it to end.

    No threading.Event: a signal's handler runs in the main thread, and may run while that very thread holds the event's
    lock inside `wait`. It then waits for itself, and Ctrl-C ends nothing any more. A byte in a pipe needs no lock.
    """

    def __init__(self) -> None:
        self._asked = False
        self._read, self._write = os.pipe()
        os.set_blocking(self._write, False)

    def on_signals(self) -> Ending:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda _number, _frame: self.ask())
        return self

    def ask(self) -> None:
        self._asked = True
        with suppress(BlockingIOError):  # a full pipe wakes as well as one more byte
            os.write(self._write, b"!")

    def is_asked(self) -> bool:
        return self._asked

    def wait(self, seconds: float) -> bool:
        """Return whether the end is asked for, after `seconds` at the latest."""
        if not self._asked:
            select.select([self._read], [], [], seconds)
        return self._asked

    def close(self) -> None:
        os.close(self._read)
        os.close(self._write)
