"""How a job says how far it is, and hears that it was cancelled, while its own transaction is still open."""

from __future__ import annotations

from time import monotonic
from types import TracebackType
from typing import Final, Self

from django.db import connection

from questionbank.enums import UploadState
from questionbank.models import Upload

PAUSE: Final = 0.25
"""Seconds between two reports: more often nobody would see."""


class Stopped(Exception):
    """The upload was cancelled, or ended in another way, while its job ran."""


class Watch:
    """Writes progress to an upload that stands in `state`, on a connection of its own.

    What the job writes becomes visible all at once, at its end; what it says of itself must be visible at once. Used as
    `with Watch(...) as watch`, called as `watch(done, of)`. Raises Stopped when the upload has left the state.
    """

    def __init__(self, upload: int, state: UploadState) -> None:
        self._upload = upload
        self._state = state
        self._next = 0.0
        self._connection = connection.copy()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def __call__(self, done: int, of: int) -> None:
        if done < of and monotonic() < self._next:
            return
        self._next = monotonic() + PAUSE
        table = Upload._meta.db_table
        with self._connection.cursor() as cursor:
            cursor.execute(
                f"UPDATE {table} SET done = %s, total = %s WHERE id = %s AND state = %s",  # noqa: S608 - our own name
                [done, of, self._upload, self._state.value],
            )
            if cursor.rowcount == 0:
                raise Stopped
