"""The numbers that jobs queue on in PostgreSQL (advisory locks). All of them stand here: one number, one meaning."""

from __future__ import annotations

from enum import IntEnum, unique

from django.db import connection


@unique
class Lock(IntEnum):
    """Whoever takes one of these waits for whoever holds it, and for nobody else. The numbers mean nothing."""

    BEAT = 0x50_0D_B0_A7
    """Held by the process that is the clock, for as long as it lives."""
    IMPORT = 7_203_114_001
    """Two imports at once would both see "no such tree"."""
    COMPARE = 7_203_114_002
    """Two that compare the bank with itself at once would find each other's pairs."""
    MERGE = 7_203_114_003
    """Two merges at once could send each of two probes to the other."""
    FIGURES = 7_203_114_004
    """Two snapshots of figures at once would each count what the other has counted."""
    CALIBRATION = 7_203_114_005
    """Two calibrations at once would make two runs of one set of ratings."""
    MARKINGS = 7_203_114_006
    """Two draws of second markings at once would each ask somebody."""


def queue_on(lock: Lock) -> None:
    """Wait until nobody holds the lock, and hold it to the end of the transaction that is open."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [lock.value])
