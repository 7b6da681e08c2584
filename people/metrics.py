"""The numbers of this process, or of all of them together, in Prometheus' text format."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final

from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

# Called before the numbers are read: apps bring those up to date that are not counted as things happen.
refreshers: Final[list[Callable[[], None]]] = []


def exposition() -> bytes:
    """Where PROMETHEUS_MULTIPROC_DIR is set, processes write there and any of them tells the numbers of all."""
    for refresh in refreshers:
        refresh()
    if not os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        return generate_latest(REGISTRY)
    registry = CollectorRegistry()
    MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)
