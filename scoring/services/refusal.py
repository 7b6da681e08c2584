"""How scoring's services say no: nothing was changed, and here is why and what helps."""

from __future__ import annotations


class Refused(Exception):
    """`message` is for the person. `field` names the form's field to blame, if there is one."""

    def __init__(self, message: str, *, field: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.field = field


class AlreadySubmitted(Refused):
    """The card is in; only an amendment can add to it."""


class CardChanged(Refused):
    """The card was changed in another window since this one was drawn."""


class NotYet(Refused):
    """The interview has not ended, or there is no card to hand in."""
