"""What a debrief's pages hear: who did it, by which command, and the regions as they now are."""

from __future__ import annotations

import uuid

import pytest

from interviews import log
from scoring.live.debrief_room import draw_all
from tests.cast import Cast
from tests.support.debriefs import Talk, all_in

pytestmark = pytest.mark.db


def test_a_frame_says_who_and_why_and_repaints_once_in_a_burst(cast: Cast) -> None:
    talk = Talk(all_in(cast))
    talk.to("discussing")
    first, second = uuid.uuid4(), uuid.uuid4()
    talk.do("bo", "note.post", command=first, text="One <b>bold</b>")
    talk.do("ana", "note.post", command=second, text="Two")
    events = log.since(talk.debrief.room_id, {"panel": 3})

    frames = draw_all(events, "en")

    assert [(frame["by"], frame["cause"], frame["data"]) for frame in frames] == [
        (str(talk.seats["bo"].code), str(first), {"note": str(first)}),
        (str(talk.seats["ana"].code), str(second), {"note": str(second)}),
    ]
    assert frames[0]["html"] == ""
    assert "One &lt;b&gt;bold&lt;/b&gt;" in frames[1]["html"]
    assert "Two" in frames[1]["html"]
