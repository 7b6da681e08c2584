"""Who is in the room, told without tells: who has a line and nothing else, at most once a second."""

from __future__ import annotations

import asyncio
import json
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
import time_machine
from asgiref.sync import sync_to_async
from django.utils import timezone
from websockets.asyncio.client import ClientConnection

from interviews.enums import InterviewStatus
from interviews.models import Attendance, Interview, Seat
from interviews.queries.standing import HERE
from interviews.services.refusal import Refusal
from tests.cast import Cast
from tests.house.acting import do
from tests.support.factories import Scene, make_scene
from tests.support.web import Web, Wire, dial, session_of

pytestmark = pytest.mark.db


@pytest.fixture
def live(transactional_db: None, cast: Cast) -> Scene:
    scene = make_scene(cast, status=InterviewStatus.LIVE)
    scene.position.chat = True
    scene.position.save()
    return scene


class Listener:
    """A socket that keeps the presence frames it hears."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.presence: list[dict[str, Any]] = []

    async def until(self, reached: Any) -> None:
        while True:
            async with asyncio.timeout(15):
                frame = json.loads(await self.socket.recv())
            if frame["type"] == "ping":
                await self.socket.send(json.dumps({"type": "pong", "heads": {}, "outbox": 0, "device": "listens"}))
            if frame["type"] == "presence":
                self.presence.append(frame)
            if reached(frame):
                return

    async def until_here(self, *seats: Seat) -> None:
        wanted = {str(seat.code) for seat in seats}
        await self.until(
            lambda frame: (
                frame["type"] == "presence" and {one["seat"] for one in frame["seats"] if one["here"]} == wanted
            )
        )


@pytest.mark.usefixtures("async_connections")
async def test_presence_tells_who_has_a_line_and_nothing_that_anybody_does(web: Web, live: Scene) -> None:
    ana, bo, eli = [await sync_to_async(session_of)(person) for person in (live.cast.ana, live.cast.bo, live.cast.eli)]
    async with (
        dial(web, live.interview, ana) as a,
        dial(web, live.interview, bo) as b,
        dial(web, live.interview, eli) as e,
    ):
        lead, second, observer = Wire(a), Wire(b, outbox=7, device="bo-types"), Listener(e)
        await observer.until_here(live.ana, live.bo, live.eli)
        before = observer.presence[-1]["seats"]
        asked = await lead.send("probe.ask", {"probe": "data-parallel/root"})
        await second.until("event", name="probe.ask")
        await second.pong()
        await second.do("mark.set", {"asked": asked, "outcome": "recited", "version": 0})
        await second.do("note.set", {"asked": asked, "text": "Typing", "version": 0})
        await second.pong()
        async with dial(web, live.interview, bo) as again:  # makes presence be told anew
            await Wire(again).next()
        heard = len(observer.presence)
        await observer.until(lambda frame: frame["type"] == "presence" and len(observer.presence) > heard)
        await lead.do("interview.pause")
        await observer.until(lambda frame: frame.get("name") == "interview.pause")

    for frame in observer.presence:
        assert set(frame) == {"type", "at", "seats"}
        assert {frozenset(one) for one in frame["seats"]} == {frozenset({"seat", "role", "here"})}
        assert {type(one["here"]) for one in frame["seats"]} == {bool}
    assert observer.presence[-1]["seats"] == before


@pytest.mark.usefixtures("async_connections")
async def test_presence_is_told_at_most_once_a_second(web: Web, live: Scene) -> None:
    eli, dee = [await sync_to_async(session_of)(person) for person in (live.cast.eli, live.cast.dee)]
    async with dial(web, live.interview, eli) as e:
        observer = Listener(e)
        await observer.until_here(live.eli)
        for _ in range(6):
            async with dial(web, live.interview, dee) as coming_and_going:
                await Wire(coming_and_going).next()
        async with dial(web, live.interview, dee) as staying:
            await Wire(staying).next()
            await observer.until_here(live.eli, live.dee)
        await observer.until_here(live.eli)

    told = [datetime.fromisoformat(frame["at"]) for frame in observer.presence]
    assert min(later - sooner for sooner, later in pairwise(told)) >= timedelta(seconds=0.9)


# --- a lost lead ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "taken"),
    [
        ({"seen": 1, "ended": None}, False),
        ({"seen": 59, "ended": 59}, False),
        ({"seen": 61, "ended": 61}, True),
        ({"seen": 61, "ended": None}, True),  # the process that held the line died, and nobody wrote down its end
    ],
    ids=["here", "away for less than a minute", "away for a minute", "silent for a minute"],
)
def test_the_lead_is_taken_from_who_had_no_line_for_a_minute(live: Scene, line: dict[str, Any], taken: bool) -> None:
    now = timezone.now()
    Interview.objects.filter(pk=live.interview.pk).update(started_at=now - timedelta(hours=1))
    ago = {name: now - timedelta(seconds=seconds) if seconds else None for name, seconds in line.items()}
    Attendance.objects.create(seat=live.ana, seen_at=ago["seen"], ended_at=ago["ended"])

    with time_machine.travel(now, tick=False):  # or a second of the machine's would be one of the lead's
        if not taken:
            with pytest.raises(Refusal, match="away for 60 seconds"):
                do(live.bo, "lead.take")
        else:
            do(live.bo, "lead.take")

    assert Seat.objects.get(interview=live.interview, role="lead") == (live.bo if taken else live.ana)


def test_one_line_of_the_lead_is_enough(live: Scene) -> None:
    now = timezone.now()
    for seconds in (300, 5):
        Attendance.objects.create(seat=live.ana, seen_at=now - timedelta(seconds=seconds))

    with pytest.raises(Refusal):
        do(live.bo, "lead.take")


@pytest.mark.usefixtures("async_connections")
async def test_who_vanishes_without_a_word_is_told_away(web: Web, live: Scene) -> None:
    """A process that is killed leaves its lines open in the table, and its people may come back to no other."""
    eli = await sync_to_async(session_of)(live.cast.eli)
    left = await Attendance.objects.acreate(seat=live.ana, seen_at=timezone.now())
    async with dial(web, live.interview, eli) as e:
        observer = Listener(e)
        await observer.until_here(live.ana, live.eli)
        silent = timezone.now() - HERE - timedelta(seconds=1)
        await Attendance.objects.filter(pk=left.pk).aupdate(seen_at=silent)
        await observer.until_here(live.eli)
    left.ended_at = silent
    await left.asave()
