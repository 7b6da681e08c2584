"""What a command of the room costs in SQL: numbers, so that a dearer one is a decision."""

from __future__ import annotations

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from interviews.live.commands import COMMANDS
from interviews.live.dispatch import carry_out
from interviews.models import Seat
from interviews.services import acting
from interviews.services.refusal import Code
from tests.cast import Cast
from tests.house.room_cases import Room
from tests.house.test_command_matrix import Prepared
from tests.support.factories import make_scene

pytestmark = pytest.mark.db

# Round trips besides BEGIN and COMMIT; the bell is none. A mark's one is all of it. Another judgement's first has several
# statements: append, write what it says where one statement can, look at the seat. Judgements come by the dozen a
# minute from every seat and are held short; what drives the room comes by the dozen an hour from one.
COSTS = {
    "interview.start": 8,  # its seat is not known yet; that the candidate accepted is asked
    "interview.pause": 5,
    "interview.resume": 5,
    "interview.end": 10,  # it comes after the last asking, whenever it was pressed
    "interview.reopen": 9,
    "lead.hand_over": 7,
    "lead.take": 8,
    "probe.ask": 7,
    "probe.adhoc": 11,
    "probe.retract": 8,
    "tree.edit": 12,
    "prompt.share": 6,
    "prompt.unshare": 5,
    "candidate.admit": 7,
    "hand.raise": 6,
    "hand.lower": 5,
    "chat.post": 8,
    "mark.set": 1,
    "boundary.set": 9,
    "evidence.add": 1,
    "evidence.edit": 4,
    "evidence.remove": 3,
    "reason.add": 1,
    "reason.edit": 4,
    "reason.remove": 3,
    "note.set": 1,
}


def test_every_command_has_its_price() -> None:
    assert set(COSTS) == set(COMMANDS)


def test_a_mark_costs_at_most_four_statements(cast: Cast) -> None:
    room = Prepared(make_scene(cast))
    with CaptureQueriesContext(connection) as captured:
        carry_out(room.scene.bo.pk, uuid.uuid4(), "mark.set", room.data_for("bo", "mark.set"), timedelta(0))
    sent = [query["sql"] for query in captured if not query["sql"].startswith(("SAVEPOINT", "RELEASE"))]
    assert sum(len(text.split("; ")) for text in sent) <= 4, sent


def test_a_command_costs_what_the_table_says(cast: Cast) -> None:
    room = Prepared(make_scene(cast))

    spent = {name: statements(room, name) for name in COMMANDS if name != "interview.start"}

    assert spent == {name: cost for name, cost in COSTS.items() if name != "interview.start"}


def test_starting_costs_what_the_table_says(cast: Cast) -> None:
    room = Room(make_scene(cast))

    assert _count(room.scene.ana, "interview.start", {}) == COSTS["interview.start"]


def test_the_first_mark_of_a_process_reads_its_seat_once_more(cast: Cast) -> None:
    """What never changes of a seat is kept by the process; so is when it last wrote that the room is alive."""
    room = Prepared(make_scene(cast))
    acting._known.clear()
    acting._touched.clear()
    mark = {"asked": room.asked, "outcome": "partial", "version": 1}

    first = _count(room.scene.bo, "mark.set", mark)

    assert first == COSTS["mark.set"] + 2
    assert _count(room.scene.bo, "mark.set", {**mark, "version": 2}) == COSTS["mark.set"]


def test_what_is_kept_of_a_seat_grants_no_right(cast: Cast) -> None:
    """A seat taken away, a card handed in: the next mark hears of it, whatever the process kept."""
    room = Prepared(make_scene(cast))
    acting.known_seat(room.scene.bo.pk)

    for change, code in (
        ({"card_submitted_at": timezone.now()}, Code.SUBMITTED),
        ({"removed_at": timezone.now()}, Code.NO_RIGHT),
    ):
        Seat.objects.filter(pk=room.scene.bo.pk).update(**change)
        assert room.tries("bo", "mark.set") == code


def statements(room: Prepared, name: str) -> int:
    """Count one command's statements, in a room where it makes sense; what it did is taken back."""
    with transaction.atomic():
        if name == "interview.resume":
            room.do("ana", "interview.pause")
        if name == "interview.reopen":
            room.do("ana", "interview.end")
        who = "bo" if name in {"lead.take", "hand.raise", "hand.lower"} else "ana"
        counted = _count(getattr(room.scene, who), name, room.data_for(who, name))
        transaction.set_rollback(True)
    return counted


def _count(seat: Seat, name: str, data: dict[str, Any]) -> int:
    with CaptureQueriesContext(connection) as captured:
        carry_out(seat.pk, uuid.uuid4(), name, data, timedelta(0))
    return sum(not query["sql"].startswith(("SAVEPOINT", "RELEASE")) for query in captured)
