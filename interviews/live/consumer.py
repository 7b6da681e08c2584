"""One socket of a room: the wire of docs/realtime.md, and nothing of what commands mean."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import time
from collections.abc import Awaitable, Callable
from datetime import datetime
from typing import Any

from django.db import DatabaseError, InterfaceError, OperationalError
from django.utils import translation

from interviews import log
from interviews.live import handshake, telemetry
from interviews.live.bucket import Bucket
from interviews.live.crews import readers, writers
from interviews.live.handshake import Closed, Welcome, WrongOrigin
from interviews.live.hub import hub
from interviews.live.kinds import KINDS, RoomKind
from interviews.live.reading import read_age, read_command_id, read_device
from interviews.queries.standing import Standing
from interviews.services.attendance import Report
from interviews.services.refusal import Code, Refusal

logger = logging.getLogger("sounding.room")

HEARTBEAT = 8.0
SILENT_AFTER = 18.0
FRAME_LIMIT = 65_536
WINDOW = 32
LAST_WORD = 2.0

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]


async def room_socket(scope: dict[str, Any], receive: Receive, send: Send) -> None:
    """The ASGI application of every room; `scope["url_route"]` has its kind and code, or neither for other paths."""
    try:
        handshake.check_origin(scope)
    except WrongOrigin:
        await send({"type": "websocket.close", "code": 1008})
        return
    await receive()  # websocket.connect
    await send({"type": "websocket.accept"})
    try:
        route = scope["url_route"]["kwargs"]
        if "code" not in route:
            raise Closed(handshake.NO_ROOM)
        kind = KINDS[route["kind"]]
        welcome = await readers.do(handshake.knock, scope, kind, route["code"])
    except Closed as closed:
        await send({"type": "websocket.close", "code": closed.code})
        return
    except DatabaseError:
        logger.warning("the database is away; a page is asked to come again", exc_info=True)
        await send({"type": "websocket.close", "code": handshake.TRY_AGAIN})
        return
    except Exception:  # a page can't read a traceback: it is told to come again, and the log keeps what broke
        logger.exception("a handshake failed")
        await send({"type": "websocket.close", "code": handshake.TRY_AGAIN})
        return
    standing = welcome.standing
    if hub().crowded(standing.room, standing.seat):
        logger.warning("seat %s of room %s has too many sockets; another is refused", standing.seat, standing.room)
        await send({"type": "websocket.close", "code": handshake.TOO_FAST})
        return
    await RoomSocket(kind, welcome, receive, scope.get("line", send)).run()


class LineGone(OSError):
    """Nobody is at the other end any more."""


class RoomSocket:
    """A line to one seat's page. Reading, delivering and the heartbeat are tasks; the first to end ends all."""

    def __init__(self, kind: RoomKind, welcome: Welcome, receive: Receive, send: Send) -> None:
        self.kind = kind
        self.welcome = welcome
        self.standing = welcome.standing
        self._looked_at: Standing | None = None
        self.seat = welcome.standing.seat
        self.streams = dict(welcome.standing.streams)
        self.cursors = dict(welcome.cursors)
        self.session_key = welcome.session_key
        self.language = welcome.language
        self.feed = hub().join(self.standing.room, kind, self)
        self._presence: str | None = None
        self.wake = asyncio.Event()
        self.bucket = Bucket()
        self.heard_at = time.monotonic()
        self.closing_told: datetime | None = None  # the end it was told for: after a reopening there is another
        self.heard = telemetry.Heard(None)
        self.attendance = 0
        self._answering = False
        self._receive = receive
        self._send = send
        self._close_with: int | None = None
        self._ended = asyncio.Event()

    async def run(self) -> None:
        tasks: list[asyncio.Task[None]] = []
        try:
            self.attendance = await writers.do(self.kind.arrive, self.seat, self.standing.room, self.welcome.name)
            await self._greet()
            tasks = [
                asyncio.create_task(work) for work in (self._read(), self._deliver(), self._beat(), self._ended_wait())
            ]
            done, _pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                self._note_failure(task)
        finally:
            hub().leave(self.standing.room, self)
            for task in tasks:
                task.cancel()
            if self._close_with is not None:
                with contextlib.suppress(OSError, RuntimeError):  # a peer that no longer reads may not be waited for
                    async with asyncio.timeout(LAST_WORD):
                        await self._send({"type": "websocket.close", "code": self._close_with})
            if self.attendance:
                with contextlib.suppress(DatabaseError):
                    await hub().leaves(self.kind, self.attendance, self.standing.room)
            if self._close_with is not None:
                await self._hear_out()

    async def _hear_out(self) -> None:
        """Read on until the other side answered the close: behind what it said before, nobody would ever read it, and
        the connection would stay open for as long as they like."""
        with contextlib.suppress(OSError, RuntimeError):
            async with asyncio.timeout(LAST_WORD):
                while (await self._receive())["type"] != "websocket.disconnect":
                    pass

    def _note_failure(self, task: asyncio.Task[None]) -> None:
        error = task.exception()
        if error is None or isinstance(error, OSError):
            return
        logger.error("a room's socket failed", exc_info=error)
        self._close_with = self._close_with or 1011

    def close(self, code: int) -> None:
        self._close_with = self._close_with or code
        self._ended.set()

    async def _ended_wait(self) -> None:
        await self._ended.wait()

    # --- to the page -----------------------------------------------------------------------------------------------

    async def tell(self, frame: dict[str, Any]) -> None:
        await self.tell_text(json.dumps(frame))  # ASCII: what a page sends may hold halves of letters

    async def tell_text(self, text: str) -> None:
        try:
            await self._send({"type": "websocket.send", "text": text})
        except RuntimeError as gone:  # the server closed it first: the peer broke the protocol or answered no ping
            raise LineGone from gone

    async def _greet(self) -> None:
        heads = await self.feed.open_streams(self.streams)
        if self._beyond(heads):  # perhaps another process served the page, and no bell told this one
            await self.feed.catch_up()
            heads = await self.feed.open_streams(self.streams)
        epoch = await readers.do(log.epoch, self.standing.room)
        await self.tell(
            {
                "type": "welcome",
                "protocol": handshake.PROTOCOL,
                "epoch": epoch,
                "seat": {"id": self.standing.code, "role": self.standing.role},
                "heads": heads,
                "heartbeat": int(HEARTBEAT),
                "limits": {"frame": FRAME_LIMIT, "window": WINDOW},
            }
        )
        if self._beyond(heads) or self.welcome.epoch not in (None, epoch):
            await self._snapshot(epoch, heads)
        self.wake.set()
        self.feed.presence_due = True

    def _beyond(self, heads: dict[str, int]) -> bool:
        return any(self.cursors.get(wire, 0) > head for wire, head in heads.items())

    async def _snapshot(self, epoch: int, heads: dict[str, int]) -> None:
        drawn = await readers.do(self.kind.snapshot, self.seat, self.language)
        await self.tell({"type": "snapshot", "epoch": epoch, "heads": heads, **drawn})
        self.cursors = dict(heads)

    async def _deliver(self) -> None:
        """Send what lies between this socket's cursors and the heads, then wait to be woken."""
        while True:
            await self.wake.wait()
            self.wake.clear()
            try:
                for wire, stream in list(self.streams.items()):
                    # A judgement is answered first: its frame is drawn before its thread is back with the answer.
                    waits = wire == log.MINE and self._answering
                    if not waits and self.feed.rings[stream].head > self.cursors.get(wire, 0):
                        await self._send_stream(wire, stream)
                if (frame := self._presence) is not None:
                    self._presence = None
                    await self.tell_text(frame)
            except DatabaseError:
                logger.warning("the database is away; frames follow when it is back", exc_info=True)
                await asyncio.sleep(1)  # before asking it again
                self.wake.set()

    async def _send_stream(self, wire: str, stream: str) -> None:
        for seq, text in await self.feed.frames_after(stream, self.cursors.get(wire, 0), self.language):
            await self.tell_text(_veiled(text) if wire == log.ALL and seq < self.standing.admitted else text)
            telemetry.sent(self.standing.room, stream, seq)
            self.cursors[wire] = seq
        if self.feed.rings[stream].head > self.cursors.get(wire, 0):
            self.wake.set()

    async def _beat(self) -> None:
        while True:
            await self.tell({"type": "ping", "heads": self._heads()})
            await asyncio.sleep(HEARTBEAT)

    def listen(self, now: float) -> None:
        """Called by the hub every second, since a ping to a page that does not read may never be done."""
        if now - self.heard_at >= SILENT_AFTER:
            self.close(handshake.SILENCE)

    def _heads(self) -> dict[str, int]:
        return {wire: self.feed.rings[name].head for wire, name in self.streams.items()}

    async def rights(self, standing: Standing | None) -> None:
        """Called by the hub when rights may have changed: close, or hear what may now be heard."""
        if standing is not None and standing is self._looked_at:
            return  # nothing has changed (interviews.queries.standing)
        mine_gone = standing is not None and standing.browser not in (None, self.welcome.browser)
        if self._ended.is_set():
            return
        if standing is None or mine_gone:
            self.close(handshake.NO_SEAT)
            return
        self.standing = standing
        if standing.streams != self.streams:
            await self.feed.open_streams(standing.streams)
            self.streams = dict(standing.streams)
            self.wake.set()
        self._looked_at = standing

    def presence(self, frame: str) -> None:
        """Called by the hub, which must not wait for this socket: the newest frame is sent with the next delivery."""
        if log.PANEL in self.streams:
            self._presence = frame
            self.wake.set()

    # --- from the page ---------------------------------------------------------------------------------------------

    async def _read(self) -> None:
        while True:
            message = await self._receive()
            if message["type"] == "websocket.disconnect":
                self._ended.set()
                return
            self.heard_at = time.monotonic()
            await self._hear(message.get("text"))
            if self._ended.is_set():
                return

    async def _hear(self, text: str | None) -> None:
        frame = _object(text)
        self.heard = telemetry.Heard(frame)
        command = frame.get("id") if isinstance(frame, dict) else None
        wait = self.bucket.take()
        if wait:
            if self.bucket.worn_out:
                logger.warning("seat %s of room %s does not slow down; its line is cut", self.seat, self.standing.room)
                self.close(handshake.TOO_FAST)
                return
            await self._refuse(command, Refusal(Code.RETRY_LATER, self._say("Too fast; wait a moment."), after=wait))
            await asyncio.sleep(0)  # what waits to be read never lets the loop go: the others have their turn first
        elif text is not None and len(text) * 4 > FRAME_LIMIT and len(text.encode()) > FRAME_LIMIT:
            await self._refuse(command, Refusal(Code.TOO_LARGE, self._say("A frame may have 65,536 bytes.")))
        elif not isinstance(frame, dict):
            await self._refuse(None, Refusal(Code.BAD_FIELD, self._say("A frame is a JSON object in a text frame.")))
        elif frame.get("type") == "pong":
            await self._pong(frame)
        elif frame.get("type") == "command":
            await self._command(frame)
        else:
            await self._refuse(command, Refusal(Code.BAD_FIELD, self._say("A page sends command or pong.")))

    def _say(self, words: str) -> str:
        with translation.override(self.language):
            return translation.gettext(words)

    async def _refuse(self, command: object, refusal: Refusal) -> None:
        frame: dict[str, Any] = {
            "type": "refused",
            "id": command if isinstance(command, str) else None,
            "code": refusal.code,
            "message": refusal.message,
        }
        if refusal.current is not None:
            frame["current"] = refusal.current
        if refusal.after is not None:
            frame["after"] = round(refusal.after, 3)
        await self.tell(frame)
        # Of a flood, the first is told: the log is not for whoever floods to fill.
        telemetry.refused(self, refusal.code, told=self.bucket.refused < 2)

    async def _command(self, frame: dict[str, Any]) -> None:
        self._answering = True
        try:
            await self._answer(frame)
        finally:
            self._answering = False
            self.wake.set()

    async def _answer(self, frame: dict[str, Any]) -> None:
        try:
            ack = await writers.do(self._carry_out, frame)
        except Refusal as refusal:
            await self._refuse(frame.get("id"), refusal)
        except (OperationalError, InterfaceError):
            logger.warning("the database is away; the page keeps its command", exc_info=True)
            await self._refuse(
                frame.get("id"), Refusal(Code.RETRY_LATER, self._say("The server is busy; trying again."), after=2)
            )
        except Exception:  # one broken command must not cost the line; its sender keeps it, and the log says why
            logger.exception("a command failed")
            await self._refuse(frame.get("id"), Refusal(Code.SERVER_ERROR, self._say("Something broke on our side.")))
        else:
            answer = {"type": "ack", "id": frame["id"], "stream": ack.stream.partition(":")[0], "seq": ack.seq}
            if ack.version is not None:
                answer["version"] = ack.version
            await self.tell(answer)
            telemetry.accepted(self, ack)

    def _carry_out(self, frame: dict[str, Any]) -> log.Ack:
        """On a database thread, in the page's language, so that refusals read well."""
        with translation.override(self.language):
            if extra := sorted(set(frame) - {"type", "id", "name", "data", "age"}):
                raise Refusal(
                    Code.BAD_FIELD, translation.gettext("A command has no field %(field)s.") % {"field": extra[0][:60]}
                )
            command, name, age = read_command_id(frame.get("id")), frame.get("name"), read_age(frame.get("age", 0))
            if command is None:
                raise Refusal(Code.BAD_FIELD, translation.gettext("A command's id is a UUID."))
            if age is None:
                raise Refusal(Code.BAD_FIELD, translation.gettext("A command's age is in milliseconds, from 0."))
            if not isinstance(name, str):
                raise Refusal(Code.UNKNOWN_COMMAND, translation.gettext("A command needs its name."))
            return self.kind.carry_out(self.seat, command, name, frame.get("data", {}), age)

    async def _pong(self, frame: dict[str, Any]) -> None:
        outbox = frame.get("outbox", 0)
        unsent = outbox if isinstance(outbox, int) and 0 <= outbox < 2**31 else 0
        hub().stays(self.kind, self.attendance, Report(unsent, read_device(frame.get("device"))))
        over = self.standing.over
        if over is None or unsent or self.closing_told == over or log.MINE not in self.streams:
            return
        try:
            kept = await readers.do(self.kind.closing, self.seat)
        except DatabaseError:
            logger.warning("the database is away; the line stays", exc_info=True)
        else:
            self.closing_told = over
            await self.tell(kept)


def _veiled(text: str) -> str:
    """An event of before the reader was let in: that it was, which its seq needs, and nothing of what it said."""
    return json.dumps({**json.loads(text), "data": {}, "html": ""})


def _object(text: str | None) -> Any:
    try:
        return json.loads(text) if text is not None else None
    except (ValueError, RecursionError):
        return None


_ = translation.gettext_noop
WORDS = (
    _("Too fast; wait a moment."),
    _("A frame may have 65,536 bytes."),
    _("A frame is a JSON object in a text frame."),
    _("A page sends command or pong."),
    _("The server is busy; trying again."),
    _("Something broke on our side."),
)
