"""Where a command's `--json` result goes: looked at before the work is done, written after it."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Final

from django.core.management.base import CommandError, OutputWrapper
from django.utils.translation import gettext as _

STANDARD_OUTPUT: Final = "-"


def check_json_path(path: str | None) -> None:
    """Refuse, before anything is changed, a result that can't be written. Raises CommandError.

    Nothing is made or emptied by it: the command may still be refused for another reason.
    """
    if not path or path == STANDARD_OUTPUT:
        return
    try:
        reason = _obstacle(Path(path))
    except OSError as error:  # a name that is too long, links in a circle
        reason = error.strerror or type(error).__name__
    if reason:
        raise CommandError(_("--json %(path)s: %(reason)s. Nothing was done.") % {"path": path, "reason": reason})


def write_json(path: str | None, text: str, out: OutputWrapper) -> None:
    """Write a result where `--json` says, or nowhere; "-" is `out`. Raises CommandError."""
    if not path:
        return
    if path == STANDARD_OUTPUT:
        out.write(text)
        return
    try:
        Path(path).write_text(f"{text}\n", encoding="utf-8")
    except OSError as error:
        raise CommandError(f"--json {path}: {error.strerror}") from None


def _obstacle(goal: Path) -> str:
    """Return why this can't be written, "" if nothing speaks against it. Raises OSError for what is no path."""
    try:
        found = goal.stat()
    except FileNotFoundError:
        folder = Path(os.path.realpath(goal)).parent  # of a link, where it leads
        if not folder.is_dir():
            return os.strerror(errno.ENOENT)
        return "" if os.access(folder, os.W_OK) else os.strerror(errno.EACCES)
    if stat.S_ISDIR(found.st_mode):
        return os.strerror(errno.EISDIR)
    return "" if os.access(goal, os.W_OK) else os.strerror(errno.EACCES)
