"""`python -m config.beat`: Celery's clock, one at a time however many are started.

The clock ticks while its process holds an advisory lock of the database; a second one waits for its turn. So a machine
that is thought dead and comes back can't send every job twice.
"""

from __future__ import annotations

import logging
import os
import threading
from typing import Any

import psycopg
from django.conf import settings

from config.celery import app
from people.locks import Lock

WATCH = 5.0  # seconds between two looks at whether the lock is still ours

log = logging.getLogger("sounding.beat")


def main() -> None:
    connection = psycopg.connect(
        settings.DATABASE_URL, autocommit=True, application_name="sounding-beat",
        keepalives=1, keepalives_idle=10, keepalives_interval=5, keepalives_count=3,
    )  # fmt: skip
    wait_for_turn(connection)
    threading.Thread(target=watch, args=[connection], daemon=True).start()
    # The schedule's first heartbeat is due after its interval; until then nobody could tell whether we work.
    app.send_task("people.heartbeat", expires=30)
    folder = settings.VAR / "beat"  # what the clock keeps is one file or three, by what Python was built with
    folder.mkdir(mode=0o700, exist_ok=True)
    app.Beat(loglevel="WARNING", quiet=True, schedule=str(folder / "schedule")).run()


def wait_for_turn(connection: psycopg.Connection[Any]) -> None:
    """Return once this connection holds the lock; the database frees it with the connection."""
    if connection.execute("SELECT pg_try_advisory_lock(%s)", [Lock.BEAT.value]).fetchone() != (True,):
        log.info("another beat is at work; waiting for its turn")
        connection.execute("SELECT pg_advisory_lock(%s)", [Lock.BEAT.value])


def watch(connection: psycopg.Connection[Any]) -> None:
    """End the process when the connection, and the lock with it, is lost; whoever started it starts it again."""
    pause = threading.Event()
    while not pause.wait(WATCH):
        try:
            connection.execute("SELECT 1")
        except psycopg.Error:
            log.exception("lost the database, and with it the turn; ending")
            os._exit(1)


if __name__ == "__main__":
    main()
