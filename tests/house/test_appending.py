"""The log under many hands: real threads on real connections. Streams stay gapless, a repeat is written once."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.db.utils import DatabaseError

from interviews import log
from interviews.enums import InterviewStatus
from interviews.live.dispatch import carry_out
from interviews.log import Ack, NewEvent
from interviews.models import Asked, Command, Event, Mark, Stream
from interviews.services.refusal import Code, Refusal
from tests.cast import Cast
from tests.house.acting import do
from tests.support.factories import Scene, make_scene

pytestmark = pytest.mark.db

THREADS = 8
NO_AGE = timedelta(0)


@pytest.fixture
def live(transactional_db: None, cast: Cast) -> Scene:
    return make_scene(cast, status=InterviewStatus.LIVE)


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return make_scene(cast)


def at_once(work: Callable[[int], Any]) -> list[Any]:
    """Run work(0) ... work(7) on threads that start together, each with a connection of its own; return the results."""
    ready = threading.Barrier(THREADS)

    def run(number: int) -> Any:
        try:
            ready.wait(timeout=20)
            return work(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


def test_streams_stay_gapless_under_eight_writers(live: Scene) -> None:
    room, each = live.interview.room_id, 25
    seats = [live.ana, live.bo, live.chen, live.dee] * 2

    def write(number: int) -> list[Ack]:
        acks = []
        for turn in range(each):
            shared = [NewEvent(log.ALL, "test"), NewEvent(log.PANEL, "test")] if turn % 2 else []
            events = shared or [NewEvent(log.mine(seats[number]), "test")]
            with transaction.atomic():
                acks.append(log.append(room, events, seat=seats[number]))
        return acks

    acks = [ack for own in at_once(write) for ack in own]

    told: dict[str, list[int]] = {}
    for ack in acks:
        told.setdefault(ack.stream, []).append(ack.seq)
    kept: dict[str, list[int]] = {}
    for stream, seq in Event.objects.filter(room=room).order_by("id").values_list("stream", "seq"):
        kept.setdefault(stream, []).append(seq)
    assert set(kept) == {"all", "panel", *(log.mine(seat) for seat in seats)}
    for stream, seqs in kept.items():
        assert sorted(seqs) == list(range(1, len(seqs) + 1)), stream
        assert Stream.objects.get(room=room, name=stream).head == len(seqs)
    assert {stream: sorted(seqs) for stream, seqs in told.items()} == {
        stream: sorted(seqs) for stream, seqs in kept.items() if stream != log.ALL
    }
    assert sum(map(len, told.values())) == THREADS * each


def test_an_event_is_never_seen_before_the_ones_below_it(live: Scene) -> None:
    """Whoever reads the stream while others write sees no hole that fills up later: the row of the stream is held."""
    room = live.interview.room_id
    holes: list[list[int]] = []

    def work(number: int) -> None:
        for _turn in range(30):
            if number % 2:
                with transaction.atomic():
                    log.append(room, [NewEvent(log.PANEL, "test")], seat=live.ana)
            else:
                seqs = [event.seq for event in log.since(room, {log.PANEL: 0})]
                if seqs != list(range(1, len(seqs) + 1)):
                    holes.append(seqs)

    at_once(work)

    assert holes == []
    assert log.heads(room, [log.PANEL]) == {log.PANEL: THREADS // 2 * 30}


def test_a_repeat_in_parallel_is_written_once(live: Scene) -> None:
    command = uuid.uuid4()

    acks = at_once(lambda _n: carry_out(live.ana.pk, command, "probe.ask", {"probe": "data-parallel/root"}, NO_AGE))

    assert acks == [Ack("panel", 1)] * THREADS
    assert [str(asked.pk) for asked in Asked.objects.all()] == [str(command)]
    assert (Event.objects.count(), Command.objects.count()) == (1, 1)


def test_a_mark_repeated_in_parallel_is_written_once(live: Scene) -> None:
    asked = _marked_once(live)
    command, data = uuid.uuid4(), {"asked": asked, "ratings": {"depth": 2}, "version": 1}

    acks = at_once(lambda _n: carry_out(live.bo.pk, command, "mark.set", data, NO_AGE))

    assert acks == [Ack(log.mine(live.bo), 2, 2)] * THREADS
    assert [(mark.version, mark.depth) for mark in Mark.objects.written_by(live.bo)] == [(2, 2)]
    assert Event.objects.filter(stream=log.mine(live.bo)).count() == 2


def test_one_of_eight_devices_that_build_on_the_same_version_wins(live: Scene) -> None:
    asked = _marked_once(live)

    def mark(number: int) -> str:
        data = {"asked": asked, "ratings": {"depth": number % 5}, "version": 1}
        try:
            carry_out(live.bo.pk, uuid.uuid4(), "mark.set", data, NO_AGE)
        except Refusal as refusal:
            return refusal.code
        return "accepted"

    answers = at_once(mark)

    assert sorted(answers) == ["accepted", *[Code.STALE] * (THREADS - 1)]
    assert [mark.version for mark in Mark.objects.written_by(live.bo)] == [2]
    # What was refused left nothing, not even a number: the stream's next one is 3.
    assert log.heads(live.interview.room_id, [log.mine(live.bo)]) == {log.mine(live.bo): 2}
    assert Command.objects.filter(seat=live.bo).count() == 2


def _marked_once(scene: Scene) -> str:
    """Ask, and let Bo mark: from then on their stream exists, and its row is what writers wait for."""
    asked = str(do(scene.ana, "probe.ask", {"probe": "data-parallel/root"}))
    do(scene.bo, "mark.set", {"asked": asked, "outcome": "partial", "version": 0})
    return asked


def test_one_id_with_two_contents_in_parallel_is_refused_for_one(live: Scene) -> None:
    command = uuid.uuid4()
    probes = ["data-parallel/root", "data-parallel/l2"]

    def ask(number: int) -> str:
        try:
            carry_out(live.ana.pk, command, "probe.ask", {"probe": probes[number % 2]}, NO_AGE)
        except Refusal as refusal:
            return refusal.code
        return "accepted"

    answers = at_once(ask)

    assert sorted(answers) == ["accepted"] * 4 + [Code.ID_REUSED] * 4
    assert Asked.objects.count() == 1


# --- room_append itself ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("streams", [["panel", "all"], ["all", "all"], ["mine:b", "mine:a"], ["a", "B"]])
def test_room_append_refuses_streams_out_of_order(scene: Scene, streams: list[str]) -> None:
    with pytest.raises(DatabaseError, match="streams must come in the order of their names"), transaction.atomic():
        _room_append(scene.interview.room_id, streams)

    assert (Event.objects.count(), Stream.objects.count()) == (0, 0)


def test_room_append_takes_streams_in_order_as_bytes(scene: Scene) -> None:
    with transaction.atomic():
        _room_append(scene.interview.room_id, ["B", "a"])

    assert list(Event.objects.order_by("id").values_list("stream", "seq")) == [("B", 1), ("a", 1)]


def test_room_append_refuses_a_room_that_is_not(db: None) -> None:
    with pytest.raises(DatabaseError, match="no room 0"), transaction.atomic():
        _room_append(0, ["panel"])


def test_append_puts_streams_in_order_by_itself(scene: Scene) -> None:
    with transaction.atomic():
        ack = log.append(scene.interview.room_id, [NewEvent("panel", "test"), NewEvent("all", "test")], seat=None)

    assert ack == Ack("panel", 1)


def test_append_outside_a_transaction_is_refused(live: Scene) -> None:
    with pytest.raises(log.OutsideTransaction):
        log.append(live.interview.room_id, [NewEvent("panel", "test")], seat=None)

    assert Event.objects.count() == 0


def _room_append(room: int, streams: list[str]) -> None:
    values = [room, streams, ["test"] * len(streams), ["{}"] * len(streams), len(streams)]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT room_append(%s, true, NULL, NULL, NULL, NULL, NULL, %s, %s, %s::jsonb[], %s)",
            values,
        )
