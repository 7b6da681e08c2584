"""Rooms whose surroundings fail: odd frames, a bus that is away, a database that is away. The line stays."""

from __future__ import annotations

import asyncio
import os
import uuid
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import pytest
from asgiref.sync import sync_to_async
from django.db import connection

from interviews.enums import InterviewStatus
from interviews.models import Mark
from tests.cast import Cast
from tests.support.factories import Scene, make_scene
from tests.support.servers import process_environment
from tests.support.web import Web, Wire, dial, running_web, session_of

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("async_connections")]


@pytest.fixture
def live(transactional_db: None, cast: Cast) -> Scene:
    return make_scene(cast, status=InterviewStatus.LIVE)


async def test_half_letters_in_a_frame_are_refused_and_the_line_kept(web: Web, live: Scene) -> None:
    ana = await sync_to_async(session_of)(live.cast.ana)
    async with dial(web, live.interview, ana) as socket:
        lead = Wire(socket)
        for text in (
            '{"type": "command", "id": "\\ud800", "name": "probe.ask", "data": {}}',
            '{"type": "command", "id": "' + str(uuid.uuid4()) + '", "name": "\\ud800", "data": {}}',
            '{"type": "command", "id": "' + str(uuid.uuid4()) + '", "name": "note.set", "data": {"\\ud800": 1}}',
            '{"type": "command", "id": "' + str(uuid.uuid4()) + '", "name": "note.set", "\\ud800": 1}',
        ):
            await socket.send(text)
            assert (await lead.until("refused"))["code"] in {"bad_field", "unknown_command"}
        assert (await lead.do("probe.ask", {"probe": "data-parallel/root"}))["type"] == "ack"


@contextmanager
def database_away(name: str) -> Iterator[None]:
    """Let nobody connect to the test database, and end the connections of the process that is called "away"."""
    with (
        psycopg.connect(os.environ["DATABASE_OWNER_URL"], autocommit=True) as elsewhere,
        psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as application,
    ):
        elsewhere.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS false')
        try:
            application.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s AND application_name = %s",
                [name, "away"],
            )
            yield
        finally:
            elsewhere.execute(f'ALTER DATABASE "{name}" ALLOW_CONNECTIONS true')


@pytest.mark.long
async def test_without_the_database_the_line_stays_and_a_mark_waits(live: Scene) -> None:
    name = str(connection.settings_dict["NAME"])
    env = process_environment(name, PGAPPNAME="away")
    bo = await sync_to_async(session_of)(live.cast.bo)
    ana = await sync_to_async(session_of)(live.cast.ana)
    with running_web(env) as web:
        async with dial(web, live.interview, ana) as a, dial(web, live.interview, bo) as b:
            lead, second = Wire(a), Wire(b)
            asked = await lead.send("probe.ask", {"probe": "data-parallel/root"})
            await second.until("event", name="probe.ask")
            mark = {"asked": asked, "outcome": "partial", "version": 0}
            command = str(uuid.uuid4())
            with database_away(name):
                answer = await second.do("mark.set", mark, id=command)
                assert (answer["type"], answer["code"]) == ("refused", "retry_later")
                assert answer["after"] > 0
                await second.pong()
            while (answer := await second.do("mark.set", mark, id=command))["type"] == "refused":
                assert answer["code"] == "retry_later"
                await asyncio.sleep(answer["after"])  # what the server asked for
            assert answer["version"] == 1
            await lead.do("interview.end")
            await second.until("event", name="interview.end", stream="panel")
    assert (await Mark.objects.written_by(live.bo).aget()).outcome == "partial"


async def test_who_comes_while_the_database_is_away_is_asked_to_come_again(live: Scene) -> None:
    name = str(connection.settings_dict["NAME"])
    ana = await sync_to_async(session_of)(live.cast.ana)
    with running_web(process_environment(name, PGAPPNAME="away")) as web:
        async with dial(web, live.interview, ana) as socket:
            assert (await Wire(socket).next())["type"] == "welcome"
        with database_away(name):
            async with dial(web, live.interview, ana) as socket:
                assert await Wire(socket).closed() == 1011
        async with dial(web, live.interview, ana) as socket:
            while (await Wire(socket).next())["type"] != "welcome":
                pass


async def test_without_the_bus_the_other_process_still_hears_within_seconds(live: Scene) -> None:
    """Two processes, no bus between them: heads are compared with the table every second."""
    name = str(connection.settings_dict["NAME"])
    env = process_environment(name, REDIS_URL="redis://127.0.0.1:1/0")
    ana, bo = await sync_to_async(session_of)(live.cast.ana), await sync_to_async(session_of)(live.cast.bo)
    with running_web(env) as one, running_web(env) as other:
        async with dial(one, live.interview, ana) as a, dial(other, live.interview, bo) as b:
            lead, second = Wire(a), Wire(b)
            asked = await lead.send("probe.ask", {"probe": "data-parallel/root"})
            await lead.until("ack", id=asked)
            heard = await second.until("event", name="probe.ask")
            assert heard["data"]["asked"] == asked


async def test_any_cookie_of_another_site_on_this_host_is_no_hindrance(web: Web, live: Scene) -> None:
    ana = await sync_to_async(session_of)(live.cast.ana)
    for foreign in ("a@b=1", "foo/bar=1", "a,b=2", "x{y}=3", "="):
        async with dial(web, live.interview, f"{ana}; {foreign}") as socket:
            assert (await Wire(socket).next())["type"] == "welcome"
