"""How a service says no to a page."""

from __future__ import annotations


class Refused(Exception):
    """What was asked for can't be done; nothing was changed.

    `message` is for the person: why, and what helps. `field` names the form field to blame, if there is one.
    """

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field
