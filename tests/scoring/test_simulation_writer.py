"""A scripted person's hand: how acts become commands, on what is heard and what is queued."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from scoring.simulation.outbox import Outbox
from scoring.simulation.script import Act
from scoring.simulation.writer import NotHeard, NotThere, Writer

pytestmark = pytest.mark.unit


@pytest.fixture
def lead() -> Writer:
    numbers = count(1)
    writer = Writer(Outbox(), new_id=lambda: f"c{next(numbers)}", seat_of={"bo": "seat-of-bo"}.get)
    writer.welcome("seat-of-ana", "lead")
    return writer


def do(writer: Writer, act: str, **fields: Any) -> list[tuple[str, dict[str, Any]]]:
    return [(row.name, row.data) for row in writer.write(Act(act, fields, 1), 0.0)]


def hear(writer: Writer, name: str, stream: str = "panel", **data: Any) -> None:
    writer.hear({"name": name, "stream": stream, "data": data})


def test_an_own_ask_can_be_marked_before_it_is_acknowledged(lead: Writer) -> None:
    assert do(lead, "ask", probe="t/root") == [("probe.ask", {"probe": "t/root"})]

    assert do(lead, "mark", outcome="sustained", depth=3, why=2) == [
        ("mark.set", {"asked": "c1", "outcome": "sustained", "ratings": {"depth": 3, "why": 2}, "version": 0})
    ]
    assert do(lead, "mark", aid="hinted")[0][1]["version"] == 1


def test_nobody_but_the_lead_asks_by_wishing(lead: Writer) -> None:
    hear(lead, "lead.hand_over", lead="seat-of-bo")
    do(lead, "ask", probe="t/root")

    with pytest.raises(NotHeard):
        do(lead, "mark", outcome="sustained")


def test_what_was_not_heard_asked_cannot_be_marked_and_queues_nothing(lead: Writer) -> None:
    hear(lead, "probe.ask", asked="a", probe="t/root")

    with pytest.raises(NotHeard):
        do(lead, "mark", probe="t/l2", outcome="sustained")

    assert lead.outbox.rows == []


def test_a_question_of_the_leads_own_can_be_marked_by_who_heard_it(lead: Writer) -> None:
    hear(lead, "probe.adhoc", asked="a", probe="t/a", parent="t/root", text="And then?")

    assert do(lead, "mark", outcome="partial")[0][1]["asked"] == "a"


def test_the_latest_asking_counts_and_not_a_retracted_one(lead: Writer) -> None:
    for asked, probe in (("a", "t/root"), ("b", "t/l2"), ("c", "t/root"), ("d", "u/root")):
        hear(lead, "probe.ask", asked=asked, probe=probe)
    hear(lead, "probe.retract", asked="d")

    assert [lead.latest(None), lead.latest("t/l2"), lead.latest(None, tree="t")] == ["c", "b", "c"]


@pytest.mark.parametrize(
    ("ended", "marked"), [("wrong", "not_sustained"), ("recited_only", "recited"), ("time", None), ("moved_on", None)]
)
def test_an_ending_marks_first_what_has_no_outcome(lead: Writer, ended: str, marked: str | None) -> None:
    hear(lead, "probe.ask", asked="a", probe="t/root")

    rows = do(lead, "boundary", ended=ended)

    assert rows[-1] == ("boundary.set", {"tree": "t", "ended": ended, "probe": "t/root", "version": 0})
    assert [data["outcome"] for name, data in rows if name == "mark.set"] == ([marked] if marked else [])


def test_an_ending_leaves_an_outcome_that_stands(lead: Writer) -> None:
    hear(lead, "probe.ask", asked="a", probe="t/root")
    hear(lead, "mark.set", "mine", asked="a", outcome="sustained", version=1)

    assert [name for name, _data in do(lead, "boundary", ended="wrong")] == ["boundary.set"]


def test_an_override_names_its_tree_and_no_ending(lead: Writer) -> None:
    assert do(lead, "boundary", tree="t", floor=2, reason="heard it before") == [
        (
            "boundary.set",
            {"tree": "t", "override": {"floor": 2, "ceiling": None, "reason": "heard it before"}, "version": 0},
        )
    ]


def test_statements_are_named_and_changed_by_name(lead: Writer) -> None:
    hear(lead, "probe.ask", asked="a", probe="t/root")
    do(lead, "evidence", **{"type": "built", "detail": "a ring", "as": "ring"})

    assert do(lead, "edit", of="ring", detail="two") == [
        ("evidence.edit", {"evidence": "c1", "detail": "two", "version": 1})
    ]
    assert do(lead, "remove", of="ring") == [("evidence.remove", {"evidence": "c1", "version": 2})]
    with pytest.raises(NotThere):
        do(lead, "remove", of="tree")


def test_notes_are_on_a_question_or_on_the_whole(lead: Writer) -> None:
    hear(lead, "probe.ask", asked="a", probe="t/root")

    assert do(lead, "note", text="x") == [("note.set", {"text": "x", "asked": "a", "version": 0})]
    assert do(lead, "note", text="y", whole=True) == [("note.set", {"text": "y", "version": 0})]


def test_a_lead_is_handed_to_a_seat(lead: Writer) -> None:
    assert do(lead, "hand_over", to="bo") == [("lead.hand_over", {"seat": "seat-of-bo"})]
    with pytest.raises(NotThere):
        do(lead, "hand_over", to="cy")


def test_a_command_is_sent_as_it_stands(lead: Writer) -> None:
    hear(lead, "probe.ask", asked="a", probe="t/root")

    sent = do(lead, "send", name="mark.set", data={"asked": "current", "version": 9, "colour": "red"})

    assert sent == [("mark.set", {"asked": "a", "version": 9, "colour": "red"})]
    assert do(lead, "mark", outcome="partial")[0][1]["version"] == 0
