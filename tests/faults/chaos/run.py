"""A run: rooms under load, rounds of faults, and then everything compared with everything."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from django.core.management import call_command
from django.db import connection

from people import grants
from tests.faults.chaos import room
from tests.faults.chaos.checker import check
from tests.faults.chaos.client import Client
from tests.faults.chaos.history import Told
from tests.faults.chaos.nemesis import Nemesis
from tests.faults.chaos.place import Place
from tests.support import ledger

T = TypeVar("T")
ROOMS = 2
SEGMENT = 20  # rounds, after which everything must come to rest and be compared
PACE = 0.3  # seconds between two acts of one person, on the average
PATIENCE = 120.0  # seconds; a busy machine takes many of them to start what was killed


class Unrest(Exception):
    """The clients do not come to rest: something is never answered, or never heard."""


@dataclass
class Report:
    """What a run did and found."""

    seed: int
    found: list[str] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)
    commands: Counter[str] = field(default_factory=Counter)
    resent: int = 0
    lines: int = 0
    events: int = 0
    began: float = field(default_factory=time.monotonic)

    def clock(self) -> str:
        return f"{time.monotonic() - self.began:5.1f} s"

    def __str__(self) -> str:
        what, said = (
            ", ".join(f"{name} {times}" for name, times in sorted(counted.items()))
            for counted in (self.faults, self.commands)
        )
        return (
            f"seed {self.seed}: {self.commands.total()} commands acknowledged ({said}), {self.resent} of them sent "
            f"again, {self.events} events heard over {self.lines} lines, {self.faults.total()} faults in "
            f"{self.clock().strip()} ({what}); {len(self.found)} findings"
        )


def play(seed: int, rounds: int, plant: str = "") -> Report:
    """Run in a process of its own, on the servers that tests.support.servers started."""
    report = Report(seed)
    call_command("migrate", interactive=False, verbosity=0)
    grants.apply(connection, grants.application_role())
    return asyncio.run(_play(report, rounds, plant))


async def _play(report: Report, rounds: int, plant: str) -> Report:
    dice = random.Random(report.seed)  # noqa: S311 - reproducible, not secret
    place = await Place.open(dice)
    try:
        done = 0
        while done < rounds and not report.found:
            part = min(SEGMENT, rounds - done)
            await _segment(place, report, dice, first=done, rounds=part, plant=plant)
            done += part
        await place.all_back()
        say(f"{report.clock()} all is compared")
        await _until(_jobs_done, "jobs to be done", report)
    finally:
        await place.close()
        report.found += place.complaints()
        say(f"{report.clock()} all is ended")
    return report


async def _segment(place: Place, report: Report, dice: random.Random, *, first: int, rounds: int, plant: str) -> None:
    """Rounds in rooms of their own; at the end the interviews end, all comes to rest, and all is compared."""
    stages = [
        Stage(await asyncio.to_thread(room.make_room, first * ROOMS + number), place, dice, plant)
        for number in range(ROOMS)
    ]
    clients = [client for stage in stages for client in stage.clients.values()]
    work = [asyncio.create_task(job) for client in clients for job in (client.run(), client.act(PACE))]
    try:
        for stage in stages:
            await stage.begin()
        say(f"{report.clock()} all pages are open")
        await _strike(Nemesis(place, clients, dice), stages, report, first=first, rounds=rounds)
        for stage in stages:
            report.found += await stage.finish(report)
    except Unrest as unrest:
        report.found.append(str(unrest))
    finally:
        for task in work:
            if task.done() and not task.cancelled() and task.exception():
                report.found.append(f"a client failed: {task.exception()!r}")
            task.cancel()
        await asyncio.gather(*work, return_exceptions=True)
    for client in clients:
        report.commands.update(acked.name for acked in client.outbox.acked)
        report.resent += client.outbox.resent
        report.lines += client.lines
        report.events += len(client.frames)


async def _strike(nemesis: Nemesis, stages: Sequence[Stage], report: Report, *, first: int, rounds: int) -> None:
    """The rounds, while everybody acts. After each, what must hold at any moment is looked at."""
    for client in nemesis.clients:
        client.acts.set()
    for number, names in enumerate(nemesis.choose(rounds), start=first):
        await nemesis.hold(0.3, 1.0)
        await asyncio.gather(*(nemesis.strike(name) for name in names))
        say(f"{report.clock()} round {number}: {', '.join(names)}")
        await asyncio.to_thread(room.ask_for_job, stages[0].room, number)
        if number % 4 == 3:
            await asyncio.to_thread(room.sweep)
        for stage in stages:
            report.found += [f"round {number} ({', '.join(names)}): {line}" for line in await stage.look()]
    for client in nemesis.clients:
        client.acts.clear()
    report.faults.update(nemesis.struck)
    say(f"{report.clock()} the rounds are over")


class Stage:
    """One room and the clients in it."""

    def __init__(self, made: room.Place, place: Place, dice: random.Random, plant: str) -> None:
        self.room = made
        self.pages: Sequence[Any] = []
        self.clients = {
            name: Client(
                f"{name} of room {made.number}",
                sites=place.sites,
                path=f"/ws/interviews/{made.interview.code}/",
                session=session,
                trees=made.trees,
                dice=random.Random(dice.random()),  # noqa: S311 - as above
                plant=plant,
            )
            for name, session in made.sessions.items()
        }

    async def begin(self) -> None:
        """Start, let the candidate in, and open every page."""
        lead = self.clients["ana"]
        lead.do("interview.start")
        lead.do("candidate.admit")
        await self.rest()
        self.pages = await asyncio.to_thread(room.open_pages, self.room)

    async def look(self) -> list[str]:
        """What must hold at any moment: the clients' side is read first, since the table only grows."""
        told = [_as_it_stands(client) for client in self.clients.values() if client.seat]
        return check(await asyncio.to_thread(room.read_table, self.room), told, quiet=False)

    async def finish(self, report: Report) -> list[str]:
        """End the interview, come to rest, and compare: answers, log, items, pages and closing words."""
        await self.rest()
        lead = self.clients["ana"]
        if "interview.end" not in {acked.name for acked in lead.outbox.acked}:
            lead.do("interview.end")
        await self.rest()
        say(f"{report.clock()} room {self.room.number} is at rest")
        table = await asyncio.to_thread(room.read_table, self.room)
        found = check(table, [client.history() for client in self.clients.values()])
        items = [ledger.Client(client.seat, client.outbox.acked) for client in self.clients.values()]
        found += await asyncio.to_thread(room.compare_items, self.room, items)
        frames = {name: client.frames for name, client in self.clients.items()}
        found += await asyncio.to_thread(room.compare_pages, self.room, self.pages, frames)
        say(f"{report.clock()} room {self.room.number}'s pages are compared")
        return found + await self._closing(table.heads)

    async def _closing(self, heads: dict[str, int]) -> list[str]:
        """After the end each judge is told what the server has of them."""
        judges = [client for client in self.clients.values() if "mine" in client.heads]

        async def told() -> bool:
            for client in judges:
                await client.pong()
            return all(client.closing for client in judges)

        await _until(told, "closing words")
        return [
            f"{client.name}: closing says {client.closing}, the head is {heads.get(client.stream('mine'), 0)}"
            for client in judges
            if client.closing is None or client.closing["mine"] != heads.get(client.stream("mine"), 0)
        ]

    async def rest(self) -> None:
        """Wait until every outbox is empty and every client has heard all that the table has."""

        async def resting() -> bool:
            if any(client.outbox.rows or not client.live for client in self.clients.values()):
                return False
            heads = (await asyncio.to_thread(room.read_table, self.room)).heads
            return all(
                client.seen(wire) == heads.get(client.stream(wire), 0)
                for client in self.clients.values()
                for wire in self._hears(client)
            )

        await _until(resting, f"room {self.room.number} to come to rest", tell=self._unrest)

    def _hears(self, client: Client) -> tuple[str, ...]:
        if client.role == "candidate":
            return ("all",)
        return ("all", "panel") if client.role == "observer" else ("all", "panel", "mine")

    def _unrest(self) -> str:
        return "; ".join(
            f"{client.name}: live {client.live}, {len(client.outbox.rows)} waiting, seen {client._seen}"
            for client in self.clients.values()
        )


def _as_it_stands(client: Client) -> Told:
    told = client.history()
    return Told(
        told.name, told.seat, told.streams, dict(told.did), dict(told.sent), list(told.acks), list(told.refusals),
        set(told.waiting), list(told.applied), told.snapshots, told.true_clock,
    )  # fmt: skip


async def _jobs_done() -> bool:
    await asyncio.to_thread(room.sweep)
    return await asyncio.to_thread(room.jobs_left) == 0


async def _until(
    holds: Callable[[], Any], what: str, report: Report | None = None, *, tell: Callable[[], str] = str
) -> None:
    """Look four times a second. Raises Unrest, or writes it into the report."""
    deadline, told = time.monotonic() + PATIENCE, time.monotonic()
    while not await holds():
        if time.monotonic() > told + 5:
            told = time.monotonic()
            say(f"waiting for {what}. {tell()}")
        if time.monotonic() > deadline:
            words = f"waited {PATIENCE:g} s for {what}. {tell()}"
            if report is None:
                raise Unrest(words)
            report.found.append(words)
            return
        await asyncio.sleep(0.25)  # between looks


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main(seed: int, rounds: int, plant: str = "") -> int:
    """Play, tell what came of it, and return the exit code: 0 when nothing was found."""
    report = play(seed, rounds, plant)
    for line in report.found[:40]:
        say(line)
    say(str(report))
    return int(bool(report.found))
