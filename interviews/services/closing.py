"""What happens in interviews when somebody's rights change outside them. Importing this module registers it."""

from __future__ import annotations

from django.db import transaction

from interviews.models import Seat
from interviews.sealed import AHEAD
from interviews.services.changing import tell_rooms
from interviews.services.unsealing import note_unsealed_to
from people import lifecycle


def close_rooms_of(person: int) -> None:
    """Let every room where the person sits look again at its sockets."""
    with transaction.atomic():
        tell_rooms(Seat.objects.filter(person=person, interview__status__in=AHEAD).select_related("interview"))


lifecycle.room_closers.append(close_rooms_of)
lifecycle.before_rights_change.append(note_unsealed_to)
