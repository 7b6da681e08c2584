"""Paths -> readings: files and folders as a person names them, in a fixed order, each problem with its file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from questionbank.exchange.nodes import MAX_BYTES
from questionbank.exchange.problems import Problem
from questionbank.exchange.yaml import Reading, read

ENDINGS = frozenset({".yaml", ".yml"})


def read_paths(paths: Iterable[Path]) -> list[Reading]:
    """Read every file, and every .yaml below every folder. What can't be opened is a reading with a problem."""
    readings: list[Reading] = []
    seen: set[Path] = set()
    for path in paths:
        found = _files(path) if path.is_dir() else [path]
        if not found:
            readings.append(Reading(str(path), problems=(Problem(str(path), 0, "", "no_files"),)))
        for file in found:
            if file.resolve() not in seen:
                seen.add(file.resolve())
                readings.append(_read(file))
    return readings


def _files(folder: Path) -> list[Path]:
    """Return the YAML files below a folder by name; what begins with a dot is an editor's or a tool's."""
    found = (path for path in folder.rglob("*") if path.suffix.lower() in ENDINGS and path.is_file())
    return sorted(path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts))


def _read(file: Path) -> Reading:
    try:
        with file.open("rb") as stream:
            # One byte more than the limit is enough to know that it is too large.
            data = stream.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            values = {"size": file.stat().st_size, "limit": MAX_BYTES}
            return Reading(str(file), problems=(Problem(str(file), 0, "", "too_large", values),))
    except OSError as error:
        reason = {"reason": error.strerror or type(error).__name__}
        return Reading(str(file), problems=(Problem(str(file), 0, "", "unreadable", reason),))
    return read(data, file=str(file))
