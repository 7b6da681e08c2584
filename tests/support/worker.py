"""Celery workers on the test's database, each test run with a queue of its own.

The queue is another Valkey database than the one that all other tests use: no worker here takes jobs from tests that
look at theirs, and no other run's worker takes ours.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.db import connection

from config.celery import app as celery
from tests.support.servers import process_environment
from tests.support.web import Web, running_web, wait_until_left

PATIENCE = 90.0  # seconds; a busy machine takes many of them to start a worker
ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Worker:
    """A worker with one pool process, in a session of its own so that a crash can take all of it at once."""

    env: dict[str, str]
    process: subprocess.Popen[bytes] | None = None
    log: Path | None = None

    def start(self) -> None:
        """Start it; it works off what waits in the queue as soon as it is up."""
        with self.log.open("ab") if self.log else nullcontext() as output:
            self._start(output)

    def _start(self, output: IO[bytes] | None) -> None:
        self.process = subprocess.Popen(
            [
                *(sys.executable, "-m", "celery", "--quiet", "-A", "config.celery", "worker", "--pool", "prefork"),
                *("-c", "1", "--loglevel", "ERROR", "--without-gossip", "--without-mingle", "--without-heartbeat"),
            ],
            cwd=ROOT,
            env={**self.env, "PYTHONWARNINGS": "ignore:You're running the worker with superuser"},
            start_new_session=True,
            stdout=output,
            stderr=output,
        )

    def kill(self) -> None:
        """End the worker and its pool as a crash of the machine would."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait(timeout=20)
        self.process = None

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait(timeout=60)
            self.process = None


@contextmanager
def running_worker(env: dict[str, str]) -> Iterator[Worker]:
    worker = Worker(env)
    worker.start()
    try:
        yield worker
    finally:
        worker.stop()


def until(holds: Callable[[], bool], what: str, *, again: Callable[[], None] | None = None) -> None:
    """Look ten times a second until it holds; call `again` every five seconds, as beat would."""
    pause = threading.Event()
    for look in range(int(PATIENCE * 10)):
        if holds():
            return
        if again is not None and look % 50 == 49:
            again()
        pause.wait(0.1)
    raise AssertionError(f"waited {PATIENCE:g} s for {what}")


def sweep(environment: dict[str, str]) -> None:
    """Let beat's sweep be done by the worker."""
    with celery.connection_for_write(environment["BROKER_URL"]) as broker:
        celery.send_task("people.sweep_jobs", connection=broker)


def own_queue(url: str) -> str:
    """The address of a Valkey database that only tests with a worker use: eight further than the run's own."""
    parts = urlsplit(url)
    number = int(parts.path.strip("/") or 0)
    return urlunsplit(parts._replace(path=f"/{(number + 8) % 16}"))


@pytest.fixture(scope="session")
def worked_environment(django_db_setup: None) -> dict[str, str]:
    """The environment of processes that share the test database and this run's queue for workers."""
    return process_environment(connection.settings_dict["NAME"], BROKER_URL=own_queue(os.environ["REDIS_URL"]))


@pytest.fixture(scope="session")
def worked_site(worked_environment: dict[str, str]) -> Iterator[Web]:
    """A web process whose jobs a real worker does, for the whole run."""
    with running_worker(worked_environment), running_web(worked_environment) as running:
        yield running


@pytest.fixture
def whole_site(worked_site: Web, transactional_db: None) -> Iterator[Web]:
    """A web process and a worker on this test's database: what a simulation needs from sign-in to panel card."""
    yield worked_site
    wait_until_left()
