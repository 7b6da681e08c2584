"""Two devices of one seat: who is told what of the other, and that each compares itself at the end."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from interviews.enums import InterviewStatus
from interviews.models import Attendance, Interview
from tests.cast import Cast
from tests.support.factories import Scene, make_scene
from tests.support.web import Web, Wire, dial, session_of

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("async_connections")]


@pytest.fixture
def live(transactional_db: None, cast: Cast) -> Scene:
    return make_scene(cast, status=InterviewStatus.LIVE)


async def named(wire: Wire, device: str, browser: str) -> None:
    """Give the line its device's name, as a pong does, and its browser's, as the handshake would."""
    wire.device = device
    await wire.next()
    await wire.pong()
    for _ in range(500):
        if await Attendance.objects.filter(device=device).aupdate(browser=browser):
            return
        await asyncio.sleep(0.02)  # between looks
    raise AssertionError(f"{device} was never written down")


async def until_closing(wire: Wire) -> dict[str, Any]:
    """Answer pings ever more, as a page does, until the server compares."""
    while True:
        await wire.pong()
        try:
            async with asyncio.timeout(0.3):
                frame = await wire.next()
        except TimeoutError:
            continue
        if frame["type"] == "closing":
            return frame


async def ask(wire: Wire) -> str:
    ack = await wire.do("probe.ask", {"probe": "data-parallel/root"})
    return str(ack["id"])


@pytest.mark.parametrize(
    ("name", "first", "second"),
    [
        ("mark.set", {"outcome": "partial"}, {"outcome": "recited"}),
        ("note.set", {"text": "Calm"}, {"text": "Slow"}),
    ],
)
async def test_stale_write_is_told_since_when_and_which_devices_had_a_line(
    web: Web, live: Scene, name: str, first: dict[str, Any], second: dict[str, Any]
) -> None:
    session = await sync_to_async(session_of)(live.cast.ana)
    async with dial(web, live.interview, session) as a, dial(web, live.interview, session) as b:
        laptop, phone = Wire(a), Wire(b)
        await named(laptop, "laptop", "Chrome, Linux")
        await named(phone, "phone", "Firefox, Android")
        asked = await ask(laptop)
        await phone.do(name, {"asked": asked, **first, "version": 0})

        refused = await laptop.do(name, {"asked": asked, **second, "version": 0})

        assert refused["code"] == "stale"
        current = refused["current"]
        assert current.items() >= {"asked": asked, **first, "version": 1}.items()
        assert current["made_at"].endswith("Z")
        assert sorted(current["devices"], key=lambda one: str(one["device"])) == [
            {"device": "laptop", "browser": "Chrome, Linux"},
            {"device": "phone", "browser": "Firefox, Android"},
        ]


async def test_each_device_compares_itself_and_again_after_reopening(web: Web, live: Scene) -> None:
    session = await sync_to_async(session_of)(live.cast.ana)
    async with dial(web, live.interview, session) as a, dial(web, live.interview, session) as b:
        laptop, phone = Wire(a), Wire(b)
        asked = await ask(laptop)
        await phone.do("mark.set", {"asked": asked, "outcome": "partial", "version": 0})
        phone.outbox = 1
        await laptop.do("interview.end")

        counts = {"marks": 1, "evidence": 0, "reasons": 0, "notes": 0, "boundaries": 0}
        assert await until_closing(laptop) == {"type": "closing", "mine": 1, "counts": counts}
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(2):
                await until_closing(phone)  # it still keeps something
        phone.outbox = 0
        assert (await until_closing(phone))["counts"] == counts

        await Interview.objects.filter(pk=live.interview.pk).aupdate(status=InterviewStatus.LIVE, ended_at=None)
        await asyncio.sleep(1.5)  # the hub looks at every standing once a second
        await laptop.do("mark.set", {"asked": asked, "aid": "hinted", "version": 1})
        await Interview.objects.filter(pk=live.interview.pk).aupdate(
            status=InterviewStatus.ENDED, ended_at=timezone.now()
        )
        for wire in (laptop, phone):
            assert (await until_closing(wire))["mine"] == 2
