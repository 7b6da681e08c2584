"""One person of a script at work: a browser, a line to the room, an outbox, and the acts they are told to do."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Callable, Mapping
from typing import Any, Final

from scoring.simulation.browser import Browser
from scoring.simulation.line import Line, Watch
from scoring.simulation.outbox import Outbox, Refused, Row
from scoring.simulation.pages import CannotPlay
from scoring.simulation.script import Act
from scoring.simulation.writer import NotHeard, NotThere, Writer

# What the next step builds on, whoever does it: waited for until it is acknowledged, and heard by everyone else.
ORDERING: Final = frozenset({"start", "pause", "resume", "end", "hand_over", "take_lead", "admit", "ask", "retract"})


class Pulse:
    """Lets many wait until something holds, looking again whenever something happened."""

    def __init__(self, patience: float) -> None:
        self.patience = patience
        self._event = asyncio.Event()
        self._at = time.monotonic()

    def beat(self) -> None:
        self._at = time.monotonic()
        self._event.set()
        self._event = asyncio.Event()

    async def until(self, holds: Callable[[], bool], what: Callable[[], str]) -> None:
        """Return once `holds()`; raise CannotPlay when nothing at all happened for as long as we are patient."""
        begun = time.monotonic()
        while not holds():
            left = max(self._at, begun) + self.patience - time.monotonic()
            if left <= 0:
                raise CannotPlay(f"nothing happened for {self.patience:g} s while waiting: {what()}")
            try:
                async with asyncio.timeout(left):
                    await self._event.wait()
            except TimeoutError:
                continue


class Player:
    """A person of the script, or the candidate. `real_name` is known after signing in."""

    def __init__(
        self,
        name: str,
        *,
        site: str,
        pulse: Pulse,
        seat_of: Callable[[str], str | None],
        watch: Watch | None,
    ) -> None:
        self.name = name
        self.real_name = name
        self.browser = Browser(site, patience=pulse.patience)
        self.outbox = Outbox()
        self.writer = Writer(self.outbox, new_id=lambda: str(uuid.uuid4()), seat_of=seat_of)
        self.card: dict[str, Any] = {}
        self.shared: list[str] = []
        self._site, self._pulse, self._watch = site, pulse, watch
        self._line: Line | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def line(self) -> Line:
        if self._line is None:
            raise CannotPlay(f"{self.name} has no line to the room yet")
        return self._line

    @property
    def has_line(self) -> bool:
        return self._line is not None

    @property
    def role(self) -> str:
        """The seat's role now: the welcome's, and what was heard of the lead since."""
        leads = bool(self.line.seat) and self.writer.lead == self.line.seat
        return "lead" if leads else "interviewer" if self.line.role == "lead" else self.line.role

    # --- the line

    async def come_in(self, path: str) -> None:
        """Open the line and wait for the welcome. Raises CannotPlay if the room does not let us in."""
        self._line = Line(
            self.name,
            site=self._site,
            path=path,
            cookie=self.browser.cookie_header,
            outbox=self.outbox,
            ears=self,
            progress=self._pulse.beat,
            watch=self._watch,
        )
        self._task = asyncio.create_task(self._line.run())
        await self._until(lambda: self.line.lines > 0, "the room's welcome")

    async def leave(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    def hear(self, event: Mapping[str, Any]) -> None:
        """Take in an event (the line's ears)."""
        self.writer.hear(event)
        if event["stream"] == "all" and event["name"] == "prompt.share":
            self.shared.append(event["data"].get("asked") or "")

    def welcome(self, seat: str, role: str) -> None:
        self.writer.welcome(seat, role)

    def refused(self, refused: Refused) -> None:
        self.writer.refused(refused)

    def check(self) -> None:
        """Raise CannotPlay if the line is closed for good, or ended by a fault of ours."""
        if self._line is not None and self._line.lost is not None:
            raise CannotPlay(f"{self.name}: {self._line.lost} (closed with {self._line.lost.code})")
        task = self._task
        if task is not None and task.done() and not task.cancelled() and (error := task.exception()):
            raise error

    async def _until(self, holds: Callable[[], bool], what: str) -> None:
        def done() -> bool:
            self.check()
            return holds()

        await self._pulse.until(done, lambda: f"{self.name}, {what}")

    # --- acts

    async def do(self, act: Act, where: str) -> None:
        """Do one act of the script; what orders the others is waited for, the rest goes its way."""
        if act.name == "cut":
            self.line.cut()
        elif act.name == "mend":
            self.line.mend()
        else:
            rows = await self._write(act, where)
            self.line.kick.set()
            if act.name in ORDERING and self.line.wanted.is_set():
                waited = {row.id for row in rows}
                await self._until(
                    lambda: not any(row.id in waited for row in self.outbox.rows), f"the answer to {act.name}"
                )

    async def _write(self, act: Act, where: str) -> list[Row]:
        """Queue the act's commands, after hearing asked what it speaks of."""
        while True:
            try:
                return self.writer.write(act, time.monotonic())
            except NotHeard as not_heard:
                if not self.line.wanted.is_set():
                    raise CannotPlay(
                        f"{where}: {self.name}'s line is cut, and {not_heard} was not heard asked before"
                    ) from None
                known = len(self.writer.asked)
                await self._until(
                    lambda known=known: len(self.writer.asked) > known,  # type: ignore[misc]
                    f"to hear {not_heard} asked ({where})",
                )
            except NotThere as not_there:
                raise CannotPlay(f"{where}: {self.name} can't {act.name}: there is no {not_there} here") from None

    def acked(self, stream: str) -> int:
        """The highest seq of that stream among the acknowledgements."""
        return max((acked.seq for acked in self.outbox.acked if acked.stream == stream), default=0)

    async def hear_until(self, stream: str, seq: int) -> None:
        """Wait until an event was heard, unless the line is cut or the stream is not for this seat."""
        line = self.line
        await self._until(
            lambda: stream not in line.heads or not line.wanted.is_set() or line.seen(stream) >= seq,
            f"to hear what happened in {stream}",
        )

    async def finish(self) -> None:
        """Wait until the outbox is empty; a line that is still cut is mended."""
        self.line.mend()
        self.line.kick.set()
        await self._until(lambda: not self.outbox.rows, "the outbox to run empty")
        for stream in ("panel", "mine"):
            await self.hear_until(stream, self.acked(stream))

    async def compare(self) -> None:
        """After the end, get the server's closing counts; they come with the next pong of an empty outbox."""
        asking = asyncio.create_task(self._keep_asking())
        try:
            await self._until(lambda: self.line.closing is not None, "the closing counts")
        finally:
            asking.cancel()
        await self._until(self._heard_all, "its own last events")

    async def _keep_asking(self) -> None:
        while True:
            await self.line.pong()
            await asyncio.sleep(0.5)  # the room looks at its state once a second

    def _heard_all(self) -> bool:
        closing = self.line.closing
        return closing is not None and self.line.seen("mine") >= closing["mine"]
