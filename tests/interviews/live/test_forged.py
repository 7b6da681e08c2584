"""Ids that belong to somebody else, orders that can't be, and frames said again by others: refused, logged once, and
nothing is changed by them."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.apps import apps

from interviews.enums import InterviewStatus
from interviews.models import Attendance, Room, Stream
from tests.cast import Cast
from tests.support.factories import Scene, make_link, make_scene
from tests.support.web import Web, Wire, dial, session_of, session_of_candidate

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("async_connections")]

Case = tuple[str, str, dict[str, Any], str]  # who, command, data, code


@pytest.fixture
def live(transactional_db: None, cast: Cast) -> Scene:
    return make_scene(cast, status=InterviewStatus.LIVE)


@pytest.fixture
def other(live: Scene) -> Scene:
    """Another interview with the same people and other trees."""
    return make_scene(live.cast, status=InterviewStatus.LIVE, trees=("elsewhere",))


@pytest.fixture
def own(logged_web: Web, other: Scene) -> Web:
    return logged_web


def everything() -> dict[str, int]:
    """How many rows each table of the room has, and where its streams stand."""
    models = [model for model in apps.get_app_config("interviews").get_models() if model is not Attendance]
    heads = {f"{stream.room_id} {stream.name}": stream.head for stream in Stream.objects.all()}
    return {**{model.__name__: model._base_manager.count() for model in models}, **heads}  # type: ignore[attr-defined]


async def prepare(web: Web, live: Scene, other: Scene, who: dict[str, str]) -> dict[str, str]:
    """Ask and say something here and elsewhere; return the ids by what they are."""
    ids: dict[str, str] = {}
    rooms = (("here", live, "data-parallel/root"), ("elsewhere", other, "elsewhere/root"))
    for name, scene, probe in rooms:
        async with dial(web, scene.interview, who["ana"]) as socket:
            lead = Wire(socket)
            ids[f"asked {name}"] = (await lead.do("probe.ask", {"probe": probe}))["id"]
            said = {"asked": ids[f"asked {name}"], "type": "built", "aid": "unaided", "detail": "A ring."}
            ids[f"evidence {name}"] = (await lead.do("evidence.add", said))["id"]
            said = {"asked": ids[f"asked {name}"], "type": "choice", "aid": "unaided", "detail": "Gloo."}
            ids[f"reason {name}"] = (await lead.do("reason.add", said))["id"]
            await lead.do("mark.set", {"asked": ids[f"asked {name}"], "outcome": "partial", "version": 0})
    return ids


def forged(ids: dict[str, str], live: Scene, other: Scene) -> list[Case]:
    here, away = ids["asked here"], ids["asked elsewhere"]
    text = {"type": "built", "aid": "unaided", "detail": "A ring."}
    stranger, candidate = str(other.bo.code), str(live.candidate.code)
    return [
        # of another interview
        ("ana", "mark.set", {"asked": away, "outcome": "partial", "version": 0}, "not_asked"),
        ("bo", "mark.set", {"asked": away, "outcome": "partial", "version": 0}, "not_asked"),
        ("bo", "note.set", {"asked": away, "text": "x", "version": 0}, "not_asked"),
        ("bo", "evidence.add", {"asked": away, **text}, "not_asked"),
        ("ana", "evidence.edit", {"evidence": ids["evidence elsewhere"], "detail": "x", "version": 1}, "bad_field"),
        ("ana", "probe.retract", {"asked": away}, "not_asked"),
        ("ana", "prompt.share", {"asked": away}, "not_asked"),
        ("ana", "probe.ask", {"probe": "elsewhere/root"}, "bad_field"),
        ("bo", "boundary.set", {"tree": "elsewhere", "ended": "moved_on", "version": 0}, "bad_field"),
        ("ana", "lead.hand_over", {"seat": stranger}, "bad_field"),
        # of another seat
        ("bo", "evidence.edit", {"evidence": ids["evidence here"], "detail": "x", "version": 1}, "bad_field"),
        ("bo", "evidence.remove", {"evidence": ids["evidence here"], "version": 1}, "bad_field"),
        ("bo", "reason.remove", {"reason": ids["reason here"], "version": 1}, "bad_field"),
        ("ana", "reason.edit", {"reason": ids["evidence here"], "detail": "x", "version": 1}, "bad_field"),
        ("ana", "lead.hand_over", {"seat": candidate}, "bad_field"),
        ("bo", "lead.hand_over", {"seat": str(live.bo.code)}, "not_lead"),
        ("dee", "probe.ask", {"probe": "data-parallel/root"}, "no_right"),
        ("eli", "mark.set", {"asked": here, "outcome": "partial", "version": 0}, "no_right"),
        ("candidate", "mark.set", {"asked": here, "outcome": "sustained", "version": 0}, "no_right"),
        ("candidate", "candidate.admit", {}, "no_right"),
        ("candidate", "interview.end", {}, "no_right"),
        # in an order that can't be
        ("bo", "mark.set", {"asked": here, "outcome": "partial", "version": 7}, "stale"),
        ("bo", "mark.set", {"asked": str(uuid.uuid4()), "outcome": "partial", "version": 0}, "not_asked"),
        ("bo", "evidence.edit", {"evidence": str(uuid.uuid4()), "detail": "x", "version": 1}, "bad_field"),
        ("bo", "boundary.set", {"tree": "zero-stages", "ended": "moved_on", "version": 0}, "not_asked"),
        ("ana", "interview.start", {}, "not_live"),
        ("ana", "interview.resume", {}, "not_live"),
        ("ana", "lead.take", {}, "no_right"),
    ]


async def sessions(scene: Scene) -> dict[str, str]:
    _token, link = await sync_to_async(make_link)(scene.candidate)
    found = {name: await sync_to_async(session_of)(getattr(scene.cast, name)) for name in ("ana", "bo", "dee", "eli")}
    return {**found, "candidate": await sync_to_async(session_of_candidate)(scene.candidate, link)}


async def test_forged_ids_and_impossible_orders_are_refused_logged_once_and_change_nothing(
    own: Web, live: Scene, other: Scene
) -> None:
    who = await sessions(live)
    ids = await prepare(own, live, other, who)
    before = await sync_to_async(everything)()
    sent: dict[str, Case] = {}
    for name in who:
        async with dial(own, live.interview, who[name]) as socket:
            wire = Wire(socket)
            for case in forged(ids, live, other):
                if case[0] == name:
                    answer = await wire.do(case[1], case[2])
                    assert (answer["type"], answer.get("code")) == ("refused", case[3]), (case, answer)
                    sent[answer["id"]] = case

    assert await sync_to_async(everything)() == before
    assert own.log is not None
    lines = [line for line in own.log.read_text().splitlines() if "refused" in line]
    for id, case in sent.items():
        assert [case[3] in line for line in lines if id in line] == [True], case


async def test_another_seats_frames_said_again_do_nothing_to_it(own: Web, live: Scene, other: Scene) -> None:
    """Who copies somebody's frames, ids and all, speaks for himself: what exists is not his, and stays as it is."""
    who = await sessions(live)
    ids = await prepare(own, live, other, who)
    said = {"asked": ids["asked here"], "type": "built", "aid": "unaided", "detail": "A ring."}
    before = await sync_to_async(everything)()
    async with dial(own, live.interview, who["ana"]) as a, dial(own, live.interview, who["bo"]) as b:
        lead, second = Wire(a), Wire(b)
        # Her own frame again is answered as it was, and his copy of it makes nothing.
        first = await lead.do("evidence.add", said, id=ids["evidence here"])
        assert (first["type"], first["version"]) == ("ack", 1)
        again = await second.do("evidence.add", said, id=ids["evidence here"])
        assert (again["type"], again["code"]) == ("refused", "id_reused")
        # Nor does her id with other words, or as another command.
        for name, data in (
            ("evidence.add", {**said, "detail": "A tree."}),
            ("probe.ask", {"probe": "data-parallel/l2"}),
            ("interview.pause", {}),
        ):
            answer = await lead.do(name, data, id=ids["evidence here"])
            assert (answer["type"], answer["code"]) == ("refused", "id_reused")
        answer = await second.do("probe.ask", {"probe": "data-parallel/root"}, id=ids["asked here"])
        assert answer["code"] == "not_lead"
    assert await sync_to_async(everything)() == before


async def test_a_seat_opens_no_other_room_and_no_other_seat(own: Web, live: Scene, other: Scene) -> None:
    who = await sessions(live)
    rooms = await Room.objects.acount()
    for interview, session, query, code in (
        (other.interview, who["candidate"], "v=1", 4403),  # the link of one room, at another
        (live.interview, who["bo"], "v=1&as=candidate", 4403),  # a person's session, at the candidate's seat
        # Ana's page, left open, under the session of who signed in after her.
        (live.interview, who["bo"], f"v=1&seat={live.ana.code}", 4403),
        (live.interview, who["bo"], "v=1&seat=", 4403),
        (live.interview, f"{who['candidate']}x", "v=1", 4401),
        (live.interview, who["bo"], "v=1&mine=-1", 4400),
        (live.interview, who["bo"], "v=1&panel=" + "9" * 400, 4400),
        (live.interview, who["bo"], "v=1&v=2", 4400),
        (live.interview, who["bo"], "%ff=%00&v=%31%00", 4400),
        (str(uuid.UUID(int=0)), who["bo"], "v=1", 4404),
    ):
        async with dial(own, interview, session, query=query) as socket:
            assert await Wire(socket).closed() == code, query
    assert own.log is not None
    assert "Traceback" not in own.log.read_text()
    assert await Room.objects.acount() == rooms


async def test_bytes_that_are_no_websocket_close_the_line_and_nothing_else(own: Web, live: Scene) -> None:
    """Below JSON: text that is no UTF-8, reserved bits, unmasked frames, control frames that are too long."""
    ana = await sync_to_async(session_of)(live.cast.ana)
    for noise in (
        b"\x81\x84\x00\x00\x00\x00\xff\xfe\xfd\xfc", b"\xf1\x80\x00\x00\x00\x00", b"\x81\x02hi",
        b"\x89\xfe\x01\x00" + b"\x00" * 260, b"\x83\x80\x00\x00\x00\x00", b"\x80\x81\x00\x00\x00\x00x",
        b"\x81\xff" + b"\xff" * 12,
        b"GET / HTTP/1.1\r\n\r\n", b"\x88\x81\x00\x00\x00\x00x",
    ):  # fmt: skip
        async with dial(own, live.interview, ana) as socket:
            wire = Wire(socket)
            assert (await wire.next())["type"] == "welcome"
            socket.transport.write(noise)
            assert await wire.closed() in {1002, 1006, 1007, 1009}, noise
    async with dial(own, live.interview, ana) as socket:
        frame = {
            "type": "command",
            "id": str(uuid.uuid4()),
            "name": "probe.ask",
            "data": {"probe": "data-parallel/root"},
        }
        await socket.send([json.dumps(frame)[:20], json.dumps(frame)[20:]])  # in two fragments: allowed
        assert (await Wire(socket).until("ack"))["id"] == frame["id"]
    assert own.log is not None
    assert "Traceback" not in own.log.read_text()
