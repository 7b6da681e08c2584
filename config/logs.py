"""What logs must not hold: addresses that are secrets themselves."""

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
