"""Which part of the system works: database, bus, worker, beat."""

from __future__ import annotations

from datetime import timedelta
from functools import cache

import redis
from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone

from people.models import Heartbeat

STALE_AFTER = timedelta(seconds=35)


@cache
def _bus(url: str) -> redis.Redis:
    return redis.Redis.from_url(url, socket_timeout=0.5, socket_connect_timeout=0.5)


def check_parts() -> dict[str, str]:
    """Return {part: "ok" | what is wrong} for database, bus, worker and beat, in a few milliseconds.

    Beat's heartbeat is the one that it has just sent through the queue, so one row proves both it and a worker; which
    of them is missing can only be told when the queue holds unread heartbeats.
    """
    parts = {"database": "ok", "bus": "ok", "worker": "no heartbeat yet", "beat": "no heartbeat yet"}
    try:
        for name, at in Heartbeat.objects.values_list("name", "at"):
            late = timezone.now() - at > STALE_AFTER
            parts[name] = f"last heard {at:%H:%M:%S} UTC" if late else "ok"
    except DatabaseError:
        parts["database"] = "not reachable"
    try:
        _bus(settings.REDIS_URL).ping()
    except redis.RedisError:
        parts["bus"] = "not reachable"
    return parts
