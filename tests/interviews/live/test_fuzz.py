"""Whatever a socket is told, it answers by the table or closes by it; nothing breaks, nothing grows, nothing is written
that was not acknowledged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest
from asgiref.sync import sync_to_async
from django.db import connection

from interviews.enums import InterviewStatus
from interviews.models import Command, Event
from interviews.services.refusal import Code
from tests.cast import Cast
from tests.interviews.live.fuzzing import Fuzz, Known, is_pong
from tests.support.factories import Scene, make_link, make_scene
from tests.support.servers import process_environment
from tests.support.web import Web, Wire, dial, running_web, session_of, session_of_candidate

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("async_connections")]

PER_SOCKET = 150  # below what a socket may say at once
GROWTH = 48 * 1024 * 1024  # bytes the process may grow by after it is warm: rings fill, and no frame is kept
CLOSES = {1009}


@pytest.fixture
def live(transactional_db: None, cast: Cast) -> Scene:
    return make_scene(cast, status=InterviewStatus.LIVE)


@pytest.fixture
def own(live: Scene, tmp_path: Path) -> Iterator[Web]:
    """A web process of this test's, whose log is read afterwards."""
    log = tmp_path / "web.log"
    with running_web(process_environment(connection.settings_dict["NAME"]), log=log) as web:
        yield web
        assert complaints(log) == []


def complaints(log: Path) -> list[str]:
    words = ("Traceback", " ERROR ", " CRITICAL ", "Exception in ASGI", "Logging error", "never retrieved")
    return [line for line in log.read_text(errors="replace").splitlines() if any(word in line for word in words)]


@dataclass
class Tally:
    """What the frames were answered with."""

    codes: Counter[str] = field(default_factory=Counter)
    acked: set[tuple[str, str]] = field(default_factory=set)
    pongs: int = 0
    closed: Counter[int] = field(default_factory=Counter)

    def answer(self, who: str, frame: dict[str, Any]) -> None:
        if frame["type"] == "ack":
            self.codes["ack"] += 1
            self.acked.add((who, frame["id"].lower()))
            return
        assert set(frame) <= {"type", "id", "code", "message", "current", "after"}, frame
        assert frame["code"] in set(Code) - {Code.SERVER_ERROR}, frame
        assert frame["id"] is None or isinstance(frame["id"], str)
        assert frame["message"]
        self.codes[frame["code"]] += 1


async def sessions(scene: Scene) -> dict[str, str]:
    """Every kind of seat, signed in."""
    _token, link = await sync_to_async(make_link)(scene.candidate)
    found = {name: await sync_to_async(session_of)(getattr(scene.cast, name)) for name in ("ana", "bo", "dee", "eli")}
    return {**found, "candidate": await sync_to_async(session_of_candidate)(scene.candidate, link)}


async def known_ids(web: Web, scene: Scene, other: Scene, session: str) -> Known:
    """Ask something here and elsewhere, and say something of it, so that there are ids to forge."""
    known = Known(seats=[str(seat.code) for seat in (*scene.seats, *other.seats)])
    for interview, asked in ((scene.interview, known.asked), (other.interview, known.elsewhere)):
        tree = await sync_to_async(lambda to=interview: to.pinned.first().version.tree.key)()
        async with dial(web, interview, session) as socket:
            lead = Wire(socket)
            for probe in ("root", "l2"):
                asked.append((await lead.do("probe.ask", {"probe": f"{tree}/{probe}"}))["id"])
            detail = {"asked": asked[0], "type": "built", "aid": "unaided", "detail": "A ring."}
            known.commands.append((await lead.do("evidence.add", detail))["id"])
    return known


async def fuzz(web: Web, scene: Scene, who: dict[str, str], frames: Fuzz, count: int, tally: Tally) -> None:
    """Send so many frames, each seat's socket in its turn, and take an answer to each."""
    names = sorted(who)
    for start in range(0, count, PER_SOCKET):
        name = names[start // PER_SOCKET % len(names)]
        async with dial(web, scene.interview, who[name]) as socket:
            wire = Wire(socket)
            for _ in range(min(PER_SOCKET, count - start)):
                frame = frames.frame()
                await socket.send(frame)
                if is_pong(frame):
                    tally.pongs += 1
                    continue
                answer = await wire.next()
                while answer["type"] not in {"ack", "refused"}:
                    answer = await wire.next()
                tally.answer(name, answer)
            wire.frames.clear()


async def check_fuzz(web: Web, scene: Scene, seed: int, count: int) -> None:
    other = await sync_to_async(make_scene)(scene.cast, status=InterviewStatus.LIVE, trees=("elsewhere",))
    who = await sessions(scene)
    known = await known_ids(web, scene, other, who["ana"])
    assert web.process is not None
    process, tally, frames = psutil.Process(web.process.pid), Tally(), Fuzz(seed, known)
    before = await Command.objects.acount()
    events = await Event.objects.filter(cause__isnull=False).values("cause", "seat").distinct().acount()

    await fuzz(web, scene, who, frames, count // 4, tally)
    warm = process.memory_info().rss
    await fuzz(web, scene, who, frames, count - count // 4, tally)

    assert process.memory_info().rss - warm < GROWTH
    assert tally.codes.total() + tally.pongs == count
    assert set(tally.codes) >= {"ack", "bad_field", "unknown_command", "no_right", "not_asked", "stale", "too_large"}
    # Written is what was acknowledged, and nothing else.
    assert await Command.objects.acount() - before == len(tally.acked)
    causes = await Event.objects.filter(cause__isnull=False).values("cause", "seat").distinct().acount()
    assert causes - events == len(tally.acked)
    assert await Event.objects.filter(room=other.interview.room_id).acount() == 3


async def test_frames_that_no_page_sends_break_nothing(own: Web, live: Scene) -> None:
    await check_fuzz(own, live, seed=1, count=2_000)


@pytest.mark.slow
@pytest.mark.timeout(3600)
async def test_a_hundred_thousand_frames_that_no_page_sends_break_nothing(own: Web, live: Scene) -> None:
    await check_fuzz(own, live, seed=2, count=100_000)
