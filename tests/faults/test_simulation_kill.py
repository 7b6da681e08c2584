"""Killing the web process in the middle of a simulation loses no acknowledged command and doubles none."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from interviews.models import Event, Interview, Mark, Stream
from scoring.simulation.outcome import Outcome
from tests.cast import Cast
from tests.support.factories import Scene, make_scene
from tests.support.ledger import Client, compare
from tests.support.simulating import played, script, stage
from tests.support.web import Web, running_web

pytestmark = pytest.mark.faults

PEOPLE = ("ana", "bo", "chen", "dee")
PROBES = ("root", "l2", "l3", "l4")
RATINGS = {"root": "depth", "l2": "why", "l3": "hands_on", "l4": "why"}


def long_script() -> str:
    """Two trees to their ends, four judges who mark, mend their marks, and write: about 150 commands."""
    lines = ["format: 1", "simulation: long", "people:"]
    lines += [f"  {name}: {name}@sounding.example" for name in PEOPLE]
    lines += ["steps:", "  - ana: start"]
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

    What was sent just then may have been carried out or not, and its ack may be lost: just what must not matter.
    """

    def __init__(self, web: Web, moments: set[int]) -> None:
        self.web, self.moments = web, moments
        self.sent = self.kills = 0
        self._starting: list[threading.Thread] = []

    def watch(self, _who: str, way: str, frame: Mapping[str, Any]) -> None:
        if way != "sent" or frame["type"] != "command":
            return
        self.sent += 1
        if self.sent in self.moments and self.web.process is not None:
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
def own_web(process_env: dict[str, str], scene: Scene) -> Iterator[Web]:
    with running_web(process_env) as web:
        yield web


def killed_play(web: Web, scene: Scene, seed: int, kills: int) -> tuple[Outcome, Killer]:
    moments = set(random.Random(seed).sample(range(5, 140), kills))  # noqa: S311 - reproducible, not secret
    killer = Killer(web, moments)
    try:
        outcome = played(
            script(long_script()),
            stage(web, interview=str(scene.interview.code), patience=60.0, watch=killer.watch),
        )
    finally:
        killer.settle()
    return outcome, killer


def clients(outcome: Outcome) -> list[Client]:
    return [Client(took.seat, took.accepted) for took in outcome.people.values()]


def check_seed(web: Web, scene: Scene, seed: int, *, kills: int) -> None:
    outcome, killer = killed_play(web, scene, seed, kills)

    assert killer.kills == kills
    assert outcome.failures == []
    assert compare(scene.interview, clients(outcome)) == []
    assert max(took.lines for took in outcome.people.values()) == kills + 1
    assert sum(took.resent for took in outcome.people.values()) > 0


def test_killing_the_web_process_loses_and_doubles_nothing(own_web: Web, scene: Scene) -> None:
    check_seed(own_web, scene, seed=1, kills=1)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 12))
def test_killing_the_web_process_loses_and_doubles_nothing_whenever_it_happens(
    own_web: Web, scene: Scene, seed: int
) -> None:
    check_seed(own_web, scene, seed, kills=3)


# --- the comparison bites


@pytest.fixture
def quiet(web: Web, scene: Scene) -> tuple[Interview, list[Client]]:
    """A short play without a fault, and what its clients were told."""
    text = """
format: 1
simulation: quiet
people: {ana: ana@sounding.example, bo: bo@sounding.example}
steps:
  - ana: [start, {ask: data-parallel/root}]
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
