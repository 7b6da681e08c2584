"""Cases of what comes late or is taken back in front of the candidate, as in room_cases."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from tests.house.room_cases import Room, case


@case("probe.retract")
def the_one_that_the_candidate_sees(room: Room) -> Iterator[None]:
    room.candidate_comes(admitted=True)
    room.do("ana", "prompt.share", asked=room.marked["root"])
    yield
    room.do("ana", "probe.retract", asked=room.marked["root"])


@case("probe.ask")
def late_by_what_was_asked_since(room: Room) -> Iterator[None]:
    room.began_earlier(timedelta(minutes=1))
    yield
    room.do("ana", "probe.ask", probe="data-parallel/l2", age=30)
