"""Paths -> readings: files and folders as a person names them, in a fixed order, each problem with its file."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from django.conf import settings

from questionbank.exchange import outline_reading, outlines, yaml
from questionbank.exchange.nodes import MAX_BYTES
from questionbank.exchange.problems import Problem
from questionbank.exchange.readings import Reading


class Reader(Protocol):
    """Reads one file. Never raises on what is in it. `columns`: what columns of a table hold, by their names."""

    def __call__(self, data: bytes, *, file: str, columns: Mapping[str, str] | None = None) -> Reading: ...


@dataclass(frozen=True, slots=True)
class Format:
    """`limit` is in bytes, 0 = as much as the settings allow."""

    read: Reader
    endings: frozenset[str]
    limit: int = 0

    @property
    def most(self) -> int:
        return min(self.limit or settings.BANK_FILE_BYTES, settings.BANK_FILE_BYTES)


def _ours(data: bytes, *, file: str, columns: Mapping[str, str] | None = None) -> Reading:
    return yaml.read(data, file=file)


def _outlines(name: str) -> Format:
    def read(data: bytes, *, file: str, columns: Mapping[str, str] | None = None) -> Reading:
        return outline_reading.read(data, file=file, format=name, limit=settings.BANK_FILE_BYTES, columns=columns)

    return Format(read, frozenset(ending for ending, format in outlines.ENDINGS.items() if format == name))


OURS: Final = "yaml"
FORMATS: Final[dict[str, Format]] = {
    OURS: Format(_ours, frozenset({".yaml", ".yml"}), limit=MAX_BYTES),
    **{name: _outlines(name) for name in outlines.FORMATS},
}


def read_paths(paths: Iterable[Path], *, format: str | None = None) -> list[Reading]:
    """Read every file by its ending, or as `format` says, and every file of that format below every folder.

    A folder without `format` gives its files of our own format alone: notes beside them are no outlines. What can't be
    opened is a reading with a problem. Raises KeyError for a format that isn't one.
    """
    chosen = FORMATS[format] if format else None
    readings: list[Reading] = []
    seen: set[Path] = set()
    for path in paths:
        try:
            found = _files(path, (chosen or FORMATS[OURS]).endings) if path.is_dir() else [path]
        except OSError as error:  # a name that is too long
            readings.append(_unreadable(path, error))
            continue
        if not found:
            readings.append(_refused(path, "no_files", endings=", ".join(sorted((chosen or FORMATS[OURS]).endings))))
        for file in found:
            if (place := _place(file)) not in seen:
                seen.add(place)
                readings.append(_read(file, chosen or format_of(file.name)))
    return readings


def read_bytes(
    data: bytes, *, name: str, format: str | None = None, columns: Mapping[str, str] | None = None
) -> Reading:
    """Read what somebody sent under a name, as `read_paths` would read a file of that name.

    `columns` says what columns of a table hold, by their names, where that isn't to be guessed.
    """
    return _of(data, len(data), Path(name), FORMATS[format] if format else format_of(name), columns)


def format_of(name: str) -> Format | None:
    ending = Path(name).suffix.lower()
    return next((format for format in FORMATS.values() if ending in format.endings), None)


def _files(folder: Path, endings: frozenset[str]) -> list[Path]:
    """Return the files below a folder by name; what begins with a dot is an editor's or a tool's."""
    found = (path for path in folder.rglob("*") if path.suffix.lower() in endings and path.is_file())
    return sorted(path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts))


def _read(file: Path, format: Format | None) -> Reading:
    try:
        with file.open("rb") as stream:
            # One byte more than the limit is enough to know that it is too large.
            data = stream.read(format.most + 1 if format else 1)
        return _of(data, file.stat().st_size, file, format)
    except OSError as error:
        return _unreadable(file, error)


def _of(data: bytes, size: int, file: Path, format: Format | None, columns: Mapping[str, str] | None = None) -> Reading:
    if format is None:
        known = ", ".join(sorted(ending for one in FORMATS.values() for ending in one.endings))
        return _refused(file, "unknown_ending", ending=file.suffix[:20] or file.name[:80], known=known)
    if len(data) > format.most:
        return _refused(file, "too_large", size=size, limit=format.most)
    return format.read(data, file=str(file), columns=columns)


def _place(file: Path) -> Path:
    """Return where a file really is; of one that can't be opened, where it seems to be."""
    try:
        return file.resolve()
    except (OSError, RuntimeError):  # links in a circle
        return file.absolute()


def _unreadable(file: Path, error: OSError) -> Reading:
    return _refused(file, "unreadable", reason=error.strerror or type(error).__name__)


def _refused(file: Path, code: str, **values: str | int) -> Reading:
    return Reading(str(file), problems=(Problem(str(file), 0, "", code, values),))
