"""The address of static files: one digest over all of them. Knows no Django, since the settings ask for it.

Modules import each other by relative paths, so all of them move together under /static/<digest>/, without a build and
without a list of names; and what stands under such an address may be kept for ever.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path

DIGITS = 12


def digest(folders: Iterable[Path], *more: str) -> str:
    """Return 12 hexadecimal digits of what the folders hold, names and contents, and of some words more."""
    found = hashlib.sha256("\0".join(more).encode())
    for folder in folders:
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            found.update(str(path.relative_to(folder)).encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:DIGITS]
