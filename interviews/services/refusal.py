"""Why a command was not accepted: a closed list of codes, and words for the person."""

from __future__ import annotations

from enum import StrEnum
from typing import Any


class Code(StrEnum):
    UNKNOWN_COMMAND = "unknown_command"
    BAD_FIELD = "bad_field"
    ID_REUSED = "id_reused"
    STALE = "stale"
    NOT_LEAD = "not_lead"
    NO_RIGHT = "no_right"
    NOT_LIVE = "not_live"
    NOT_ASKED = "not_asked"
    SUBMITTED = "submitted"
    CONTRADICTION = "contradiction"
    TOO_LARGE = "too_large"
    RETRY_LATER = "retry_later"
    SERVER_ERROR = "server_error"


class Refusal(Exception):
    """A command was not accepted and changed nothing. `current` is the item as it stands, for `stale`."""

    def __init__(
        self, code: Code, message: str, *, current: dict[str, Any] | None = None, after: float | None = None
    ) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.current = current
        self.after = after
