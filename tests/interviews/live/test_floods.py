"""A socket that says too much, or a seat with too many sockets: held back by itself, while the room goes on."""

from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import AsyncExitStack

import psutil
import pytest
import websockets
from asgiref.sync import sync_to_async

from interviews.enums import InterviewStatus
from interviews.live.bucket import BURST, PATIENCE, RATE, Bucket
from interviews.live.hub import SOCKETS_PER_SEAT
from interviews.models import Note
from tests.cast import Cast
from tests.support.factories import Scene, make_scene
from tests.support.web import Web, Wire, dial, session_of

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("async_connections")]

MEGABYTE = 1024 * 1024


@pytest.mark.parametrize(("a_second", "cut"), [(40, False), (90, False), (150, True), (1_000, True), (100_000, True)])
def test_only_who_goes_on_sending_much_too_fast_is_cut(
    a_second: int, cut: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    bucket = Bucket(at=0.0)
    for _ in range(a_second * 20):
        now += 1 / a_second
        bucket.take()
        if bucket.worn_out:
            break
    assert bucket.worn_out is cut


def test_who_waits_as_long_as_told_finds_room_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    bucket = Bucket(at=0.0)
    waits = [bucket.take() for _ in range(500)]
    assert (waits[199], waits[200] > 0) == (0.0, True)
    now += max(waits)
    assert [bucket.take() for _ in range(200)] == [0.0] * 200


def test_nobody_is_told_to_try_again_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", lambda: 0.0)

    assert Bucket(at=0.0, tokens=0.999_99).take() == 0.001, "frames say milliseconds, and 0 would be now"


@pytest.fixture
def live(transactional_db: None, cast: Cast) -> Scene:
    return make_scene(cast, status=InterviewStatus.LIVE)


@pytest.fixture
def own(logged_web: Web, live: Scene) -> Iterator[Web]:
    yield logged_web
    assert logged_web.log is not None
    said = logged_web.log.read_text(errors="replace")
    assert "Traceback" not in said
    assert " ERROR " not in said


SHOUT = json.dumps({"type": "shout"})  # refused without a look at the database, so that the limit is what holds it


async def test_who_floods_is_told_then_cut_and_the_room_goes_on(own: Web, live: Scene) -> None:
    ana, bo = await sync_to_async(session_of)(live.cast.ana), await sync_to_async(session_of)(live.cast.bo)
    assert own.process is not None
    process = psutil.Process(own.process.pid)
    async with dial(own, live.interview, ana) as a:
        lead = Wire(a)
        assert (await lead.do("probe.ask", {"probe": "data-parallel/root"}))["type"] == "ack"
        before = process.memory_info().rss
        for turn in range(3):
            codes: Counter[str] = Counter()
            async with dial(own, live.interview, bo) as b:
                with pytest.raises(websockets.ConnectionClosed) as closed:
                    await flood(b, lead, codes, marker=f"flood {turn}")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4429
            assert codes["bad_field"] >= BURST
            assert codes["retry_later"] >= PATIENCE
        assert process.memory_info().rss - before < 32 * MEGABYTE
    said = own.log.read_text() if own.log else ""
    assert said.count("does not slow down") == 3
    assert said.count("refused: retry_later") <= 3 * PATIENCE / 10  # the first of each flood, not all


async def flood(socket: websockets.ClientConnection, lead: Wire, codes: Counter[str], *, marker: str) -> None:
    """Send without an end, and read what comes back; the lead works meanwhile, and is answered."""

    async def send() -> None:
        while True:
            await socket.send(SHOUT)
            await asyncio.sleep(0)  # let the others of this test have their turn

    async def read() -> None:
        async for text in socket:
            frame = json.loads(text)
            if frame["type"] == "refused":
                codes[frame["code"]] += 1
                assert frame["code"] != "retry_later" or 0 < frame["after"] <= PATIENCE / RATE + 1
        raise websockets.ConnectionClosed(socket.protocol.close_rcvd, socket.protocol.close_sent)

    async def work() -> None:
        for turn in range(5):
            answer = await lead.do("prompt.share", {"text": f"{marker}, turn {turn}"})
            assert answer["type"] == "ack", answer
        await asyncio.Event().wait()

    tasks = [asyncio.create_task(one()) for one in (send, read, work)]
    try:
        await asyncio.gather(tasks[1], tasks[2])
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def test_who_waits_as_told_is_never_cut_and_loses_nothing(own: Web, live: Scene) -> None:
    """A page with a long outbox: more at once than the burst, each sent again when told so."""
    bo = await sync_to_async(session_of)(live.cast.bo)
    frames = {str(uuid.uuid4()): number for number in range(int(BURST) + 100)}
    async with dial(own, live.interview, bo) as socket:
        wire = Wire(socket)
        todo = list(frames)
        while todo:
            for id in todo:
                await wire.send("note.set", {"text": f"note {frames[id]}", "version": frames[id]}, id=id)
            later, waits = [], [0.0]
            for _ in todo:
                answer = await wire.next()
                # A pong may come too fast as well: it has no id, and is no frame of ours.
                while answer["type"] not in {"ack", "refused"} or answer["id"] is None:
                    answer = await wire.next()
                if answer["type"] == "refused":
                    # Those behind one that must wait build on it.
                    assert answer["code"] in {"retry_later", "stale"}
                    later.append(answer["id"])
                    waits.append(answer.get("after", 0.0))
            todo = later
            await asyncio.sleep(max(waits))  # what the server asked for
    note = await Note.objects.written_by(live.bo).aget()
    assert note.version == len(frames)


async def test_a_seat_has_so_many_sockets_and_no_more(own: Web, live: Scene) -> None:
    ana, bo = await sync_to_async(session_of)(live.cast.ana), await sync_to_async(session_of)(live.cast.bo)
    async with AsyncExitStack() as stack:
        lines = [Wire(await stack.enter_async_context(dial(own, live.interview, bo))) for _ in range(SOCKETS_PER_SEAT)]
        for line in lines:
            assert (await line.next())["type"] == "welcome"
        async with dial(own, live.interview, bo) as one_more:
            assert await Wire(one_more).closed() == 4429

        # Those that are there stay, and so does everybody else's way in.
        async with dial(own, live.interview, ana) as socket:
            assert (await Wire(socket).do("probe.ask", {"probe": "data-parallel/root"}))["type"] == "ack"
        for line in lines:
            await line.until("event", name="probe.ask")

        # One that goes makes room.
        await lines.pop().socket.close()
        while True:
            async with dial(own, live.interview, bo) as again:
                if await welcomed(Wire(again)):
                    break


async def welcomed(wire: Wire) -> bool:
    try:
        return bool((await wire.next())["type"] == "welcome")
    except websockets.ConnectionClosed as closed:
        return closed.rcvd is not None and closed.rcvd.code != 4429
