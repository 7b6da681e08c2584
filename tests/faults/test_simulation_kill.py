"""Killing the web process in the middle of a simulation loses no acknowledged command and doubles none."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from uuid import uuid4

import psycopg
import pytest

from interviews.models import Event, Interview, Mark, Stream
from scoring.simulation.outcome import Outcome
from tests.cast import Cast
from tests.support.factories import Scene, make_scene
from tests.support.ledger import Client, compare
from tests.support.simulating import played, script, stage
from tests.support.web import Web, running_web
from tests.support.worker import running_worker

pytestmark = pytest.mark.faults

PEOPLE = ("ana", "bo", "chen", "dee")
PROBES = ("root", "l2", "l3", "l4")
EXPECT = """expect:
  accepted: {ana: 52, bo: 42, chen: 42, dee: 42}
  raters: 3
  dimensions: {depth: {value: 3, raters: 3, provisional: false}}
  trees:
    data-parallel: {chen: {floor: 4, ceiling: none, ended: top_of_tree}}
    zero-stages: {ana: {floor: 4, ceiling: none, ended: top_of_tree}}
"""
RATINGS = {"root": "depth", "l2": "why", "l3": "hands_on", "l4": "why"}


def long_script() -> str:
    """Two trees to their ends, four judges who mark, mend their marks, and write: about 150 commands."""
    lines = ["format: 1", "simulation: long", "manager: mara@sounding.example", "people:"]
    lines += [f"  {name}: {name}@sounding.example" for name in PEOPLE]
    lines += ["cards: {ana: yes, bo: yes, chen: no}", EXPECT, "steps:", "  - ana: {start: heard}"]
    for tree in ("data-parallel", "zero-stages"):
        for probe in PROBES:
            lines.append(f"  - ana: {{ask: {tree}/{probe}}}")
            acts = (
                f"[{{mark: {{outcome: sustained, depth: 2}}}}, {{mark: {{aid: unaided, {RATINGS[probe]}: 3}}}}, "
                f"{{note: on {probe}}}, {{evidence: {{type: built, detail: a {probe}}}}}, {{mark: {{depth: 3}}}}]"
            )
            lines.append("  - " + "\n    ".join(f"{name}: {acts}" for name in PEOPLE))
        lines.append("  - " + "\n    ".join(f"{name}: {{boundary: top_of_tree}}" for name in PEOPLE))
    return "\n".join([*lines, "  - ana: end", ""])


class Killer:
    """Kills the web process at the moments when the n-th commands were put on the wire, and starts it again.

    By turns when the command has just been committed and its ack is lost, and at once, before it can have been carried
    out: a client can't tell the one from the other. Once more it is killed when the first card is in, so that the next
    ones find nobody to take them.
    """

    def __init__(self, web: Web, moments: list[int], table: psycopg.Connection[Any]) -> None:
        self.web, self.moments, self.table = web, moments, table
        self.sent = self.kills = 0
        self.lost: set[str] = set()
        self._starting: list[threading.Thread] = []

    def watch(self, _who: str, way: str, frame: Mapping[str, Any]) -> bool:
        if way == "heard":
            return frame["type"] == "ack" and frame["id"] in self.lost
        if frame["type"] == "command":
            self.sent += 1
            self.lost.discard(frame["id"])  # sent again: this time it is answered
            if self.sent in self.moments:
                if self.moments.index(self.sent) % 2 == 0:
                    self.await_commit(frame["id"])
                    self.lost.add(frame["id"])
                self.kill()
        return False

    def await_commit(self, command: str) -> None:
        """Block everybody until the table has the command."""
        while not self.table.execute("SELECT 1 FROM interviews_command WHERE command = %s", [command]).fetchone():
            assert self.web.process is not None
            assert self.web.process.poll() is None

    def say(self, line: str) -> None:
        if line == "ana's card is in":
            self.kill()

    def kill(self) -> None:
        self.settle()
        self.web.kill()
        self.kills += 1
        self._starting.append(threading.Thread(target=self.web.start))
        self._starting[-1].start()

    def settle(self) -> None:
        for thread in self._starting:
            thread.join()


@pytest.fixture
def scene(transactional_db: None, cast: Cast) -> Scene:
    return make_scene(cast)


@pytest.fixture
def own_web(worked_environment: dict[str, str], scene: Scene) -> Iterator[Web]:
    with running_worker(worked_environment), running_web(worked_environment) as web:
        yield web


def killed_play(
    web: Web, scene: Scene, table: psycopg.Connection[Any], seed: int, kills: int
) -> tuple[Outcome, Killer]:
    moments = sorted(random.Random(seed).sample(range(5, 140), kills))  # noqa: S311 - reproducible, not secret
    killer = Killer(web, moments, table)
    try:
        outcome = played(
            script(long_script()),
            stage(web, interview=str(scene.interview.code), patience=60.0, watch=killer.watch, say=killer.say),
        )
    finally:
        killer.settle()
    return outcome, killer


def clients(outcome: Outcome) -> list[Client]:
    return [Client(took.seat, took.accepted) for took in outcome.people.values()]


def check_seed(web: Web, scene: Scene, table: psycopg.Connection[Any], seed: int, *, kills: int) -> None:
    outcome, killer = killed_play(web, scene, table, seed, kills)

    assert killer.kills == kills + 1
    assert killer.lost == set()
    assert outcome.failures == []
    assert compare(scene.interview, clients(outcome)) == []
    assert min(took.lines for took in outcome.people.values()) > 1
    assert sum(took.resent for took in outcome.people.values()) >= kills


@pytest.mark.long
def test_killing_the_web_process_loses_and_doubles_nothing(
    own_web: Web, scene: Scene, as_application: psycopg.Connection[Any]
) -> None:
    check_seed(own_web, scene, as_application, seed=1, kills=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_killing_the_web_process_loses_and_doubles_nothing_whenever_it_happens(
    own_web: Web, scene: Scene, as_application: psycopg.Connection[Any], seed: int
) -> None:
    check_seed(own_web, scene, as_application, seed, kills=4)


# --- the comparison bites


@pytest.fixture
def quiet(web: Web, scene: Scene) -> tuple[Interview, list[Client]]:
    """A short play without a fault, and what its clients were told."""
    text = """
format: 1
simulation: quiet
people: {ana: ana@sounding.example, bo: bo@sounding.example}
steps:
  - ana: [{start: heard}, {ask: data-parallel/root}]
  - ana: {mark: {outcome: sustained, depth: 3}}
    bo: [{mark: {outcome: partial}}, {mark: {depth: 1}}, {note: slow}, {evidence: {type: built, detail: a ring}}]
"""
    outcome = played(script(text), stage(web, interview=str(scene.interview.code)))
    assert compare(scene.interview, clients(outcome)) == []
    return scene.interview, clients(outcome)


def test_the_comparison_sees_a_lost_mark(quiet: tuple[Interview, list[Client]], scene: Scene) -> None:
    interview, told = quiet
    Mark.objects.written_by(scene.bo).delete()

    assert [line.partition(":")[0] for line in compare(interview, told)] == [f"{scene.bo}"]


def test_the_comparison_sees_an_undone_change(quiet: tuple[Interview, list[Client]], scene: Scene) -> None:
    interview, told = quiet
    Mark.objects.written_by(scene.bo).update(depth=None, version=1)

    assert len(compare(interview, told)) == 1


def test_the_comparison_sees_an_ack_without_its_command(quiet: tuple[Interview, list[Client]]) -> None:
    interview, told = quiet
    bo = list(told[1].acked)
    forged = replace(bo[-1], id=str(uuid4()), seq=bo[-1].seq + 1)

    lines = compare(interview, [told[0], Client(told[1].seat, [*bo, forged])])

    assert f"evidence.add {forged.id} was acknowledged, and is not there" in lines


def test_the_comparison_sees_what_nobody_was_told(quiet: tuple[Interview, list[Client]]) -> None:
    interview, told = quiet
    bo = list(told[1].acked)

    lines = compare(interview, [told[0], Client(told[1].seat, bo[:-1])])

    assert f"command {bo[-1].id} is there, and nobody was told" in lines


def test_the_comparison_sees_a_doubled_event_and_a_hole(quiet: tuple[Interview, list[Client]], scene: Scene) -> None:
    interview, told = quiet
    mine = f"mine:{scene.bo.code}"
    last = Event.objects.filter(room=interview.room_id, stream=mine).order_by("seq").last()
    assert last is not None
    Event.objects.create(
        room_id=interview.room_id, stream=mine, seq=last.seq + 2, name=last.name, seat=scene.bo, cause=last.cause,
        made_at=last.made_at, data=last.data,
    )  # fmt: skip
    Stream.objects.filter(room=interview.room_id, name=mine).update(head=last.seq + 2)

    lines = compare(interview, told)

    assert f"command {last.cause} caused 2 events in {mine}" in lines
    assert any(line.startswith(f"stream {mine} counts") for line in lines)
