"""A real web process on the test database, and a plain client of the wire."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import pytest
import websockets
from asgiref.sync import sync_to_async
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.db import connection, connections
from django.db.models import Q
from websockets.asyncio.client import ClientConnection

from interviews.models import Attendance, CandidateLink, Interview, Seat
from people.models import Person
from people.sessions import SessionStore
from scoring.models import DebriefLine
from tests.support.servers import process_environment

ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Web:
    """Where the process listens, and the process. With `log`, what it says goes to that file, else to ours."""

    port: int
    env: dict[str, str]
    application: str = "config.asgi:application"
    process: subprocess.Popen[bytes] | None = None
    log: Path | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        with self.log.open("ab") if self.log else nullcontext() as output:
            self._start(output)

    def _start(self, output: IO[bytes] | None) -> None:
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "uvicorn", self.application, "--host", "127.0.0.1"),
                *("--port", str(self.port), "--ws", "websockets-sansio", "--ws-max-size", "262144"),
                *("--ws-per-message-deflate", "false", "--timeout-graceful-shutdown", "5", "--no-access-log"),
                *("--lifespan", "off", "--log-level", "warning"),
            ],
            cwd=ROOT,
            env={"DATABASE_POOL": "1", **self.env},
            stdout=output,
            stderr=output,
        )
        wait_for_port(self.port, self.process)

    def kill(self) -> None:
        """End the process as a crash would."""
        self.stop(signal.SIGKILL)

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(timeout=20)
            self.process = None


def wait_for_port(port: int, process: subprocess.Popen[bytes]) -> None:
    """Block until something listens; a process that ended instead is an error."""
    while True:
        if process.poll() is not None:
            raise RuntimeError(f"the web process ended with {process.returncode}")
        with socket.socket() as probe:
            probe.settimeout(0.2)
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)  # between looks, or they would take half of the processor from what they look at


def free_port() -> int:
    """A port that nobody else is given as long as this process lives, whether somebody listens there or was killed.

    It stays bound here, but not listened on: who listens next, and says SO_REUSEADDR as servers do, may have it beside
    us. Only Linux has it so.
    """
    probe = socket.socket()
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    probe.bind(("127.0.0.1", 0))
    port = int(probe.getsockname()[1])
    if sys.platform == "linux":
        probe.detach()
    else:
        probe.close()
    return port


@contextmanager
def running_web(env: dict[str, str], application: str = Web.application, *, log: Path | None = None) -> Iterator[Web]:
    port = free_port()
    web = Web(port, {**env, "PORT": str(port), "SITE_URL": f"http://127.0.0.1:{port}"}, application, log=log)
    web.start()
    try:
        yield web
    finally:
        web.stop()


@pytest.fixture(scope="session")
def web_process(django_db_setup: None) -> Iterator[Web]:
    """One web process for the whole run: it keeps nothing between rooms, so tests can share it."""
    with running_web(process_environment(connection.settings_dict["NAME"])) as running:
        yield running


@pytest.fixture
def web(web_process: Web, transactional_db: None) -> Iterator[Web]:
    """A web process on this test's database. Tests that kill one start their own with `running_web`."""
    yield web_process
    wait_until_left()


@pytest.fixture(scope="session")
def logged_process(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Web]:
    log = tmp_path_factory.mktemp("web") / "web.log"
    with running_web(process_environment(connection.settings_dict["NAME"]), log=log) as running:
        yield running


@pytest.fixture
def logged_web(logged_process: Web, transactional_db: None) -> Iterator[Web]:
    """A web process on this test's database, whose `log` holds what it said since the test began."""
    assert logged_process.log is not None
    os.truncate(logged_process.log, 0)
    yield logged_process
    wait_until_left()


def wait_until_left() -> None:
    """Wait until the process took leave of every socket. It still writes when its sockets went, and emptying the
    tables meanwhile would be a deadlock."""
    deadline = time.monotonic() + 60
    open_line = Q(ended_at__isnull=True)
    while Attendance.objects.filter(open_line).exists() or DebriefLine.objects.filter(open_line).exists():
        assert time.monotonic() < deadline, "a socket of the test was never taken leave of"
        time.sleep(0.02)  # between looks


@pytest.fixture
async def async_connections() -> AsyncIterator[None]:
    """Close what asgiref's thread opened, or the test database can't be dropped."""
    yield
    await sync_to_async(connections.close_all)()


def session_of(person: Person) -> str:
    """Sign a person in without the form; return the session cookie's value."""
    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.save()
    return str(session.session_key)


def session_of_candidate(seat: Seat, link: CandidateLink) -> str:
    """Let a browser in as the candidate, as the link's page does; return the session cookie's value."""
    link.browser = link.browser or uuid.uuid4()
    link.joined_at = link.joined_at or link.issued_at
    link.save()
    session = SessionStore()
    ticket = {"seat": seat.pk, "link": link.pk, "browser": str(link.browser)}
    session["candidate"] = {str(seat.interview.code): ticket}
    session.save()
    return str(session.session_key)


@dataclass
class Wire:
    """One socket, spoken to frame by frame. `frames` keeps everything heard but pings, in order."""

    socket: ClientConnection
    frames: list[dict[str, Any]] = field(default_factory=list)
    outbox: int = 0
    device: object = "test"

    async def next(self) -> dict[str, Any]:
        """The next frame that is no ping (those are answered) and no presence."""
        while True:
            async with asyncio.timeout(15):
                text = await self.socket.recv()
            frame: dict[str, Any] = json.loads(text)
            if frame["type"] == "ping":
                await self.pong()
            elif frame["type"] != "presence":
                self.frames.append(frame)
                return frame

    async def pong(self) -> None:
        frame = {"type": "pong", "heads": {}, "outbox": self.outbox, "device": self.device}
        await self.socket.send(json.dumps(frame))

    async def until(self, kind: str, **values: Any) -> dict[str, Any]:
        """Read on to a frame of this type with these values."""
        while True:
            frame = await self.next()
            if frame["type"] == kind and all(frame.get(name) == value for name, value in values.items()):
                return frame

    async def send(self, name: str, data: dict[str, Any] | None = None, *, id: str = "", age: float = 0) -> str:
        command = id or str(uuid.uuid4())
        frame = {"type": "command", "id": command, "name": name, "data": data or {}, "age": age}
        await self.socket.send(json.dumps(frame))
        return command

    async def do(
        self, name: str, data: dict[str, Any] | None = None, *, id: str = "", age: float = 0
    ) -> dict[str, Any]:
        """Send a command and return its answer, ack or refused."""
        command = await self.send(name, data, id=id, age=age)
        while True:
            frame = await self.next()
            if frame["type"] in {"ack", "refused"} and frame["id"] == command:
                return frame

    async def closed(self) -> int:
        """Read on until the server closes; return the code."""
        try:
            while True:
                async with asyncio.timeout(15):
                    await self.socket.recv()
        except websockets.ConnectionClosed as closed:
            return closed.rcvd.code if closed.rcvd else 1006


def dial(
    web: Web, interview: Interview | str, session: str | None, *, query: str = "v=1", origin: str | None = ""
) -> Any:
    """Open a room's socket: `async with dial(web, interview, session) as socket`."""
    code = interview if isinstance(interview, str) else str(interview.code)
    headers = {"Cookie": f"sessionid={session}"} if session else {}
    return websockets.connect(
        f"ws://127.0.0.1:{web.port}/ws/interviews/{code}/?{query}",
        additional_headers=headers,
        origin=web.url if origin == "" else origin,  # type: ignore[arg-type]
        max_size=None,
        proxy=None,
    )
