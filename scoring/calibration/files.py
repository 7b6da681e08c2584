"""Writing results whole or not at all: under temporary names first, renamed when everything is there."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from scoring.calibration.problems import BadInput


@dataclass(eq=False)
class Results:
    """Files to be written together. `folders` are made if need be; `inputs` are never written over."""

    inputs: tuple[Path, ...]
    places: dict[Path, str] = field(default_factory=dict)
    folders: list[Path] = field(default_factory=list)

    def expect(self, option: str, path: Path, *, folder: bool = False) -> None:
        """Check, before any work is done, that a result can go to `path`. Raises BadInput."""
        parent = path.absolute().parent
        if folder and path.exists() and not path.is_dir():
            raise BadInput(f"{option}: {path} is a file, not a folder.")
        if not folder and path.is_dir():
            raise BadInput(f"{option}: {path} is a folder.")
        if not folder and any(_same(path, one) for one in self.inputs):
            raise BadInput(f"{option}: {path} is what is read; it would be written over.")
        if not parent.is_dir():
            raise BadInput(f"{option}: there is no folder {parent}.")
        goal = path if path.exists() else parent
        if not os.access(goal, os.W_OK) or (not folder and path.is_file() and not os.access(parent, os.W_OK)):
            raise BadInput(f"{option}: {goal} can't be written to.")

    def add(self, path: Path, text: str) -> None:
        """Have `text` written to `path`."""
        if path in self.places or any(_same(path, one) for one in (*self.places, *self.inputs)):
            raise BadInput(f"{path}: two results, or a result and an input, would share this file.")
        self.places[path] = text

    def write(self) -> None:
        """Write every file, each whole. Whatever ends this early leaves no other file behind."""
        made = [folder for folder in self.folders if not folder.exists()]
        waiting: list[tuple[Path, Path]] = []
        try:
            for folder in made:
                folder.mkdir(exist_ok=True)
            for path, text in self.places.items():
                goal = Path(os.path.realpath(path))
                if goal.exists() and not goal.is_file():  # a pipe or a terminal has no name to rename to
                    goal.write_text(text, encoding="utf-8")
                    continue
                temporary = goal.with_name(f".{goal.name[:100]}.{os.getpid()}.{len(waiting)}.tmp")
                waiting.append((temporary, goal))
                temporary.write_text(text, encoding="utf-8", newline="")
            while waiting:
                temporary, goal = waiting[0]
                temporary.replace(goal)
                waiting.pop(0)
        except OSError as error:
            raise BadInput(f"{error.filename}: {error.strerror}. Not everything was written.") from None
        finally:
            _clear(temporary for temporary, _ in waiting)
            _remove_empty(made)


def _clear(temporaries: Iterable[Path]) -> None:
    for path in temporaries:
        path.unlink(missing_ok=True)


def _remove_empty(folders: Iterable[Path]) -> None:
    for folder in folders:
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def _same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)
