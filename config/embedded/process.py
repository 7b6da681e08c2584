"""Locks, private files and child processes: what both embedded servers are made of."""

from __future__ import annotations

import fcntl
import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

LOG_LIMIT = 5 * 1024 * 1024  # bytes; a longer log is put aside when its server starts
PATIENCE = 60.0  # seconds a server may take to come up (crash recovery) or to go down


Server = TypeVar("Server")

# Servers outlive the function that started them, and may outlive us where others use them too.
_children: list[subprocess.Popen[bytes]] = []


class EmbeddedError(Exception):
    """The servers can't be started, used or stopped. The text says which, why and what to do."""


@dataclass(frozen=True)
class Account:
    """The system user that the servers run as when we are root."""

    name: str
    uid: int
    gid: int


def open_lock(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


@contextmanager
def exclusive(path: Path) -> Iterator[None]:
    """Hold the lock file alone. The kernel frees it when we die, however we die."""
    lock = open_lock(path)
    try:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
    finally:
        os.close(lock)


def share(path: Path) -> int:
    """Return a descriptor that holds the lock file together with others."""
    lock = open_lock(path)
    fcntl.flock(lock, fcntl.LOCK_SH)
    return lock


def try_alone(lock: int) -> bool:
    """Turn the descriptor's lock into an exclusive one, if nobody else holds the file."""
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def lives(path: Path) -> bool:
    """Whether a process holds the lock file."""
    lock = open_lock(path)
    try:
        return not try_alone(lock)
    finally:
        os.close(lock)


def write_private(path: Path, content: str, account: Account | None = None) -> None:
    """Put a file that only its owner can read in place, in one step."""
    fresh = path.with_name(f"{path.name}.new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(content)
        if account:
            os.fchown(file.fileno(), account.uid, account.gid)
    fresh.replace(path)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def clean_environment() -> dict[str, str]:
    """The servers get none of our variables: PG* would change them, and our secrets are no business of theirs."""
    kept = {name: os.environ[name] for name in ("PATH", "LD_LIBRARY_PATH") if name in os.environ}
    return {**kept, "LANG": "C", "TZ": "UTC"}


def run_as(
    account: Account | None, command: Sequence[str | Path], cwd: Path | str = "/"
) -> subprocess.CompletedProcess[str]:
    """Run a short command to its end, as the account where there is one."""
    who: dict[str, object] = {"user": account.uid, "group": account.gid, "extra_groups": []} if account else {}
    return subprocess.run(  # type: ignore[call-overload,no-any-return]  # noqa: S603 - our own binaries
        [str(part) for part in command],
        cwd=cwd, env=clean_environment(), umask=0o077, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        check=False, start_new_session=True, **who,  # Ctrl-C is ours to act on, not initdb's
    )  # fmt: skip


def spawn(
    account: Account | None, command: Sequence[str | Path], *, cwd: Path, log: Path, lock: int
) -> subprocess.Popen[bytes]:
    """Start a server in a session of its own (Ctrl-C goes to us alone). It inherits the lock: proof that it lives."""
    if log.exists() and log.stat().st_size > LOG_LIMIT:
        log.replace(log.with_name(f"{log.name}.1"))
    who: dict[str, object] = {"user": account.uid, "group": account.gid, "extra_groups": []} if account else {}
    output = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        child: subprocess.Popen[bytes] = subprocess.Popen(  # type: ignore[call-overload]  # noqa: S603 - our own binaries
            [str(part) for part in command],
            cwd=cwd, env=clean_environment(), umask=0o077, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            start_new_session=True, pass_fds=(lock,), **who,
        )  # fmt: skip
    finally:
        os.close(output)
    _children.append(child)
    return child


def reap(pid: int) -> None:
    """Take a stopped server off the process table, if it was our child."""
    for child in [child for child in _children if child.pid == pid]:
        child.wait()
        _children.remove(child)


def last_lines(log: Path, count: int = 5) -> str:
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return ""
    return "\n".join(f"  {line}" for line in lines[-count:])


def moments(patience: float = PATIENCE, pause: float = 0.05) -> Iterator[float]:
    """Yield the seconds passed, again and again, until patience ends."""
    start = time.monotonic()
    while (passed := time.monotonic() - start) < patience:
        yield passed
        time.sleep(pause)  # between looks at something that tells nobody when it is ready


def await_start(child: subprocess.Popen[bytes], prove: Callable[[], Server | None]) -> Server | None:
    """Wait until a started server answers its proof and return it; None, with the child ended, if it never does."""
    try:
        for _ in moments():
            if server := prove():
                return server
            if child.poll() is not None:
                return None
    except BaseException:
        child.terminate()
        child.wait()
        raise
    child.terminate()
    child.wait()
    return None
