"""One client of a run: the line and outbox of a simulation, and a person who acts at random."""

from __future__ import annotations

import asyncio
import random
import time
import uuid
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from scoring.simulation.line import Line
from scoring.simulation.outbox import Outbox, Refused, item_of
from tests.faults.chaos.history import Ack, Event, Refusal, Told

JUDGES = ("lead", "interviewer", "shadow")
OUTCOMES = ("sustained", "partial", "recited", "not_sustained")
AIDS = ("unaided", "clarified", "hinted", "told")
ASKED_AT_MOST = 16
HOUR = 3_600_000
PLANTS = ("no-resend", "new-ids", "cursor")


class ForgetfulOutbox(Outbox):
    """A planted bug: what was on its way when the line broke is taken for arrived."""

    __slots__ = ()

    def line_lost(self) -> None:
        self.rows = [row for row in self.rows if row.id not in self.in_flight]
        Outbox.line_lost(self)


class RenamingOutbox(Outbox):
    """A planted bug: what goes out again has a new id, so that the server can't know it."""

    __slots__ = ()

    def line_lost(self) -> None:
        for row in self.rows:
            if row.id in self.in_flight:
                row.id = str(uuid.uuid4())
        Outbox.line_lost(self)


class Client(Line):
    """Keeps the rules of the wire, comes back soon and anywhere, and writes down all it does and hears."""

    def __init__(
        self, name: str, *, sites: Sequence[str], path: str, session: str, trees: Sequence[str], dice: random.Random,
        plant: str = "",
    ) -> None:  # fmt: skip
        outbox = {"no-resend": ForgetfulOutbox, "new-ids": RenamingOutbox}.get(plant, Outbox)()
        super().__init__(
            name,
            site=sites[0],
            path=path,
            cookie=lambda: f"sessionid={session}",
            outbox=outbox,
            ears=self,
            progress=lambda: None,
            watch=self._note,
            pause=lambda _attempt: dice.uniform(0.05, 0.4),
        )
        self.sites, self.dice, self.trees, self.plant = list(sites), dice, trees, plant
        self.told = Told(name, "", ())
        self.frames: list[Mapping[str, Any]] = []
        self.skew = 0
        self.asked: list[str] = []
        self.statements: dict[str, str] = {}
        self.acts = asyncio.Event()

    # --- the line, with what a run needs of it

    async def _once(self) -> int:
        self._site = self.dice.choice(self.sites)
        if self.plant == "cursor" and self.lines and "panel" in self._seen:
            self._seen["panel"] += 1
        with suppress(ConnectionClosed):
            return await super()._once()
        return 1006

    async def _say(self, socket: ClientConnection, frame: Mapping[str, Any]) -> None:
        if frame["type"] == "command" and self.skew:
            frame = {**frame, "age": max(0, frame["age"] + self.skew)}
        await super()._say(socket, frame)

    def turn_clock(self, by: int) -> None:
        """Be wrong by so many milliseconds from now on: this client's times are no longer to be believed."""
        self.skew, self.told.true_clock = by, False

    def _note(self, _who: str, way: str, frame: Mapping[str, Any]) -> bool:
        if frame["type"] == "command" and way == "sent":
            self.told.sent.setdefault(frame["id"], time.time())
        elif frame["type"] == "ack":
            self.told.acks.append(Ack(frame["id"], frame["stream"], frame["seq"], frame.get("version"), time.time()))
        elif frame["type"] == "snapshot":
            self.told.snapshots += 1
        return False

    def _event(self, frame: Mapping[str, Any]) -> None:
        before = self.seen(frame["stream"])
        super()._event(frame)
        if self.seen(frame["stream"]) != before:
            self.frames.append(frame)
            self.told.applied.append(
                Event(self.stream(frame["stream"]), frame["seq"], frame["name"], frame["cause"], frame["by"])
            )

    def stream(self, wire: str) -> str:
        """The table's name of a stream."""
        return f"mine:{self.seat}" if wire == "mine" else wire

    def history(self) -> Told:
        """What happened up to now. Not a copy: the line goes on writing in it."""
        self.told.seat = self.seat
        self.told.streams = tuple(self.stream(wire) for wire in self.heads)
        self.told.waiting = {row.id for row in self.outbox.rows}
        return self.told

    # --- what a line tells

    def welcome(self, seat: str, role: str) -> None:
        """Nothing to do: the seat is kept by the line."""

    def refused(self, refused: Refused) -> None:
        self.told.refusals.append(Refusal(refused.id, refused.code, refused.message, refused.fallen))
        for gone in (refused.id, *refused.fallen):
            self.statements.pop(gone, None)
            if gone in self.asked:
                self.asked.remove(gone)

    def hear(self, event: Mapping[str, Any]) -> None:
        self.outbox.heard(event)
        if event["name"] == "probe.ask" and event["data"]["asked"] not in self.asked:
            self.asked.append(event["data"]["asked"])

    # --- the person

    def do(self, name: str, data: dict[str, Any] | None = None) -> str:
        """Act now: into the outbox, and on its way as soon as there is one."""
        command, data = str(uuid.uuid4()), data or {}
        item = item_of(name, data, command)
        if item and not name.endswith(".add"):
            data["version"] = self.outbox.version(item)
        self.told.did[command] = time.time()
        self.outbox.put(name, data, id=command, now=time.monotonic(), item=item)
        self.kick.set()
        return command

    async def say_again(self) -> None:
        """Send what was acknowledged lately once more, as a page does that missed the answer."""
        if self._socket is not None and self.live:
            with suppress(ConnectionClosed):
                for acked in self.outbox.acked[-3:]:
                    frame = {"type": "command", "id": acked.id, "name": acked.name, "data": acked.data, "age": 0}
                    await self._say(self._socket, frame)

    async def act(self, pace: float) -> None:
        """Do something every `pace` seconds on the average, while `acts` is set."""
        while True:
            await self.acts.wait()
            self.act_once()
            await asyncio.sleep(self.dice.uniform(0.2, 1.8) * pace)  # a person's pace

    def act_once(self) -> None:
        if self.role not in ("", "candidate") and self.dice.random() < 0.1:
            self._say_to_the_panel()
        elif self.role == "lead" and (self.dice.random() < 0.25 or not self.asked):
            self._lead()
        elif self.role in JUDGES and self.asked:
            self._judge()

    def _lead(self) -> None:
        way = self.dice.random()
        if way < 0.55 or not self.asked:
            if len(self.asked) < ASKED_AT_MOST:
                probe = self.dice.choice(("root", "l2", "l3", "l4", "l2-again"))
                self.asked.append(self.do("probe.ask", {"probe": f"{self.dice.choice(self.trees)}/{probe}"}))
        elif way < 0.7:
            self.do("prompt.share", {"text": f"Draw {self.dice.randrange(99)} nodes."})
        elif way < 0.8:
            self.do("prompt.unshare")
        elif way < 0.9:
            self.do("interview.pause")
            self.do("interview.resume")
        else:
            self.do("prompt.share", {"asked": self.dice.choice(self.asked)})

    def _say_to_the_panel(self) -> None:
        way = self.dice.random()
        if way < 0.5 or self.role in ("lead", "observer"):
            self.do("chat.post", {"text": f"Listen for the number {self.dice.randrange(99)}."})
        elif way < 0.8:
            self.do("hand.raise", self.dice.choice(({}, {"probe": f"{self.dice.choice(self.trees)}/l2"})))
        else:
            self.do("hand.lower")

    def _judge(self) -> None:
        asked, way = self.dice.choice(self.asked), self.dice.random()
        if way < 0.6:
            said: list[dict[str, Any]] = [
                {"outcome": self.dice.choice(OUTCOMES)},
                {"aid": self.dice.choice(AIDS)},
                {"ratings": {"depth": self.dice.randrange(5)}},
            ]
            self.do("mark.set", {"asked": asked, **self.dice.choice(said)})
        elif way < 0.75:
            self.do("note.set", {"asked": self.dice.choice((asked, None)), "text": f"Words {self.dice.random()}"})
        elif way < 0.85:
            kind = self.dice.choice(("evidence", "reason"))
            types = {"evidence": "built", "reason": "choice"}
            said_so = {"asked": asked, "type": types[kind], "aid": "unaided", "detail": f"A {kind}."}
            self.statements[self.do(f"{kind}.add", said_so)] = kind
        elif way < 0.92 and self.statements:
            id = self.dice.choice(list(self.statements))
            self.do(f"{self.statements[id]}.edit", {self.statements[id]: id, "detail": f"Mended {self.dice.random()}"})
        else:
            self.do("boundary.set", {"tree": self.dice.choice(self.trees), "ended": "moved_on"})
