"""The doorbell between processes: "room 7's panel stream is at 12". Hints only; they may be lost, doubled or late.

Only this module and interviews.live touch Redis. Losing the bus costs a second, because every hub compares the heads of
its streams with the table each second.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from functools import cache
from typing import Any

import redis
from django.conf import settings

logger = logging.getLogger("sounding.bus")

CHANNEL = "sounding:hints"

# Called in this process at once, before Redis: the hub registers itself here. From any thread.
listeners: list[Callable[[dict[str, Any]], None]] = []


@cache
def _client(url: str) -> redis.Redis:
    return redis.Redis.from_url(
        url, socket_timeout=1, socket_connect_timeout=1, health_check_interval=30, max_connections=50
    )


def ring(room: int, heads: dict[str, int]) -> None:
    """Say that streams of a room have new heads. Never raises: the table tells the same a second later."""
    publish({"room": room, "heads": heads})


def rights(room: int) -> None:
    """Say that somebody's right to a room changed, so that every hub looks at its sockets at once."""
    publish({"room": room, "rights": True})


def publish(hint: dict[str, Any]) -> None:
    for listener in listeners:
        listener(hint)
    try:
        _client(settings.REDIS_URL).publish(CHANNEL, json.dumps(hint))
    except (redis.RedisError, OSError):
        logger.warning("the bus is away; processes will find out from the table")
