"""The outbox rules of docs/realtime.md, one by one, without a line."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.simulation.line import LEAST_PAUSE, MOST_PAUSE, pause_before
from scoring.simulation.outbox import SERVER_ERRORS, Outbox, Row, item_of

pytestmark = pytest.mark.unit


def put(outbox: Outbox, id: str, name: str = "mark.set", *, now: float = 0.0, **data: Any) -> Row:
    item = item_of(name, data, id)
    if item and not name.endswith(".add"):
        data["version"] = outbox.version(item)
    return outbox.put(name, data, id=id, now=now, item=item)


def ids(rows: list[Row]) -> list[str]:
    return [row.id for row in rows]


def ack(outbox: Outbox, id: str, **more: Any) -> None:
    outbox.acknowledge({"id": id, "stream": "mine", "seq": 1, **more})


def refuse(outbox: Outbox, id: str, code: str, *, now: float = 0.0, **more: Any) -> Any:
    return outbox.refuse({"id": id, "code": code, "message": code, **more}, now)


def test_a_row_goes_only_on_its_ack() -> None:
    outbox = Outbox()
    put(outbox, "1", asked="a")

    assert ids(outbox.due(0)) == ["1"]
    assert ids(outbox.rows) == ["1"]
    ack(outbox, "1", version=1)

    assert outbox.rows == []
    assert [(one.id, one.sends) for one in outbox.acked] == [("1", 1)]


def test_after_a_cut_all_that_is_unacknowledged_goes_out_again_in_order_with_the_same_ids() -> None:
    outbox = Outbox()
    for id, asked in (("1", "a"), ("2", "b"), ("3", "c")):
        put(outbox, id, asked=asked)
    outbox.due(0)
    ack(outbox, "2", version=1)

    outbox.line_lost()

    assert ids(outbox.due(1)) == ["1", "3"]
    assert outbox.resent == 2


def test_versions_count_own_queued_writes() -> None:
    outbox = Outbox(saved={"mark:a": 4})

    versions = [put(outbox, id, asked="a").data["version"] for id in "123"]

    assert versions == [4, 5, 6]


def test_two_writes_of_one_item_are_never_on_the_way_together() -> None:
    outbox = Outbox()
    for id, asked in (("1", "a"), ("2", "a"), ("3", "b")):
        put(outbox, id, asked=asked)

    assert ids(outbox.due(0)) == ["1"]  # and 3 does not overtake 2
    ack(outbox, "1", version=1)
    assert ids(outbox.due(0)) == ["2", "3"]


def test_at_most_the_window_is_on_its_way() -> None:
    outbox = Outbox()
    for number in range(40):
        put(outbox, str(number), asked=str(number))

    first = outbox.due(0)
    assert len(first) == 32
    assert outbox.due(0) == []
    ack(outbox, "0", version=1)
    assert ids(outbox.due(0)) == ["32"]


def test_age_is_told_anew_with_every_sending() -> None:
    row = put(Outbox(), "1", now=10.0, asked="a")

    assert [row.frame(now)["age"] for now in (10.0, 12.5, 9.0)] == [0, 2500, 0]


def test_retry_later_is_honoured_and_keeps_the_order() -> None:
    outbox = Outbox()
    put(outbox, "1", asked="a")
    put(outbox, "2", asked="b")
    outbox.due(0)

    assert refuse(outbox, "1", "retry_later", now=5.0, after=2) is None
    ack(outbox, "2", version=1)
    put(outbox, "3", asked="c")

    assert outbox.due(6.9) == []
    assert ids(outbox.due(7.0)) == ["1", "3"]


def test_a_server_error_is_tried_again_five_times() -> None:
    outbox = Outbox()
    put(outbox, "1", asked="a")

    found = []
    for attempt in range(SERVER_ERRORS):
        outbox.due(attempt * 10.0)
        found.append(refuse(outbox, "1", "server_error", now=attempt * 10.0))

    assert [one is None for one in found] == [True, True, True, True, False]
    assert outbox.rows == []


def test_what_depended_on_a_refused_command_goes_with_it_and_the_rest_flows_on() -> None:
    outbox = Outbox()
    put(outbox, "ask", "probe.ask", probe="t/p")
    put(outbox, "mark", asked="ask")
    put(outbox, "more", asked="ask")
    put(outbox, "other", asked="elsewhere")
    outbox.due(0, window=1)

    refused = refuse(outbox, "ask", "not_lead")

    assert (refused.code, refused.fallen) == ("not_lead", ("mark", "more"))
    assert ids(outbox.rows) == ["other"]


def test_not_asked_yet_goes_out_again_behind_the_ask() -> None:
    outbox = Outbox()
    put(outbox, "ask", "probe.ask", probe="t/p")
    put(outbox, "mark", asked="ask")
    outbox.due(0)
    refuse(outbox, "ask", "retry_later", after=1)

    assert refuse(outbox, "mark", "not_asked") is None
    assert ids(outbox.due(2)) == ["ask", "mark"]


def test_a_write_of_another_device_is_learnt_from_its_event() -> None:
    outbox = Outbox()

    outbox.heard({"name": "mark.set", "stream": "mine", "data": {"asked": "a", "version": 3}})
    outbox.heard({"name": "evidence.add", "stream": "mine", "data": {"evidence": "e", "asked": "a", "version": 1}})

    assert (outbox.version("mark:a"), outbox.version("evidence:e")) == (3, 1)


@given(st.integers(0, 10_000), st.floats(0, 1, exclude_max=True))
def test_pauses_before_a_new_try_stay_between_half_a_second_and_ten(attempt: int, chance: float) -> None:
    assert LEAST_PAUSE <= pause_before(attempt, lambda: chance) <= MOST_PAUSE


@given(st.lists(st.sampled_from(["send", "ack", "cut", "put"]), max_size=60), st.randoms(use_true_random=False))
def test_whatever_happens_every_row_is_acknowledged_once_and_in_the_order_of_its_item(
    events: list[str], chance: Any
) -> None:
    outbox, server, made = Outbox(), list[tuple[str, int]](), 0
    done: set[str] = set()

    def deliver(rows: list[Row]) -> None:
        """The server: takes what it has not seen, as long as it builds on what is there."""
        for row in rows:
            if row.id not in done:
                kept = sum(item == row.item for item, _version in server)
                assert row.data["version"] == kept
                server.append((str(row.item), kept))
                done.add(row.id)

    flying: list[Row] = []
    for event in [*events, *["cut", "send", "ack"] * (len(events) + 1)]:
        if event == "put":
            made += 1
            put(outbox, f"c{made}", asked=chance.choice("ab"))
        elif event == "send":
            flying += outbox.due(0)
        elif event == "cut":
            deliver(flying[: chance.randint(0, len(flying))])
            flying = []
            outbox.line_lost()
        elif flying:
            deliver(flying)
            for row in flying:
                ack(outbox, row.id, version=row.data["version"] + 1)
            flying = []

    assert outbox.rows == []
    assert len(outbox.acked) == len({one.id for one in outbox.acked}) == made == len(server)
