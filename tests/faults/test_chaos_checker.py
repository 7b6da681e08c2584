"""The checker of the fault runs bites: each bug that a run is there to find is found in a history made by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from tests.faults.chaos.checker import check
from tests.faults.chaos.history import Ack, Command, Event, Refusal, Table, Told

pytestmark = pytest.mark.unit

MINE = "mine:bo"


@dataclass
class Run:
    """Ana asks twice, Bo marks three times; nothing is wrong with it."""

    events: list[Event] = field(default_factory=list)
    commands: list[Command] = field(default_factory=list)
    heads: dict[str, int] = field(default_factory=dict)
    ana: Told = field(default_factory=lambda: Told("ana", "ana", ("panel",)))
    bo: Told = field(default_factory=lambda: Told("bo", "bo", ("panel", MINE)))

    def do(self, who: Told, id: str, stream: str, name: str, at: float) -> None:
        seq = self.heads[stream] = self.heads.get(stream, 0) + 1
        version = seq if stream == MINE else None
        who.did[id] = who.sent[id] = at
        self.events.append(Event(stream, seq, name, id, who.seat, made_at=at, at=at + 0.1))
        self.commands.append(Command(who.seat, id, stream, seq, version))
        who.acks.append(Ack(id, stream.partition(":")[0], seq, version, at + 0.2))
        for client in (self.ana, self.bo):
            if stream in client.streams:
                client.applied.append(self.events[-1])

    def found(self, *, quiet: bool = True) -> list[str]:
        table = Table(tuple(self.events), tuple(self.commands), self.heads, started_at=100.0)
        return check(table, [self.ana, self.bo], quiet=quiet)


@pytest.fixture
def run() -> Run:
    run = Run()
    for number in (1, 2):
        run.do(run.ana, f"ask-{number}", "panel", "probe.ask", 100.0 + number)
    for number in (1, 2, 3):
        run.do(run.bo, f"mark-{number}", MINE, "mark.set", 110.0 + number)
    run.bo.did["refused"] = 120.0
    run.bo.did["fell"] = 121.0
    run.bo.refusals.append(Refusal("refused", "not_asked", "No such question.", fallen=("fell",)))
    return run


def test_a_run_without_a_fault_has_nothing_to_say(run: Run) -> None:
    assert run.found() == []
    assert run.found(quiet=False) == []


def server_forgets_what_it_acknowledged(run: Run) -> None:
    run.events = [event for event in run.events if event.cause != "mark-3"]
    run.commands = [command for command in run.commands if command.id != "mark-3"]
    run.heads[MINE] = 2
    run.bo.applied.pop()


def server_does_not_know_a_repeat(run: Run) -> None:
    run.heads[MINE] = 4
    run.events.append(replace(run.events[-1], seq=4))
    run.bo.applied.append(run.events[-1])


def server_takes_a_repeat_for_another_command(run: Run) -> None:
    run.do(run.bo, "mark-3-again", MINE, "mark.set", 114.0)
    del run.bo.did["mark-3-again"]
    run.bo.acks.pop()


def server_gives_a_repeat_another_answer(run: Run) -> None:
    run.bo.acks.append(Ack("mark-1", "mine", 3, 3, 130.0))


def server_leaves_a_hole(run: Run) -> None:
    run.heads[MINE] = 4
    run.events[-1] = replace(run.events[-1], seq=4)


def server_writes_the_event_without_its_command(run: Run) -> None:
    run.commands.pop()


def server_keeps_what_it_refused(run: Run) -> None:
    run.do(run.bo, "refused", MINE, "mark.set", 120.0)
    run.bo.acks.pop()


def server_refuses_without_a_reason(run: Run) -> None:
    run.bo.refusals[0] = replace(run.bo.refusals[0], message="")


def server_does_not_believe_the_age(run: Run) -> None:
    """Done off-line at 111, sent at 118, acknowledged in no time, and kept as made at 118."""
    run.bo.sent["mark-1"] = 118.0
    run.bo.acks[0] = replace(run.bo.acks[0], at=118.2)
    at = next(place for place, event in enumerate(run.events) if event.cause == "mark-1")
    run.events[at] = replace(run.events[at], made_at=118.1, at=118.1)


def server_believes_an_hour_before_the_start(run: Run) -> None:
    run.bo.true_clock = False
    run.events[-1] = replace(run.events[-1], made_at=100.0 - 3600)


def server_skips_an_event_for_one_socket(run: Run) -> None:
    del run.bo.applied[0]


def server_says_something_else_than_the_log(run: Run) -> None:
    run.bo.applied[0] = replace(run.bo.applied[0], cause="ask-2")


def server_makes_a_page_start_over(run: Run) -> None:
    run.bo.snapshots = 1


def outbox_does_not_send_again(run: Run) -> None:
    run.bo.did["lost"] = 130.0


def outbox_never_ends_waiting(run: Run) -> None:
    run.bo.did["late"] = 130.0
    run.bo.waiting.add("late")


def outbox_sends_again_with_a_new_id(run: Run) -> None:
    run.bo.did["mark-3-new"] = run.bo.did.pop("mark-3")
    run.bo.acks.pop()


def page_applies_twice(run: Run) -> None:
    run.bo.applied.insert(1, run.bo.applied[0])


def page_applies_out_of_order(run: Run) -> None:
    run.bo.applied[0], run.bo.applied[1] = run.bo.applied[1], run.bo.applied[0]


def page_resumes_one_too_far(run: Run) -> None:
    run.bo.applied = [event for event in run.bo.applied if (event.stream, event.seq) != (MINE, 2)]


def page_is_behind(run: Run) -> None:
    run.ana.applied.pop()


def a_stranger_writes(run: Run) -> None:
    run.do(Told("eve", "eve", ()), "forged", "panel", "probe.ask", 130.0)


BUGS: list[Callable[[Run], None]] = [
    server_forgets_what_it_acknowledged,
    server_does_not_know_a_repeat,
    server_takes_a_repeat_for_another_command,
    server_gives_a_repeat_another_answer,
    server_leaves_a_hole,
    server_writes_the_event_without_its_command,
    server_keeps_what_it_refused,
    server_refuses_without_a_reason,
    server_does_not_believe_the_age,
    server_believes_an_hour_before_the_start,
    server_skips_an_event_for_one_socket,
    server_says_something_else_than_the_log,
    server_makes_a_page_start_over,
    outbox_does_not_send_again,
    outbox_never_ends_waiting,
    outbox_sends_again_with_a_new_id,
    page_applies_twice,
    page_applies_out_of_order,
    page_resumes_one_too_far,
    page_is_behind,
    a_stranger_writes,
]
LATER = {  # what may still come right while the run goes on
    server_takes_a_repeat_for_another_command,
    server_keeps_what_it_refused,
    server_refuses_without_a_reason,
    outbox_does_not_send_again,
    outbox_never_ends_waiting,
    outbox_sends_again_with_a_new_id,
    page_is_behind,
    a_stranger_writes,
}


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.__name__)
def test_the_checker_finds(run: Run, bug: Callable[[Run], None]) -> None:
    bug(run)

    assert run.found()
    assert bool(run.found(quiet=False)) == (bug not in LATER)
