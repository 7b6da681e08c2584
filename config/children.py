"""A process that the supervisor keeps up."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic

PR_SET_PDEATHSIG = 1
LONGEST_PAUSE = 30.0  # seconds between two tries of a process that keeps dying
SETTLED = 60.0  # seconds after which a process counts as healthy again

# Loaded before any fork: between fork and exec a child must not load libraries.
_libc = ctypes.CDLL(None) if sys.platform == "linux" else None


def _die_with_parent() -> None:
    if _libc:
        _libc.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


class Child:
    """Starts a command in a session of its own, and again when it ends by itself: after 1 s, 2 s, 4 s ... 30 s."""

    def __init__(
        self, name: str, command: Sequence[str], *, cwd: Path, patience: float, env: Mapping[str, str] | None = None
    ) -> None:
        self.name = name
        self.patience = patience
        self._command = list(command)
        self._cwd = cwd
        self._env = dict(env or {})
        self._process: subprocess.Popen[bytes] | None = None
        self._started = 0.0
        self._pause = 0.5
        self._not_before = 0.0

    def keep_up(self, say: Callable[[str], None]) -> None:
        """Start the process if it is due; note when it has ended. Never blocks."""
        now = monotonic()
        if self._process and self._process.poll() is not None:
            if now - self._started > SETTLED:
                self._pause = 0.5
            self._pause = min(self._pause * 2, LONGEST_PAUSE)
            self._not_before = now + self._pause
            how = f"ended with {self._process.returncode}" if self._process.returncode >= 0 else "was killed"
            say(f"The {self.name} process {how}; starting it again in {self._pause:g} s.")
            self._clear()
        if not self._process and now >= self._not_before:
            self._start(now)

    def ask_to_stop(self) -> None:
        if self._process and self._process.poll() is None:
            self._process.terminate()

    def await_end(self) -> None:
        """Wait for the end, and make it after the child's patience; what it leaves behind goes too."""
        if not self._process:
            return
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(self.patience)
        self._clear()

    def _clear(self) -> None:
        """End all of its process group: a worker that dies while it starts leaves its pool running."""
        if self._process:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None

    def _start(self, now: float) -> None:
        # In its own session Ctrl-C does not reach it: the supervisor decides who stops when.
        self._process = subprocess.Popen(  # noqa: S603 - our own commands
            self._command, cwd=self._cwd, env={**os.environ, **self._env}, stdin=subprocess.DEVNULL,
            start_new_session=True, preexec_fn=_die_with_parent,
        )  # fmt: skip
        self._started = now
