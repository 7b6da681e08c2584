"""Doing several things at once against the test database."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from django.db import connection, connections, transaction

One = TypeVar("One")
Other = TypeVar("Other")


def in_threads(*work: Any) -> list[Any]:
    """Do it all at once, each on a connection of its own; return what came of each, exceptions too."""
    results: list[Any] = [None] * len(work)
    start = threading.Barrier(len(work))

    def run(place: int) -> None:
        try:
            start.wait(timeout=30)
            results[place] = work[place]()
        except Exception as error:
            results[place] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(place,)) for place in range(len(work))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    return results


def one_after_other(
    first: Callable[[], One], second: Callable[[], Other], *, then: Callable[[], object] = lambda: None
) -> tuple[One, Other]:
    """Do the first in a transaction that stays open until the second waits for a lock, or is done without waiting.

    `then` is done last in that transaction. Return what came of both. Raises what either raised.
    """
    wrote, may_commit = threading.Event(), threading.Event()

    def one() -> One:
        try:
            with transaction.atomic():
                result = first()
                wrote.set()
                assert may_commit.wait(20)
                then()
            return result
        finally:
            wrote.set()
            connections.close_all()

    def other() -> Other:
        try:
            assert wrote.wait(20)
            return second()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as threads:
        results = threads.submit(one), threads.submit(other)
        try:
            while not results[1].done() and not results[0].done() and not _someone_waits():
                pass
        finally:
            may_commit.set()
        return results[0].result(), results[1].result()


def _someone_waits() -> bool:
    """In this database: the tests of other processes wait for locks of their own. (A row's lock names no database.)"""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT EXISTS (SELECT 1 FROM pg_locks JOIN pg_stat_activity USING (pid) "
            "WHERE NOT granted AND datname = current_database())"
        )
        return bool(cursor.fetchone()[0])
