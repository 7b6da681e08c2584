"""The demo's processes: restarted when they die, gone when the supervisor is killed, stopped before the servers."""

from __future__ import annotations

import json
import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest

from config.embedded import destroy
from tests.support.web import free_port

pytestmark = pytest.mark.faults

ROOT = Path(__file__).resolve().parents[2]
TEST_RUN = {"AS_OWNER", "BROKER_URL", "DATABASE_OWNER_URL", "DATABASE_URL", "DEBUG", "REDIS_URL", "SECRET_KEY"}


class Demo:
    """`python -m config.supervisor demo` on a VAR and a port of its own."""

    def __init__(self, var: Path) -> None:
        self.var = var
        self.port = free_port()
        self.log = var / "demo.log"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        kept = {name: value for name, value in os.environ.items() if name not in TEST_RUN}
        with self.log.open("ab") as log:
            self.log_size = log.tell()
            self.process = subprocess.Popen(
                [sys.executable, "-m", "config.supervisor", "demo"],
                env={**kept, "VAR": str(self.var), "PORT": str(self.port)}, cwd=ROOT, stdout=log, stderr=log,
            )  # fmt: skip
        eventually(lambda: "Sign in as" in self.said() and self.health().get("status") == "ok", self.said)

    def said(self) -> str:
        """What the latest start wrote."""
        return self.log.read_bytes()[self.log_size :].decode()

    def health(self) -> dict[str, Any]:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=5) as answer:
                return dict(json.load(answer))
        except (OSError, urllib.error.URLError):
            return {}

    def part(self, words: str) -> psutil.Process:
        """The supervisor's child whose command line has these words."""
        assert self.process
        (found,) = [
            child for child in psutil.Process(self.process.pid).children() if words in " ".join(child.cmdline())
        ]
        return found

    def servers(self) -> list[psutil.Process]:
        """PostgreSQL and Valkey; fewer while they start."""
        file = self.var / "run.json"
        run = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
        found = []
        for server in filter(None, run.values()):
            with suppress(psutil.NoSuchProcess):
                found.append(psutil.Process(server["pid"]))
        return found


def eventually(holds: Callable[[], bool], tell: Callable[[], str] = str, patience: float = 300) -> None:
    """Within minutes, since a demo makes its database, tables and data first, and the machine may be a busy one."""
    deadline = time.monotonic() + patience
    while not holds():
        assert time.monotonic() < deadline, tell()
        time.sleep(0.05)


def gone(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


@pytest.fixture
def demo() -> Iterator[Demo]:
    with tempfile.TemporaryDirectory(prefix="sounding-demo-") as folder:
        Path(folder).chmod(0o711)
        demo = Demo(Path(folder))
        yield demo
        if demo.process:
            demo.process.terminate()
            demo.process.wait(60)
        destroy(demo.var)


@pytest.mark.long
@pytest.mark.timeout(900)
def test_supervisor_keeps_the_demo_up_and_takes_it_down_in_order(demo: Demo) -> None:
    """One demo for all of it, since the first start makes database, tables and data, and takes most of the time."""
    demo.start()
    assert (demo.var / "demo-password").read_text(encoding="utf-8").strip() in demo.said()
    assert stat.S_IMODE((demo.var / "demo-password").stat().st_mode) == 0o600

    # A web process that is killed comes back.
    web = demo.part("uvicorn")
    assert {connection.laddr.ip for connection in web.net_connections() if connection.status == "LISTEN"} == {
        "127.0.0.1"
    }
    web.kill()
    eventually(lambda: "The web process was killed" in demo.said() and demo.health().get("status") == "ok", demo.said)

    # A supervisor that is killed takes its children with it; the servers stay.
    assert demo.process
    parts = [demo.part(words) for words in ("uvicorn", "celery", "config.beat")]
    servers = demo.servers()
    demo.process.kill()
    demo.process.wait()
    eventually(lambda: all(gone(part) for part in parts))
    assert not any(gone(server) for server in servers)

    # The next start uses them, and starts all again when one of them dies.
    demo.start()
    assert demo.servers() == servers
    servers[0].kill()
    eventually(lambda: "starting all again" in demo.said(), demo.said)
    eventually(lambda: len(demo.servers()) == 2 and not set(demo.servers()) & set(servers), demo.said)
    eventually(lambda: demo.health().get("status") == "ok", demo.said)

    # It stops everything when told to, the servers last.
    servers, told = demo.servers(), len(demo.said())
    parts = [demo.part(words) for words in ("uvicorn", "celery", "config.beat")]
    demo.process.send_signal(signal.SIGINT)
    eventually(lambda: any(gone(server) for server in servers))
    assert all(gone(part) for part in parts)
    assert demo.process.wait(60) == 0
    assert all(gone(server) for server in servers)
    assert "Traceback" not in demo.said()[told:]


@pytest.mark.django_db(transaction=True)
def test_beat_waits_while_another_one_ticks(
    process_env: dict[str, str], as_application: psycopg.Connection[Any]
) -> None:
    def turns() -> list[tuple[int, bool]]:
        query = (
            "SELECT l.pid, l.granted FROM pg_locks l JOIN pg_stat_activity a USING (pid) WHERE l.locktype = 'advisory' "
            "AND a.application_name = 'sounding-beat' AND a.datname = current_database() ORDER BY l.granted DESC"
        )
        return as_application.execute(query.encode()).fetchall()

    beats = [subprocess.Popen([sys.executable, "-m", "config.beat"], env=process_env, cwd=ROOT) for _ in range(2)]
    try:
        eventually(lambda: [granted for _, granted in turns()] == [True, False])
        waiting = turns()[1][0]
        holder = next(beat for beat in beats if turns()[0][0] in server_sides(beat, as_application))
        holder.kill()
        holder.wait()

        eventually(lambda: turns() == [(waiting, True)])
    finally:
        for beat in beats:
            beat.kill()
            beat.wait()


def server_sides(beat: subprocess.Popen[bytes], connection: psycopg.Connection[Any]) -> list[int]:
    """The database's process ids of this beat's connections."""
    ports = [used.laddr.port for used in psutil.Process(beat.pid).net_connections() if used.status == "ESTABLISHED"]
    rows = connection.execute("SELECT pid FROM pg_stat_activity WHERE client_port = ANY(%s)", [ports]).fetchall()
    return [pid for (pid,) in rows]
