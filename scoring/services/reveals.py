"""What of scorecards goes into the reveal ledger."""

from __future__ import annotations

from interviews.enums import Revealed
from interviews.models import Application, Seat
from interviews.services.reveals import reveal
from people.models import Person


def reveal_card(*, viewer: Person, seat: Seat) -> None:
    """Write down that `viewer` saw another's card."""
    reveal(viewer=viewer, application=seat.interview.application, seats=[seat], what=Revealed.CARD)


def reveal_panel(*, viewer: Person, application: Application) -> None:
    """Write down that `viewer` saw the panel card."""
    reveal(viewer=viewer, application=application, seats=[None], what=Revealed.PANEL)
