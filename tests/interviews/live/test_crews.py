"""Threads that keep their database connection: used again, made anew when it died; away, nobody waits in turn."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest
from django.db import OperationalError, connection, connections

from interviews.live import crews
from interviews.live.crews import Crew

pytestmark = pytest.mark.db


@pytest.fixture
async def crew(transactional_db: None) -> Iterator[Crew]:  # type: ignore[misc]
    one = Crew("test", 1)
    yield one  # type: ignore[misc]
    await one.do(connections.close_all)


def backend() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return int(cursor.fetchone()[0])


def end_own_backend() -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")


async def test_a_thread_keeps_its_connection(crew: Crew) -> None:
    assert len({await crew.do(backend) for _ in range(3)}) == 1


async def test_work_on_a_connection_that_died_is_done_again_on_a_fresh_one(crew: Crew) -> None:
    first = await crew.do(backend)

    def kill_then_ask() -> int:
        tries.append(None)
        if len(tries) == 1:
            end_own_backend()
        return backend()

    tries: list[None] = []
    assert await crew.do(kill_then_ask) != first
    assert len(tries) == 2


async def test_an_answer_of_the_database_that_is_an_error_leaves_the_thread_usable(crew: Crew) -> None:
    first = await crew.do(backend)

    def refuse() -> None:
        raise ValueError("not the connection's fault")

    with pytest.raises(ValueError, match="fault"):
        await crew.do(refuse)
    assert await crew.do(backend) == first


async def test_while_the_database_is_away_nobody_waits_for_it_in_turn(
    crew: Crew, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crews, "AWAY", 60.0)  # longer than five tries take anywhere
    await crew.do(connections.close_all)
    tries: list[float] = []

    def never() -> None:
        tries.append(time.monotonic())
        raise OperationalError("no answer")

    for _ in range(5):
        with pytest.raises(OperationalError):
            await crew.do(never)
    assert len(tries) == 1
    crew._away_until = 0.0
    assert await crew.do(backend)
