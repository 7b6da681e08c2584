"""How many ratings fit into this machine, so that too large a file is refused and not killed for half an hour later."""

from __future__ import annotations

from pathlib import Path

BYTES_FOR_A_RATING = 1_000
MEMINFO = Path("/proc/meminfo")
CGROUP = Path("/sys/fs/cgroup")


def free_bytes() -> int | None:
    """The memory free for a new process, or None where that can't be told."""
    known = [found for found in (_machine(), _group()) if found is not None]
    return min(known, default=None)


def most_ratings(gigabytes: float | None) -> int | None:
    """How many ratings there is memory for: `gigabytes` if given, else what is free."""
    memory = free_bytes() if gigabytes is None else int(gigabytes * 1e9)
    return None if memory is None else max(memory // BYTES_FOR_A_RATING, 1)


def _machine() -> int | None:
    try:
        text = MEMINFO.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return None
    for line in text.splitlines():
        name, _, rest = line.partition(":")
        if name == "MemAvailable" and rest.split()[:1]:
            return int(rest.split()[0]) * 1024
    return None


def _group() -> int | None:
    """What the limit of a container leaves."""
    try:
        limit = (CGROUP / "memory.max").read_text(encoding="ascii").strip()
        used = (CGROUP / "memory.current").read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        return None
    return max(int(limit) - int(used), 0) if limit.isdigit() and used.isdigit() else None
