"""PostgreSQL and Valkey for one test run, in a folder of its own. Imported before Django's settings are."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from config.embedded import EmbeddedError, destroy, serving

PREFIX = "sounding-tests-"
OWN = "TESTS_OWN_SERVERS"  # set where the servers were started by this run, for its processes


def start(*, durable: bool = False) -> None:
    """Name the servers in the environment, unless it names some already (a CI's, or those of xdist's first process).

    `durable`: the database waits for its disk, as an installation's does; no test asks what a crash of the machine
    leaves, and fsync would be half of its time.
    """
    os.environ["AS_OWNER"] = "1"  # making the test database and its tables is the owner's work
    os.environ.setdefault("SECRET_KEY", "of-a-test-run-" + "0" * 50)
    if not (os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")):
        _start_private(durable)
    _take_own_queue()


def own() -> bool:
    """Whether the servers are of this run alone: they hold nothing that it did not make."""
    return OWN in os.environ


def process_environment(database: str, **more: str) -> dict[str, str]:
    """The environment of a process that a test starts: it works on the test's database, as the application's role."""
    kept = {name: value for name, value in os.environ.items() if name != "AS_OWNER"}
    return {
        **kept,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATABASE_URL": on_database(os.environ["DATABASE_URL"], database),
        "DATABASE_OWNER_URL": on_database(os.environ["DATABASE_OWNER_URL"], database),
        **more,
    }


def on_database(url: str, database: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{database}"))


def _start_private(durable: bool) -> None:
    _sweep()
    var = Path(tempfile.mkdtemp(prefix=PREFIX))
    var.chmod(0o711)  # the servers' user, where we are root, must pass through
    os.environ["VAR"] = str(var)
    stack = ExitStack()
    stack.callback(shutil.rmtree, var, ignore_errors=True)
    stack.callback(destroy, var)
    addresses = stack.enter_context(serving(var, durable=durable))
    atexit.register(stack.close)
    with psycopg.connect(addresses.database_superuser, autocommit=True) as connection:
        owner = urlsplit(addresses.database_owner).username or ""
        connection.execute(sql.SQL("ALTER ROLE {} CREATEDB").format(sql.Identifier(owner)))
        # To empty tables after a test, whatever guards them and refers to them (tests/support/database.py).
        connection.execute(
            sql.SQL("GRANT SET ON PARAMETER session_replication_role TO {}").format(sql.Identifier(owner))
        )
    os.environ[OWN] = "1"
    os.environ["DATABASE_URL"] = addresses.database
    os.environ["DATABASE_OWNER_URL"] = addresses.database_owner
    os.environ["REDIS_URL"] = addresses.redis


def _take_own_queue() -> None:
    """Give each xdist process a Valkey database of its own, so that no worker takes another's jobs."""
    os.environ.setdefault("DATABASE_OWNER_URL", os.environ["DATABASE_URL"])
    if worker := os.environ.get("PYTEST_XDIST_WORKER"):
        number = int(worker.removeprefix("gw")) % 15 + 1
        os.environ["REDIS_URL"] = urlunsplit(urlsplit(os.environ["REDIS_URL"])._replace(path=f"/{number}"))


def _sweep() -> None:
    """Stop and remove what killed test runs left behind; a run that lives holds its folder, and keeps it."""
    for var in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        # Several runs may sweep at once: a folder that is gone meanwhile is what was wanted.
        with suppress(EmbeddedError, FileNotFoundError):
            if var.stat().st_uid == os.geteuid():
                destroy(var)
                shutil.rmtree(var, ignore_errors=True)
