"""Delivery to sockets that are slow, that lose their right, or whose server restarts. Real processes."""

from __future__ import annotations

import asyncio
import json
import signal
import socket as sockets
import uuid
from datetime import timedelta
from typing import Any

import psutil
import pytest
import websockets
from asgiref.sync import sync_to_async
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone

from interviews.enums import InterviewStatus
from interviews.models import Seat
from people.models import Person
from tests.cast import Cast
from tests.support.factories import Scene, make_link, make_scene
from tests.support.servers import process_environment
from tests.support.web import Web, Wire, dial, running_web, session_of, session_of_candidate

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("async_connections")]

# A note of 19,000 Chinese characters fits a frame from the page, and fills a quarter of a megabyte in the frame to it.
LONG = "中" * 19_000
NOTES = 80


@pytest.fixture
def live(transactional_db: None, cast: Cast) -> Scene:
    return make_scene(cast, status=InterviewStatus.LIVE)


def dial_without_reading(web: Web, scene: Scene, session: str) -> Any:
    """A socket whose page takes little before it is asked to: the system keeps only a few frames for it."""
    line = sockets.socket()
    line.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    line.connect(("127.0.0.1", web.port))
    return websockets.connect(
        f"ws://127.0.0.1:{web.port}/ws/interviews/{scene.interview.code}/?v=1",
        additional_headers={"Cookie": f"sessionid={session}"},
        origin=web.url,  # type: ignore[arg-type]
        sock=line,
        max_size=None,
        max_queue=1,
        ping_interval=None,
        proxy=None,
    )


async def test_a_socket_that_does_not_read_costs_a_number_and_catches_up_from_the_log(live: Scene) -> None:
    bo = await sync_to_async(session_of)(live.cast.bo)
    with running_web(process_environment(connection.settings_dict["NAME"])) as web:
        assert web.process is not None
        process = psutil.Process(web.process.pid)
        async with dial(web, live.interview, bo) as quick, dial_without_reading(web, live, bo) as slow:
            reader = Wire(quick)
            await _write_notes(reader, 3)  # whatever a process takes once, it has taken
            before = process.memory_info().rss
            await _write_notes(reader, NOTES, version=3)
            backlog = NOTES * len(json.dumps(LONG))
            assert process.memory_info().rss - before < backlog / 2
            assert [frame["seq"] for frame in reader.frames if frame["type"] == "event"] == list(range(1, NOTES + 4))
            late = Wire(slow)
            heard = [(await late.until("event", stream="mine"))["seq"] for _ in range(NOTES + 3)]
            assert heard == list(range(1, NOTES + 4))


async def _write_notes(wire: Wire, number: int, version: int = 0) -> None:
    for built_on in range(version, version + number):
        command = str(uuid.uuid4())
        data = {"text": f"{built_on} {LONG}", "version": built_on}
        frame = {"type": "command", "id": command, "name": "note.set", "data": data, "age": 0}
        await wire.socket.send(json.dumps(frame, ensure_ascii=False))
        await wire.until("event", cause=command)


def sign_out(live: Scene, session: str) -> None:
    Session.objects.filter(pk=session).delete()


def let_the_session_expire(live: Scene, session: str) -> None:
    Session.objects.filter(pk=session).update(expire_date=timezone.now() - timedelta(seconds=1))


def deactivate(live: Scene, session: str) -> None:
    Person.objects.filter(pk=live.cast.bo.pk).update(is_active=False)


def take_the_seat_away(live: Scene, session: str) -> None:
    Seat.objects.filter(pk=live.bo.pk).update(removed_at=timezone.now())


@pytest.mark.parametrize("lose", [sign_out, let_the_session_expire, deactivate, take_the_seat_away])
async def test_whoever_loses_the_right_is_closed_whichever_way_and_nobody_else(
    web: Web, live: Scene, lose: Any
) -> None:
    """Written past every service, so that no bell rings: the look at the table each second finds it."""
    bo, chen = await sync_to_async(session_of)(live.cast.bo), await sync_to_async(session_of)(live.cast.chen)
    async with dial(web, live.interview, bo) as b, dial(web, live.interview, chen) as c:
        wire, other = Wire(b), Wire(c)
        await wire.next()
        await sync_to_async(lose)(live, bo)
        assert await wire.closed() == 4403
        assert (await other.do("note.set", {"text": "Still here.", "version": 0}))["type"] == "ack"
    async with dial(web, live.interview, bo) as again:
        assert await Wire(again).closed() in {4401, 4403}


async def test_a_link_that_expires_closes_the_candidate(web: Web, live: Scene) -> None:
    _token, link = await sync_to_async(make_link)(live.candidate)
    kim = await sync_to_async(session_of_candidate)(live.candidate, link)
    async with dial(web, live.interview, kim) as socket:
        wire = Wire(socket)
        await wire.next()
        link.expires_at = timezone.now()
        await link.asave()
        assert await wire.closed() == 4403


async def test_a_restart_says_1012_and_what_was_missed_follows_from_the_new_process(live: Scene) -> None:
    ana, bo = await sync_to_async(session_of)(live.cast.ana), await sync_to_async(session_of)(live.cast.bo)
    with running_web(process_environment(connection.settings_dict["NAME"])) as web:
        async with dial(web, live.interview, ana) as a, dial(web, live.interview, bo) as b:
            lead, second = Wire(a), Wire(b)
            await lead.do("probe.ask", {"probe": "data-parallel/root"})
            await second.until("event", name="probe.ask")
            assert web.process is not None
            web.process.send_signal(signal.SIGTERM)
            assert [await lead.closed(), await second.closed()] == [1012, 1012]
            assert web.process.wait(timeout=20) in {0, -signal.SIGTERM}
        web.start()
        async with dial(web, live.interview, ana) as a:
            await Wire(a).do("probe.ask", {"probe": "data-parallel/l2"})
        async with dial(web, live.interview, bo, query="v=1&epoch=1&panel=1") as b:
            assert (await Wire(b).until("event"))["seq"] == 2


@pytest.mark.slow
async def test_a_page_that_says_nothing_is_closed_and_one_that_answers_is_not(web: Web, live: Scene) -> None:
    ana, bo = await sync_to_async(session_of)(live.cast.ana), await sync_to_async(session_of)(live.cast.bo)
    async with dial(web, live.interview, ana) as a, dial(web, live.interview, bo) as b:
        silent, alive = asyncio.create_task(_closed(a)), Wire(b)
        while not silent.done():
            if json.loads(await b.recv())["type"] == "ping":
                await alive.pong()
        assert silent.result() == 4408
        assert (await alive.do("note.set", {"text": "Still here.", "version": 0}))["type"] == "ack"


async def _closed(socket: websockets.ClientConnection) -> int:
    """Read, and say nothing, until the server closes."""
    try:
        while True:
            await socket.recv()
    except websockets.ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 1006
