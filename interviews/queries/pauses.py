"""When interviews stood still, from their logs: what every clock and every sum of minutes takes out.

The time between an end and a reopening is such a pause.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from interviews.log import PANEL
from interviews.models import Event
from interviews.rules import Pause

STOPS = ("interview.pause", "interview.resume", "interview.end", "interview.reopen")


def pauses_of(rooms: Iterable[int]) -> dict[int, list[Pause]]:
    """Return each room's pauses in order, by when they were made (not by when they arrived). One query.

    The last one's `until` is None while nobody resumed or ended it. Every room asked about has an entry.
    """
    found: dict[int, list[Pause]] = {room: [] for room in rooms}
    since: dict[int, datetime] = {}
    stops = Event.objects.filter(room__in=list(found), stream=PANEL, name__in=STOPS).order_by("seq")
    for room, name, at, stood_still in stops.values_list("room", "name", "made_at", "data__stood_still"):
        if name == "interview.pause":
            since[room] = at
        elif name == "interview.reopen":
            # It had ended when the last thing was done in it, which may lie before a pause that nobody ended.
            ended = at - timedelta(seconds=stood_still or 0)
            begun = max([ended, *(pause.until for pause in found[room] if pause.until)])
            found[room].append(Pause(begun, max(at, begun)))
        elif room in since:
            found[room].append(Pause(since[room], max(at, since.pop(room))))
    for room, at in since.items():
        found[room].append(Pause(at, None))
    return found
