"""The private Valkey: bus and broker. Its password is new at every start, so that a stale one is worth nothing."""

from __future__ import annotations

import os
import secrets
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from config.embedded.home import Home
from config.embedded.process import (
    EmbeddedError,
    await_start,
    free_port,
    last_lines,
    moments,
    open_lock,
    reap,
    spawn,
    try_alone,
    write_private,
)


@dataclass(frozen=True)
class Valkey:
    """A Valkey that has proven to serve our folder."""

    port: int
    pid: int
    password: str = field(repr=False)

    def address(self) -> str:
        return f"redis://:{self.password}@127.0.0.1:{self.port}/0"


def ensure(home: Home, last: Valkey | None) -> Valkey:
    """Return the Valkey of this home: the one that lives (where it was last), or a new one."""
    lock = open_lock(home.folder / "valkey.lock")
    try:
        for _ in moments():
            if try_alone(lock):
                return _start(home, lock)
            if last and (alive := prove(home, last.port, last.password)):
                return alive
    finally:
        os.close(lock)
    raise EmbeddedError(
        f"A Valkey lives in {home.folder / 'valkey'} but does not answer with our password. Look into "
        f"{home.folder / 'valkey.log'}, end it and try again."
    )


def prove(home: Home, port: int, password: str) -> Valkey | None:
    """Connect with the password and have the server say which folder and process it is."""
    try:
        with _client(port, password) as client:
            info = client.info("server")
            folder = client.config_get("dir").get("dir", "")
            client.ping()
    except (redis.RedisError, OSError):
        return None
    ours = os.path.realpath(folder) == os.path.realpath(home.folder / "valkey")
    return Valkey(port, int(info["process_id"]), password) if ours else None


def stop(home: Home, last: Valkey) -> None:
    """Have the server write its file and go, if it proves to be ours."""
    server = prove(home, last.port, last.password)
    if not server:
        return
    with _client(last.port, last.password) as client:
        client.shutdown()
    lock = open_lock(home.folder / "valkey.lock")
    try:
        for _ in moments():
            if try_alone(lock):
                reap(server.pid)
                return
    finally:
        os.close(lock)
    raise EmbeddedError(f"Valkey does not stop. Look into {home.folder / 'valkey.log'}")


def _client(port: int, password: str) -> redis.Redis:
    # No retries: the client's own would ask a stopped server ten times, slower each time.
    return redis.Redis(
        host="127.0.0.1", port=port, password=password, socket_timeout=10, socket_connect_timeout=3,
        retry=Retry(NoBackoff(), 0),
    )  # fmt: skip


def _start(home: Home, lock: int) -> Valkey:
    folder, log = home.folder / "valkey", home.folder / "valkey.log"
    if not folder.exists():
        folder.mkdir(mode=0o700)
        if home.account:
            os.chown(folder, home.account.uid, home.account.gid)
    for _attempt in range(3):  # another program may take the port between our look and Valkey's bind
        port, password = free_port(), secrets.token_hex(24)
        configuration = home.folder / "valkey.conf"
        write_private(configuration, _configuration(folder, port, password), home.account)
        child = spawn(home.account, [home.programs.valkey, configuration], cwd=home.folder, log=log, lock=lock)
        if server := await_start(child, partial(prove, home, port, password)):
            return server
    raise EmbeddedError(f"Valkey does not start. The end of {log}:\n{last_lines(log)}")


def _configuration(folder: Path, port: int, password: str) -> str:
    # As a broker it keeps its queue over a restart (appendonly); a full memory must refuse, not forget (noeviction).
    lines = {
        "bind": "127.0.0.1",
        "port": str(port),
        "protected-mode": "yes",
        "requirepass": password,
        "dir": _quoted(str(folder)),
        "daemonize": "no",
        "save": '""',
        "appendonly": "yes",
        "appendfsync": "everysec",
        "maxmemory-policy": "noeviction",
        "enable-debug-command": "no",
        "enable-module-command": "no",
    }
    return "".join(f"{name} {value}\n" for name, value in lines.items())


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\r", "\\r")
    return f'"{escaped}"'
