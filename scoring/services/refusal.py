"""How scoring's services say no (people.refusal): nothing was changed, and here is why and what helps."""

from __future__ import annotations

from people.refusal import Refused


class AlreadySubmitted(Refused):
    """The card is in; only an amendment can add to it."""


class CardChanged(Refused):
    """The card was changed in another window since this one was drawn."""


class MarksChanged(Refused):
    """Marks were changed since the amendment was begun."""


class NotYet(Refused):
    """The interview has not ended, or there is no card to hand in."""
