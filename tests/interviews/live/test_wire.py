"""The wire, spoken over real sockets to a real process: what is accepted, what is refused, who hears what."""

from __future__ import annotations

import asyncio
import json
import uuid

import pytest
import websockets
from asgiref.sync import sync_to_async

from interviews.enums import InterviewStatus
from interviews.models import Asked, Attendance, Event, Interview, Mark, Stream
from people.models import Person
from tests.cast import Cast
from tests.support.factories import Scene, make_link, make_scene
from tests.support.web import Web, Wire, dial, session_of, session_of_candidate

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("async_connections")]


@pytest.fixture
def scene(transactional_db: None, cast: Cast) -> Scene:
    return make_scene(cast)


@pytest.fixture
def live(transactional_db: None, cast: Cast) -> Scene:
    return make_scene(cast, status=InterviewStatus.LIVE)


async def sessions(*people: Person) -> list[str]:
    return [await sync_to_async(session_of)(person) for person in people]


async def test_lead_asks_and_everyone_marks_their_own(web: Web, scene: Scene) -> None:
    ana, bo, eli = await sessions(scene.cast.ana, scene.cast.bo, scene.cast.eli)
    async with (
        dial(web, scene.interview, ana) as a,
        dial(web, scene.interview, bo) as b,
        dial(web, scene.interview, eli) as e,
    ):
        lead, second, observer = Wire(a), Wire(b), Wire(e)
        welcome = await lead.next()
        assert welcome["type"] == "welcome"
        assert (welcome["protocol"], welcome["limits"]) == (1, {"frame": 65536, "window": 32})
        assert welcome["seat"] == {"id": str(scene.ana.code), "role": "lead"}
        assert welcome["heads"] == {"all": 0, "panel": 0, "mine": 0}
        assert (await observer.next())["heads"] == {"all": 0, "panel": 0}

        assert (await lead.do("interview.start"))["stream"] == "panel"
        asked = await lead.send("probe.ask", {"probe": "data-parallel/root"})
        assert await lead.until("ack", id=asked) == {"type": "ack", "id": asked, "stream": "panel", "seq": 2}
        heard = await second.until("event", name="probe.ask")
        assert heard["data"] == {"asked": asked, "probe": "data-parallel/root"}
        assert (heard["by"], heard["cause"]) == (str(scene.ana.code), asked)

        mark = {"asked": asked, "outcome": "sustained", "aid": "unaided", "ratings": {"depth": 3}, "version": 0}
        ack = await second.do("mark.set", mark)
        assert (ack["stream"], ack["version"]) == ("mine", 1)
        mine = await second.until("event", name="mark.set")
        assert mine["data"]["outcome"] == "sustained"
        assert mine["stream"] == "mine"
        await lead.do("interview.end")
        for wire in (observer, lead):  # what they hear next is shared, and nothing of Bo's came before it
            await wire.until("event", name="interview.end", stream="panel")
    for wire in (lead, observer):
        assert not [frame for frame in wire.frames if frame.get("stream") == "mine"]
        assert "sustained" not in json.dumps(wire.frames)
    saved = await Mark.objects.written_by(scene.bo).aget()
    assert (saved.outcome, saved.depth, saved.version) == ("sustained", 3, 1)


async def test_streams_are_gapless_and_resume_from_cursors(web: Web, live: Scene) -> None:
    ana = await sync_to_async(session_of)(live.cast.ana)
    async with dial(web, live.interview, ana) as socket:
        lead = Wire(socket)
        for key in ("root", "l2", "l3", "l4"):
            await lead.do("probe.ask", {"probe": f"data-parallel/{key}"})
    async with dial(web, live.interview, ana, query="v=1&epoch=1&all=0&panel=2&mine=0") as socket:
        again = Wire(socket)
        assert (await again.next())["heads"] == {"all": 0, "panel": 4, "mine": 0}
        assert [(await again.next())["seq"] for _ in range(2)] == [3, 4]
    seqs = [event.seq async for event in Event.objects.filter(stream="panel").order_by("seq")]
    assert seqs == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("said", "kept"),
    [("a-laptop", "a-laptop"), (None, ""), (7, ""), ("x" * 65, ""), ("nul \x00", ""), ("half \ud800", "")],
    ids=["name", "none", "no string", "too long", "nul", "half a character"],
)
async def test_a_pong_says_how_many_marks_which_device_holds(web: Web, live: Scene, said: object, kept: str) -> None:
    bo = await sync_to_async(session_of)(live.cast.bo)
    async with dial(web, live.interview, bo) as socket:
        wire = Wire(socket, outbox=2, device=said)
        await wire.pong()
        await wire.next()  # the welcome: by then the line is written down
        for _ in range(200):  # the answers of all pages are written down together, once a second
            row = await Attendance.objects.aget(seat=live.bo)
            if row.unsent:
                break
            await asyncio.sleep(0.05)  # between looks
    assert (row.unsent, row.device) == (2, kept)


async def test_a_repeat_gets_the_first_ack_and_other_content_is_refused(web: Web, live: Scene) -> None:
    ana = await sync_to_async(session_of)(live.cast.ana)
    async with dial(web, live.interview, ana) as socket:
        lead = Wire(socket)
        command = str(uuid.uuid4())
        first = await lead.do("probe.ask", {"probe": "data-parallel/root"}, id=command)
        again = await lead.do("probe.ask", {"probe": "data-parallel/root"}, id=command)
        assert again == first
        other = await lead.do("probe.ask", {"probe": "data-parallel/l2"}, id=command)
        assert other["code"] == "id_reused"
        await lead.do("interview.end")
        late = await lead.do("probe.ask", {"probe": "data-parallel/root"}, id=command)
        assert late == first
    assert await Asked.objects.acount() == 1


@pytest.mark.parametrize(
    ("name", "data", "code"),
    [
        ("mark.sett", {}, "unknown_command"),
        ("mark.set", {"asked": "ASKED", "version": 0, "colour": "red"}, "bad_field"),
        ("mark.set", {"asked": "ASKED"}, "bad_field"),
        ("mark.set", {"asked": "ASKED", "version": 0, "outcome": "great"}, "bad_field"),
        ("mark.set", {"asked": "ASKED", "version": 0, "outcome": ["sustained"]}, "bad_field"),
        ("mark.set", {"asked": "ASKED", "version": True}, "bad_field"),
        ("mark.set", {"asked": "ASKED", "version": -1}, "bad_field"),
        ("mark.set", {"asked": "ASKED", "version": 2**40}, "bad_field"),
        ("mark.set", {"asked": "ASKED", "version": 0, "ratings": {"depth": 5}}, "bad_field"),
        ("mark.set", {"asked": "ASKED", "version": 0, "ratings": {"charm": 2}}, "bad_field"),
        ("mark.set", {"asked": "ASKED", "version": 0, "ratings": {"hands_on": 2}}, "bad_field"),
        ("mark.set", {"asked": "ASKED", "version": 7, "outcome": "partial"}, "stale"),
        ("mark.set", {"asked": str(uuid.UUID(int=7)), "version": 0, "outcome": "partial"}, "not_asked"),
        ("boundary.set", {"tree": "zero-stages", "ended": "wrong", "version": 0}, "not_asked"),
        (
            "boundary.set",
            {"tree": "data-parallel", "probe": "data-parallel/l3", "ended": "wrong", "version": 0},
            "not_asked",
        ),
        ("boundary.set", {"tree": "no-such-tree", "ended": "wrong", "version": 0}, "bad_field"),
        ("note.set", {"text": "x" * 20_001, "version": 0}, "too_large"),
        ("note.set", {"text": "nul \x00", "version": 0}, "bad_field"),
        ("note.set", {"text": "half \ud800", "version": 0}, "bad_field"),
        ("evidence.add", {"asked": "ASKED", "type": "built", "aid": "unaided", "detail": "  "}, "bad_field"),
        ("probe.ask", {"probe": "data-parallel/nothing"}, "bad_field"),
        ("interview.start", {}, "not_live"),
        ("lead.hand_over", {"seat": str(uuid.UUID(int=7))}, "bad_field"),
        ("prompt.share", {}, "bad_field"),
    ],
)
async def test_a_bad_command_is_refused_with_its_code_and_changes_nothing(
    web: Web, live: Scene, name: str, data: dict[str, object], code: str
) -> None:
    ana = await sync_to_async(session_of)(live.cast.ana)
    async with dial(web, live.interview, ana) as socket:
        lead = Wire(socket)
        asked = await lead.send("probe.ask", {"probe": "data-parallel/root"})
        await lead.until("ack", id=asked)
        before = await _state(live.interview)
        answer = await lead.do(name, {key: asked if value == "ASKED" else value for key, value in data.items()})
        assert answer["type"] == "refused"
        assert answer["code"] == code
        assert answer["message"]
        assert await _state(live.interview) == before


async def _state(interview: Interview) -> object:
    heads = [(stream.name, stream.head) async for stream in Stream.objects.order_by("name") if stream.head]
    events = await Event.objects.acount()
    marks = await sync_to_async(Mark.objects.unsealed_for_compiling().count)()
    fresh = await Interview.objects.aget(pk=interview.pk)
    return heads, events, marks, fresh.status, fresh.current_id


async def test_an_observer_and_the_candidate_cannot_mark(web: Web, live: Scene) -> None:
    eli = await sync_to_async(session_of)(live.cast.eli)
    _token, link = await sync_to_async(make_link)(live.candidate)
    kim = await sync_to_async(session_of_candidate)(live.candidate, link)
    for session in (eli, kim):
        async with dial(web, live.interview, session) as socket:
            wire = Wire(socket)
            answer = await wire.do("mark.set", {"asked": str(uuid.uuid4()), "version": 0, "outcome": "partial"})
            assert answer["code"] == "no_right"
            assert (await wire.do("interview.end"))["code"] == "no_right"


async def test_stale_mark_is_answered_with_the_current_one(web: Web, live: Scene) -> None:
    ana = await sync_to_async(session_of)(live.cast.ana)
    async with dial(web, live.interview, ana) as socket:
        lead = Wire(socket)
        asked = await lead.send("probe.ask", {"probe": "data-parallel/root"})
        await lead.until("ack", id=asked)
        assert (await lead.do("mark.set", {"asked": asked, "outcome": "partial", "version": 0}))["version"] == 1
        assert (await lead.do("mark.set", {"asked": asked, "aid": "hinted", "version": 1}))["version"] == 2
        refused = await lead.do("mark.set", {"asked": asked, "outcome": "sustained", "version": 1})
        assert refused["code"] == "stale"
        assert refused["current"]["outcome"] == "partial"
        assert refused["current"]["aid"] == "hinted"
        assert refused["current"]["version"] == 2


async def test_contradicting_ending_is_refused_and_an_agreeing_one_taken(web: Web, live: Scene) -> None:
    ana = await sync_to_async(session_of)(live.cast.ana)
    async with dial(web, live.interview, ana) as socket:
        lead = Wire(socket)
        asked = await lead.send("probe.ask", {"probe": "data-parallel/root"})
        await lead.until("ack", id=asked)
        await lead.do("mark.set", {"asked": asked, "outcome": "sustained", "version": 0})
        said = {"tree": "data-parallel", "probe": "data-parallel/root", "ended": "no_answer", "version": 0}
        assert (await lead.do("boundary.set", said))["code"] == "contradiction"
        await lead.do("mark.set", {"asked": asked, "outcome": "not_sustained", "version": 1})
        assert (await lead.do("boundary.set", said))["version"] == 1


async def test_frames_that_are_too_large_or_no_frames_are_refused_and_the_line_kept(web: Web, live: Scene) -> None:
    ana = await sync_to_async(session_of)(live.cast.ana)
    async with dial(web, live.interview, ana) as socket:
        lead = Wire(socket)
        command = await lead.send("note.set", {"text": "x" * 70_000, "version": 0})
        assert (await lead.until("refused"))["code"] == "too_large"
        assert lead.frames[-1]["id"] == command
        for text in ("no json", "[1]", '"a"', '{"type": "shout"}', '{"type": "command", "id": 5}', "[" * 60_000):
            await socket.send(text)
            assert (await lead.until("refused"))["code"] == "bad_field"
        await socket.send(b"\x00\x01")
        assert (await lead.until("refused"))["code"] == "bad_field"
        assert (await lead.do("probe.ask", {"probe": "data-parallel/root"}))["type"] == "ack"
        await socket.send("y" * 300_000)
        assert await lead.closed() == 1009


async def test_handshake_is_refused_with_the_right_code(web: Web, live: Scene) -> None:
    ana, sam = await sessions(live.cast.ana, live.cast.sam)
    code = str(live.interview.code)
    cases = [
        (dial(web, code, ana, query="v=2"), 4400),
        (dial(web, code, ana, query=""), 4400),
        (dial(web, code, ana, query="v=1&panel=x"), 4400),
        (dial(web, code, None), 4401),
        (dial(web, code, "forged"), 4401),
        (dial(web, code, sam), 4403),
        (dial(web, str(uuid.uuid4()), ana), 4404),
        (dial(web, "not-a-code", ana), 4404),
    ]
    for connection, wanted in cases:
        async with connection as socket:
            assert await Wire(socket).closed() == wanted
    for origin in (
        "http://elsewhere.example",
        f"http://127.0.0.1:{web.port + 1}",
        f"https://127.0.0.1:{web.port}",
        None,
    ):
        with pytest.raises(websockets.InvalidStatus) as refused:
            async with dial(web, code, ana, origin=origin):
                pass
        assert refused.value.response.status_code == 403


async def test_candidate_hears_nothing_before_being_let_in_and_then_what_is_shared(web: Web, live: Scene) -> None:
    ana = await sync_to_async(session_of)(live.cast.ana)
    _token, link = await sync_to_async(make_link)(live.candidate)
    kim = await sync_to_async(session_of_candidate)(live.candidate, link)
    async with dial(web, live.interview, ana) as a, dial(web, live.interview, kim) as k:
        lead, candidate = Wire(a), Wire(k)
        assert (await candidate.next())["heads"] == {}
        asked = await lead.send("probe.ask", {"probe": "data-parallel/root"})
        await lead.until("ack", id=asked)
        await lead.do("mark.set", {"asked": asked, "outcome": "recited", "version": 0})
        await lead.do("prompt.share", {"asked": asked})
        assert (await lead.do("candidate.admit"))["type"] == "ack"
        shared = await candidate.until("event", name="prompt.share")
        assert shared["stream"] == "all"
        await candidate.until("event", name="candidate.admit")
        link.revoked_at = link.issued_at
        await link.asave()
        assert await candidate.closed() == 4403
    assert {frame.get("stream") for frame in candidate.frames if frame["type"] == "event"} == {"all"}
    assert "recited" not in json.dumps(candidate.frames)
    assert "data-parallel/root" not in json.dumps(candidate.frames)


async def test_candidate_hears_nothing_of_what_was_shared_and_withdrawn_before(web: Web, live: Scene) -> None:
    ana = await sync_to_async(session_of)(live.cast.ana)
    _token, link = await sync_to_async(make_link)(live.candidate)
    kim = await sync_to_async(session_of_candidate)(live.candidate, link)
    async with dial(web, live.interview, ana) as a, dial(web, live.interview, kim) as k:
        lead, candidate = Wire(a), Wire(k)
        asked = await lead.send("probe.ask", {"probe": "data-parallel/root"})
        await lead.until("ack", id=asked)
        for shared in ({"text": "Too hard for him"}, {"asked": asked}):
            await lead.do("prompt.share", shared)
            await lead.until("event", name="prompt.share", data=shared)  # drawn, with its words, and kept by the server
        await lead.do("prompt.share", {"text": "Draw it"})
        await lead.do("candidate.admit")
        let_in = await candidate.until("event", name="candidate.admit")
        assert "Draw it" in let_in["html"]  # what is shown now
        await lead.do("interview.pause")
        assert "paused" in (await candidate.until("event", name="interview.pause"))["html"]
    async with dial(web, live.interview, kim, query="v=1&epoch=1&all=0") as k:
        again = Wire(k)
        await again.until("event", name="interview.pause")
    for wire in (candidate, again):
        events = [frame for frame in wire.frames if frame["type"] == "event"]
        assert [event["seq"] for event in events] == [1, 2, 3, 4, 5]
        assert [(event["data"], event["html"]) for event in events[:3]] == [({}, "")] * 3
        assert "Too hard" not in json.dumps(wire.frames)


async def test_lost_seat_closes_the_line_and_refuses_the_next_command(web: Web, live: Scene) -> None:
    bo = await sync_to_async(session_of)(live.cast.bo)
    async with dial(web, live.interview, bo) as socket:
        wire = Wire(socket)
        await wire.next()
        live.bo.removed_at = live.interview.started_at
        await live.bo.asave()
        assert await wire.closed() == 4403


async def test_a_cursor_beyond_the_head_or_another_epoch_gets_a_snapshot(web: Web, live: Scene) -> None:
    ana = await sync_to_async(session_of)(live.cast.ana)
    for query in ("v=1&epoch=1&panel=99", "v=1&epoch=7&panel=0"):
        async with dial(web, live.interview, ana, query=query) as socket:
            wire = Wire(socket)
            assert (await wire.next())["type"] == "welcome"
            snapshot = await wire.next()
            assert snapshot["type"] == "snapshot"
            assert snapshot["epoch"] == 1
            assert snapshot["heads"] == {"all": 0, "panel": 0, "mine": 0}


async def test_closing_tells_each_device_what_is_kept(web: Web, live: Scene) -> None:
    ana = await sync_to_async(session_of)(live.cast.ana)
    async with dial(web, live.interview, ana) as socket:
        lead = Wire(socket)
        asked = await lead.send("probe.ask", {"probe": "data-parallel/root"})
        await lead.until("ack", id=asked)
        await lead.do("mark.set", {"asked": asked, "outcome": "sustained", "version": 0})
        await lead.do("note.set", {"asked": asked, "text": "Named NCCL at once.", "version": 0})
        await lead.do("interview.end")
        closing = await lead.until("closing")
    assert closing["mine"] == 2
    assert closing["counts"] == {"marks": 1, "evidence": 0, "reasons": 0, "notes": 1, "boundaries": 0}
    assert [seat.card_owed for seat in [await live.interview.seats.aget(pk=live.ana.pk)]] == [True]
