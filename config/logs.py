"""What logs must not hold: addresses that are secrets themselves, and pages of what anybody can cause."""

from __future__ import annotations

import logging
import re

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
