"""A room is (kind, code): what the hub and the sockets ask of a kind, another kind may answer differently."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import Any

import pytest

from interviews.live import interview_room, routing
from interviews.live.feeds import RoomFeed
from interviews.live.kinds import KINDS
from interviews.live.rings import Ring
from interviews.models import Event

pytestmark = pytest.mark.unit


def test_every_kind_has_its_address() -> None:
    assert KINDS["interview"].seated is interview_room.seated
    patterns = [str(pattern.pattern) for pattern in routing.websocket_urlpatterns]
    assert patterns == [*(f"ws/{kind.address}/<uuid:code>/" for kind in KINDS.values()), "^"]


async def test_a_room_of_another_kind_is_drawn_by_its_kind_and_each_frame_once() -> None:
    asked = []

    def draw(events: Sequence[Event], language: str) -> list[dict[str, Any]]:
        asked.append((language, [event.seq for event in events]))
        return [{"seq": event.seq, "said": f"{event.name} in {language}"} for event in events]

    feed = RoomFeed(1, dataclasses.replace(KINDS["interview"], draw=draw))
    feed.rings["panel"] = Ring(head=0)
    feed.take([Event(stream="panel", seq=1, name="vote.set"), Event(stream="elsewhere", seq=1, name="vote.set")])
    for language in ("en", "zh-hans", "en"):
        frames = await feed.frames_after("panel", 0, language)
        assert frames == [(1, json.dumps({"seq": 1, "said": f"vote.set in {language}"}))]
    assert asked == [("en", [1]), ("zh-hans", [1])]
    assert await feed.frames_after("panel", 1, "en") == []
