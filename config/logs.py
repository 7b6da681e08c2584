"""How logs are written, and what they must not hold: secret addresses, and pages of what anybody can cause."""

from __future__ import annotations

import json
import logging
import re
from datetime import UTC, datetime
from typing import Final

# The candidate's link (/c/<token>/, but not the room behind it) and the link that sets a password.
SECRET = re.compile(r"(?P<before>/c/(?!room/)|/password/reset/key/)[^/\s\"'?]+")


def hide_secrets(text: str) -> str:
    return SECRET.sub(r"\g<before>…", text)


class HideSecrets(logging.Filter):
    """Write /c/…/ where a record names a secret address: Django logs the path of every refused request."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if (shown := hide_secrets(message)) != message:
            record.msg, record.args = shown, None
        return True


class NoWordsForNoise(logging.Filter):
    """One line, and no traceback, for bytes that are no text: anybody can send them, and the server closes the line."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError):
            record.exc_info = None
            record.levelno, record.levelname = logging.INFO, "INFO"
        return True


# What every record has; the rest of it is what was said with `extra`.
STANDARD: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}


class JsonLines(logging.Formatter):
    """One JSON object a line: at, level, logger, message, what the record says besides, `exception` where one is."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
        }
        line |= {name: value for name, value in vars(record).items() if name not in STANDARD and name not in line}
        if record.exc_info:
            line["exception"] = hide_secrets(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=_plain)


def _plain(value: object) -> str:
    """Objects that Django hands to its records, such as the request, hold people's data: only their type is named."""
    return type(value).__name__
