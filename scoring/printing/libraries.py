"""Which system libraries WeasyPrint needs, which of them are missing here, and what Debian calls them.

It loads them when it is imported, and its own words about a missing one help nobody who runs a server.
"""

from __future__ import annotations

import ctypes
from collections.abc import Mapping

# Debian and Ubuntu call the packages so in every release since bookworm and 22.04. GLib, HarfBuzz and Fontconfig come
# along with the first two.
LIBRARIES: Mapping[str, str] = {
    "libgobject-2.0.so.0": "libpango-1.0-0",
    "libpango-1.0.so.0": "libpango-1.0-0",
    "libharfbuzz.so.0": "libpangoft2-1.0-0",
    "libfontconfig.so.1": "libpangoft2-1.0-0",
    "libpangoft2-1.0.so.0": "libpangoft2-1.0-0",
    "libharfbuzz-subset.so.0": "libharfbuzz-subset0",
}


class NoPango(Exception):
    """PDF can't be made here: Debian's `packages` are missing."""

    def __init__(self, packages: tuple[str, ...]) -> None:
        super().__init__(f"missing: {' '.join(packages)}")
        self.packages = packages

    @property
    def command(self) -> str:
        return f"apt-get install {' '.join(self.packages)}"


def missing_packages() -> tuple[str, ...]:
    """Return the Debian packages that bring what can't be loaded here, each once; empty when all is there."""
    return tuple(dict.fromkeys(package for library, package in LIBRARIES.items() if not _loads(library)))


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True
