"""Doing several things at once against the test database."""

from __future__ import annotations

import threading
from typing import Any

from django.db import connections


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
