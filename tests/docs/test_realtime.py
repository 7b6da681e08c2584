"""docs/realtime.md tells the truth: its examples are spoken to a real server, its tables are held against the code."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import AsyncExitStack
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

import pytest
import websockets
from asgiref.sync import sync_to_async
from websockets.asyncio.client import ClientConnection

from interviews.live import handshake
from interviews.live.commands import COMMANDS
from interviews.rendering.regions import MINE_REGIONS, SHARED_REGIONS
from interviews.rules import conduct
from interviews.services.refusal import Code
from tests.cast import Cast
from tests.docs.markdown import Fence, codes, fences, read, rows, section
from tests.support.factories import Scene, make_link, make_scene
from tests.support.web import Web, dial, session_of, session_of_candidate

PAGE = read("docs/realtime.md")
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00)")
MORE = "…"
PATIENCE = 15.0


# --- the tables -------------------------------------------------------------------------------------------------------


@pytest.mark.unit
def test_every_command_has_a_row_that_agrees_with_the_code() -> None:
    told = {}
    for command, who, when, data, stream in rows(section(PAGE, "Every command").partition("| field |")[0]):
        told[codes(command)[0]] = (_words(who), _words(when), set(codes(data)), _words(stream))
    known = {
        name: (
            set(conduct.COMMANDS[name].roles),
            set(conduct.COMMANDS[name].statuses),
            {spec.name if spec.default is MISSING else f"{spec.name}?" for spec in fields(kind)},
            set(conduct.COMMANDS[name].streams),
        )
        for name, kind in COMMANDS.items()
    }
    assert told == known


def _words(cell: str) -> set[str]:
    return {word.strip() for word in cell.split(",")}


@pytest.mark.unit
def test_names_that_no_server_speaks_yet_are_named() -> None:
    said = section(PAGE, "Every command").partition("no server speaks yet")[2]
    assert set(codes(said)) - {Code.UNKNOWN_COMMAND} == set(conduct.COMMANDS) - set(COMMANDS)


@pytest.mark.unit
def test_every_event_that_repaints_something_is_told() -> None:
    told = {name for row in rows(section(PAGE, "Every event")) for name in codes(row[0])}
    commands = {name for row in rows(section(PAGE, "Every command")) for name in codes(row[0])}
    assert {*SHARED_REGIONS, *MINE_REGIONS} - told - commands == set()


@pytest.mark.unit
def test_every_code_of_a_refusal_has_a_row() -> None:
    assert [codes(row[0])[0] for row in rows(section(PAGE, "Every code of `refused`"))] == [*Code]


@pytest.mark.unit
def test_every_close_code_has_a_row() -> None:
    told = {row[0] for row in rows(section(PAGE, "Opening a socket"))}
    known = {str(value) for value in vars(handshake).values() if isinstance(value, int) and 4000 <= value < 5000}
    assert known, "the codes moved: look for them where they are now"
    assert known == {code for code in told if code.startswith("4")}


@pytest.mark.unit
def test_every_command_has_an_example() -> None:
    sent = {frame["name"] for fence in examples("sends") for frame in frames_in(fence) if frame["type"] == "command"}
    assert set(COMMANDS) <= sent


# --- the examples -----------------------------------------------------------------------------------------------------


def examples(*does: str) -> list[Fence]:
    return [fence for fence in fences(PAGE) if len(fence.words) == 2 and fence.words[1] in does]


def frames_in(fence: Fence) -> Iterator[dict[str, Any]]:
    """The JSON objects of a block, one after the other."""
    text, at = fence.text.strip(), 0
    while at < len(text):
        frame, end = json.JSONDecoder().raw_decode(text, at)
        yield frame
        at = end + len(text[end:]) - len(text[end:].lstrip())


@dataclass
class Names:
    """Which id of the page is which id of this run. One stands for one, in both directions."""

    real: dict[str, str] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)

    def to_send(self, value: Any) -> Any:
        if isinstance(value, dict):
            return {name: self.to_send(part) for name, part in value.items()}
        if isinstance(value, str) and UUID.fullmatch(value):
            self.pair(value, self.real.get(value, value))
            return self.real[value]
        return value

    def pair(self, told: str, real: str) -> bool:
        return self.real.setdefault(told, real) == real and self.told.setdefault(real, told) == told

    def differs(self, told: Any, real: Any, where: str = "frame") -> str:
        """Return where and how a frame differs from the page's, or ""."""
        if told == MORE and isinstance(real, str):
            return "" if real else f"{where} is empty"
        if told == MORE and isinstance(real, float):
            return ""
        if isinstance(told, dict) and isinstance(real, dict):
            if set(told) != set(real):
                return f"{where} has the fields {sorted(real)}"
            return next(filter(None, (self.differs(told[key], real[key], f"{where}.{key}") for key in told)), "")
        if isinstance(told, list) and isinstance(real, list):
            if told and told[-1] == MORE:
                told, real = told[:-1], real[: len(told) - 1]
            if len(told) != len(real):
                return f"{where} has {len(real)} items"
            pairs = zip(told, real, strict=True)
            return next(filter(None, (self.differs(*pair, f"{where}[{n}]") for n, pair in enumerate(pairs))), "")
        if isinstance(told, str) and isinstance(real, str):
            if UUID.fullmatch(told) and UUID.fullmatch(real):
                return "" if self.pair(told, real) else f"{where} is another id"
            if TIME.fullmatch(told) and TIME.fullmatch(real):
                return "" if len(told) == len(real) else f"{where} is written {real}"
        return "" if type(told) is type(real) and told == real else f"{where} is {real!r}"


class Speaker:
    """One socket of the page's story."""

    def __init__(self, socket: ClientConnection, names: Names) -> None:
        self.socket = socket
        self.names = names
        self.heard: list[dict[str, Any]] = []
        self.pong = {"type": "pong", "heads": {}, "outbox": 1, "device": "not told yet"}

    async def send(self, frame: dict[str, Any]) -> None:
        if frame["type"] == "pong":
            self.pong = frame
        await self.socket.send(json.dumps(self.names.to_send(frame)))

    async def hear(self, told: dict[str, Any]) -> None:
        """Read on to the frame that the page tells of, then compare all of it. Acks and events come in either order."""
        try:
            async with asyncio.timeout(PATIENCE):
                while not self._finds(told):
                    await self._read()
        except TimeoutError:
            heard = (json.dumps(frame, ensure_ascii=False)[:300] for frame in self.heard)
            pytest.fail(f"not heard: {told}, only:\n" + "\n".join(heard))

    def _finds(self, told: dict[str, Any]) -> bool:
        for real in list(self.heard):
            if self._is_meant(told, real):
                difference = self.names.differs(told, real)
                self.heard.remove(real)
                if not difference:
                    return True
                # These come again and again: the page tells of one of them.
                words = json.dumps(real, ensure_ascii=False)[:300]
                assert told["type"] in {"ping", "presence"}, f"{difference}\n{words}"
        return False

    async def _read(self) -> None:
        try:
            async with asyncio.timeout(0.5):
                frame = json.loads(await self.socket.recv())
        except TimeoutError:
            await self.socket.send(json.dumps(self.pong))  # a page may say how it stands at any time
            return
        if frame["type"] == "ping":
            await self.socket.send(json.dumps(self.pong))
        self.heard.append(frame)

    def _is_meant(self, told: dict[str, Any], real: dict[str, Any]) -> bool:
        if told["type"] != real["type"]:
            return False
        if told["type"] == "event":
            return (told["stream"], told["seq"]) == (real["stream"], real["seq"])
        return "id" not in told or self.names.real.get(told["id"], told["id"]) == real["id"]


@pytest.fixture
def scene(transactional_db: None, cast: Cast) -> Scene:
    made = make_scene(cast, consented=False)
    made.position.chat = True
    made.position.save()
    return made


@pytest.mark.db
@pytest.mark.long
@pytest.mark.usefixtures("async_connections")
async def test_the_examples_happen_as_they_are_told(web: Web, scene: Scene) -> None:
    people = {"lead": scene.cast.ana, "interviewer": scene.cast.bo, "observer": scene.cast.eli}
    sessions = {name: await sync_to_async(session_of)(person) for name, person in people.items()}
    _token, link = await sync_to_async(make_link)(scene.candidate)
    sessions["candidate"] = await sync_to_async(session_of_candidate)(scene.candidate, link)
    names, speakers = Names(), dict[str, Speaker]()
    async with AsyncExitStack() as stack:
        for fence in examples("opens", "sends", "hears"):
            who, does = fence.words
            try:
                if does == "opens":
                    query = fence.text.strip().partition("?")[2]
                    socket = await stack.enter_async_context(dial(web, scene.interview, sessions[who], query=query))
                    speakers[who] = Speaker(socket, names)
                    continue
                for frame in frames_in(fence):
                    await (speakers[who].send(frame) if does == "sends" else speakers[who].hear(frame))
            except (AssertionError, TimeoutError, websockets.ConnectionClosed) as error:
                pytest.fail(f"docs/realtime.md:{fence.line}: {type(error).__name__} {error}")
    assert len(speakers) == 4


@pytest.mark.unit
@pytest.mark.parametrize(
    ("told", "real"),
    [
        ({"seq": 1}, {"seq": 2}),
        ({"seq": 1}, {"seq": 1, "more": 2}),
        ({"late": True}, {"late": 1}),
        ({"html": ""}, {"html": "<p>"}),
        ({"html": "…"}, {"html": ""}),
        ({"seats": [1, 2]}, {"seats": [1, 2, 3]}),
        ({"at": "2026-11-30T10:00:00.000Z"}, {"at": "2026-11-30T10:00:00.000000+00:00"}),
        (
            ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000001"],
            ["00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000b"],
        ),
    ],
)
def test_a_frame_that_differs_from_the_page_is_noticed(told: Any, real: Any) -> None:
    assert Names().differs(told, real)
    assert not Names().differs(told, told)
