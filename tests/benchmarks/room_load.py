"""Rooms in which five people work: what they do, second by second, and what comes of it."""

from __future__ import annotations

import asyncio
import itertools
import random
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import psutil
from django.contrib.auth.hashers import make_password

from interviews.enums import InterviewStatus
from interviews.models import Interview, Stream
from people.models import Person
from tests.benchmarks.room_client import Socket, dial
from tests.support.factories import make_application, make_interview, make_plan, make_position, make_tree, seats_of
from tests.support.web import session_of

ROLES = ("lead", "interviewer", "second", "shadow", "observer")
# What a room says in fifteen seconds, at two commands a second. A question costs its lead one command, and each of the
# four who judge seven or so: two of thirty are heard by all, the rest by their author.
TURNS = (
    *("ask", "mark", "mark", "mark", "mark", "share", "mark", "mark", "note", "mark"),
    *("mark", "evidence", "mark", "mark", "mark", "note", "mark", "mark", "mark", "mark"),
    *("note", "mark", "mark", "evidence", "mark", "mark", "mark", "note", "mark", "mark"),
)
EVERY = 0.5  # seconds between two commands of one room
WARM = 1.5
PROBES = ("root", "l2", "l3", "l4")
OUTCOMES = ("sustained", "partial", "recited", "not_sustained")


@dataclass
class Member:
    """A seat with its socket. `cursors`: the last seq heard of each stream, over all lines it had."""

    code: str
    seat: str
    session: str
    socket: Socket | None = None
    cursors: dict[str, int] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)

    def builds_on(self, item: str) -> int:
        """The version that the next write of this item builds on: every command is accepted, so they count up."""
        version = self.versions.get(item, 0)
        self.versions[item] = version + 1
        return version


@dataclass
class Result:
    """Seconds from the key press (the moment a command was due) unless it says otherwise."""

    acked: list[float] = field(default_factory=list)
    delivered: list[float] = field(default_factory=list)
    after_commit: list[float] = field(default_factory=list)  # from the event's own time: the commit is in it
    late: list[float] = field(default_factory=list)  # of the generator: its own fault
    sent: int = 0
    refused: int = 0
    codes: set[str] = field(default_factory=set)  # of the refusals
    lost: int = 0
    disorder: int = 0
    closed: int = 0
    processor: float = 0.0


class Room:
    """One interview, and whose turn it is. `into`: the turn at which we come; first of all, a question stands."""

    def __init__(self, interview: Interview, members: list[Member], into: int) -> None:
        self.interview, self.members = interview, members
        self.asked = ""
        self.into = self.turn = into
        self.judges = members[:4]

    def apart(self) -> Room:
        """The same seats with nothing said: for a server that keeps nothing of what ours does."""
        members = [Member(member.code, member.seat, member.session) for member in self.members]
        return Room(self.interview, members, self.into)

    def next(self, command: str) -> tuple[Member, str, dict[str, Any]]:
        """The next command, which will have this id: (who, name, data)."""
        turn = TURNS[self.turn % len(TURNS)] if self.asked else "ask"
        number, self.turn = self.turn, self.turn + 1
        lead, judge = self.members[0], self.judges[number % 4]
        if turn == "ask":
            self.asked = command
            return lead, "probe.ask", {"probe": f"data-parallel/{PROBES[number // len(TURNS) % 4]}"}
        if turn == "share":
            return lead, "prompt.share", {"text": "Eight cards, two nodes, one switch between them."}
        said: dict[str, Any] = {"asked": self.asked}
        if turn == "note":
            text = f"Names the collective at once; unsure where it waits ({number})."
            return judge, "note.set", {**said, "text": text, "version": judge.builds_on(f"note {self.asked}")}
        if turn == "evidence":
            detail = "Ran it on 64 cards, found the slow link."
            return judge, "evidence.add", {**said, "type": "debugged", "aid": "unaided", "detail": detail}
        mark = {"outcome": OUTCOMES[number % 4], "ratings": {"depth": number % 5}}
        return judge, "mark.set", {**said, **mark, "version": judge.builds_on(f"mark {self.asked}")}


class Rooms:
    """Makes rooms of the same five people, with one question asked, as many as are wanted."""

    def __init__(self) -> None:
        password = make_password(None)
        people = [Person(email=f"{name}@sounding.example", name=name, password=password) for name in ROLES]
        self.people = Person.objects.bulk_create(people)
        self.sessions = [session_of(person) for person in self.people]
        self.trees = [make_tree("data-parallel"), make_tree("zero-stages")]
        self.position = make_position(self.people[0], plan=make_plan(*self.trees))
        self.made: list[Room] = []

    def first(self, number: int) -> list[Room]:
        while len(self.made) < number:
            self.made.append(self._make())
        return self.made[:number]

    def _make(self) -> Room:
        lead, interviewer, second, shadow, observer = self.people
        interview = make_interview(
            make_application(self.position), lead=lead, interviewers=[interviewer, second], shadows=[shadow],
            observers=[observer], versions=self.trees, status=InterviewStatus.LIVE,
        )  # fmt: skip
        seats = [seat for seat in seats_of(interview) if seat.person_id]
        members = [
            Member(str(interview.code), str(seat.code), session)
            for seat, session in zip(seats, self.sessions, strict=True)
        ]
        # No two rooms in step: interviews don't ask their questions in the same second.
        return Room(interview, members, into=len(self.made) * 7 % len(TURNS))


class Play:
    """One run: all sockets open, commands as they fall due whether or not the server keeps up, then what is missing."""

    def __init__(self, server: psutil.Process, port: int, rooms: list[Room], *, textbook: bool = False) -> None:
        self.server, self.port, self.textbook = server, port, textbook
        self.rooms = [room.apart() for room in rooms] if textbook else rooms
        for room in self.rooms:
            room.asked = ""  # what the last run asked may never have arrived, if it was too much for the server
        self.result = Result()
        self.due: dict[str, float] = {}
        self.measured_from = float("inf")
        self.deliveries = 0
        self.members: dict[Socket, Member] = {}
        self.open = 0
        self.answered: set[str] = set()

    async def run(self, seconds: float) -> Result:
        loop = asyncio.get_running_loop()
        self.clocks_apart = time.time() - loop.time()
        gate = asyncio.Semaphore(20)
        await asyncio.gather(*(self._enter(gate, member) for room in self.rooms for member in room.members))
        await self._wait_for(lambda: self.open == len(self.members), 60)
        await asyncio.sleep(1)  # the server is done with those who came
        before = self.server.cpu_times()
        await self._send(seconds)
        wanted = self.result.sent * 5 if self.textbook else None
        await self._wait_for(
            lambda: len(self.answered) == self.result.sent and (wanted is None or self.deliveries == wanted), 10
        )
        after = self.server.cpu_times()
        self.result.processor = after.user + after.system - before.user - before.system
        if wanted is not None:
            self.result.lost = wanted - self.deliveries
        else:
            await asyncio.sleep(2.5)  # whatever a hint lost is found by the next look at the table
        self.result.closed = sum(socket.closed is not None for socket in self.members)
        for socket in self.members:
            socket.hang_up()
        return self.result

    async def _enter(self, gate: asyncio.Semaphore, member: Member) -> None:
        async with gate:
            cursors = "".join(f"&{stream}={seq}" for stream, seq in member.cursors.items())
            socket = await dial(self.port, f"/ws/interviews/{member.code}/?v=1{cursors}", member.session, self.hear)
            member.socket = socket
            self.members[socket] = member

    async def _wait_for(self, done: Callable[[], bool], longest: float) -> None:
        loop = asyncio.get_running_loop()
        until = loop.time() + longest
        for look in itertools.count(1):
            if done() or loop.time() > until:
                return
            await asyncio.sleep(min(0.05, look / 100))  # between looks

    async def _send(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        begin = loop.time() + 0.2
        self.measured_from = begin + WARM
        chance = random.Random(5)  # noqa: S311 - the same moments each time
        phases = [chance.random() * EVERY for _ in self.rooms]
        times = int((WARM + seconds) / EVERY)
        plan = sorted((begin + phase + n * EVERY, at) for at, phase in enumerate(phases) for n in range(times))
        for due, at in plan:
            if (wait := due - loop.time()) > 0.0005:
                await asyncio.sleep(wait)
            command = str(uuid.uuid4())
            member, name, data = self.rooms[at].next(command)
            self.due[command] = due
            assert member.socket is not None
            member.socket.say({"type": "command", "id": command, "name": name, "data": data, "age": 0})
            self.result.sent += 1
            self.result.late.append(loop.time() - due)

    def hear(self, socket: Socket, frame: dict[str, Any], now: float) -> None:
        kind = frame["type"]
        if kind == "event":
            self._event(socket, frame, now)
        elif kind == "ping":
            member = self.members.get(socket)
            heads = member.cursors if member else {}
            socket.say({"type": "pong", "heads": heads, "outbox": 0, "device": "bench"})
        elif kind == "welcome":
            self.open += 1
        elif kind == "ack":
            self._answer(frame["id"], now)
        elif kind == "refused":
            self.result.refused += 1
            self.result.codes.add(frame["code"])
            self.answered.add(frame["id"])

    def _answer(self, command: str, now: float) -> None:
        self.answered.add(command)
        due = self.due.get(command, 0.0)
        if due >= self.measured_from:
            self.result.acked.append(now - due)

    def _event(self, socket: Socket, frame: dict[str, Any], now: float) -> None:
        self.deliveries += 1
        member = self.members.get(socket)
        if self.textbook:
            if member is not None and frame["cause"] not in self.answered:
                self._answer(frame["cause"], now)
        elif member is not None:
            if frame["seq"] != member.cursors.get(frame["stream"], 0) + 1:
                self.result.disorder += 1
            member.cursors[frame["stream"]] = frame["seq"]
        due = self.due.get(frame["cause"] or "", 0.0)
        if due >= self.measured_from:
            self.result.delivered.append(now - due)
            if not self.textbook and member is not None and frame["by"] != member.seat:
                at = datetime.fromisoformat(frame["at"]).timestamp()
                self.result.after_commit.append(max(0.0, now + self.clocks_apart - at))


def missing(rooms: list[Room]) -> int:
    """Count what the log has and a member's socket never brought."""
    by_room = {room.interview.room_id: room for room in rooms}
    lost = 0
    for room, name, head in Stream.objects.filter(room__in=by_room).values_list("room", "name", "head"):
        stream, _colon, seat = name.partition(":")
        for member in by_room[room].members:
            if not seat or seat == member.seat:
                lost += max(0, head - member.cursors.get(stream, 0))
    return lost
