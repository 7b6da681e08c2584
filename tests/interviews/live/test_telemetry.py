"""What rooms log and count: every command once, with its ids, and no word that anybody wrote."""

from __future__ import annotations

import json
import logging
import time
import urllib.request
import uuid
from dataclasses import dataclass, field
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from interviews.live import telemetry
from interviews.live.handshake import Welcome
from interviews.log import Ack
from interviews.queries.standing import Standing
from interviews.services.refusal import Code
from tests.cast import make_cast
from tests.support.factories import Scene, make_scene
from tests.support.servers import process_environment
from tests.support.web import Wire, dial, running_web, session_of

WORDS = "canary in a refused command"


# --- one process ------------------------------------------------------------------------------------------------------


@dataclass
class Line:
    """A socket as telemetry sees one."""

    frame: object
    welcome: Welcome = field(init=False)
    standing: Standing = field(init=False)
    heard: telemetry.Heard = field(init=False)

    def __post_init__(self) -> None:
        self.standing = Standing(seat=7, code="seat-7", role="lead", room=3, streams={}, browser=None, over=False)
        self.welcome = Welcome(uuid.UUID(int=1), self.standing, "en", None, None, None, {})
        self.heard = telemetry.Heard(self.frame)


def value(metric: str, /, **labels: str) -> float:
    return REGISTRY.get_sample_value(metric, labels) or 0.0


@pytest.mark.unit
def test_refusal_is_logged_once_with_ids_and_without_words(caplog: pytest.LogCaptureFixture) -> None:
    command = str(uuid.uuid4())
    line = Line({"type": "command", "id": command, "name": "note.set", "data": {"text": WORDS}, "age": 20})

    with caplog.at_level(logging.INFO, logger="sounding.commands"):
        telemetry.refused(line, Code.STALE)

    (record,) = caplog.records
    told = (vars(record)["interview"], vars(record)["seat"], vars(record)["command"], vars(record)["code"])
    assert told == (str(uuid.UUID(int=1)), "seat-7", command, "stale")
    assert WORDS not in record.getMessage() + str(vars(record))


@pytest.mark.unit
@pytest.mark.parametrize(
    "frame", [None, [], "x", {"id": WORDS, "name": WORDS}, {"id": 5, "name": 5, "age": True}, {"id": {}, "age": -1}]
)
def test_frames_that_are_no_commands_are_counted_and_named_by_nothing_of_theirs(
    frame: object, caplog: pytest.LogCaptureFixture
) -> None:
    before = value("sounding_commands_total", name="unknown", answer="bad_field")

    with caplog.at_level(logging.INFO, logger="sounding.commands"):
        telemetry.refused(Line(frame), Code.BAD_FIELD)

    assert value("sounding_commands_total", name="unknown", answer="bad_field") == before + 1
    assert WORDS not in caplog.text
    assert [vars(record)["command"] for record in caplog.records] == [""]


@pytest.mark.unit
def test_of_a_flood_every_frame_is_counted_and_only_the_first_told(caplog: pytest.LogCaptureFixture) -> None:
    before = value("sounding_commands_total", name="unknown", answer="retry_later")

    with caplog.at_level(logging.INFO, logger="sounding.commands"):
        for number in range(3):
            telemetry.refused(Line({}), Code.RETRY_LATER, told=number == 0)

    assert len(caplog.records) == 1
    assert value("sounding_commands_total", name="unknown", answer="retry_later") == before + 3


@pytest.mark.unit
def test_acceptance_says_stream_and_seq_when_asked_to(caplog: pytest.LogCaptureFixture) -> None:
    line = Line({"id": str(uuid.uuid4()), "name": "mark.set", "age": 1500})
    before = value("sounding_commands_total", name="mark.set", answer="ack")

    with caplog.at_level(logging.INFO, logger="sounding.commands"):
        telemetry.accepted(line, Ack("mine:seat-7", 12, 3))
    with caplog.at_level(logging.DEBUG, logger="sounding.commands"):
        telemetry.accepted(line, Ack("mine:seat-7", 13, 4))

    assert [(vars(one)["stream"], vars(one)["seq"], vars(one)["did"]) for one in caplog.records] == [
        ("mine", 13, "mark.set")
    ]
    assert value("sounding_commands_total", name="mark.set", answer="ack") == before + 2


@pytest.mark.unit
def test_oldest_command_of_the_last_minute_is_told() -> None:
    telemetry.accepted(Line({"id": "", "name": "mark.set", "age": 90_000}), Ack("mine:seat-7", 1))

    telemetry.refresh()

    assert value("sounding_outbox_age_seconds") >= 90


@pytest.mark.unit
def test_fan_out_is_measured_from_commit_to_socket_and_only_for_what_was_committed_here() -> None:
    before = value("sounding_fan_out_seconds_count")
    telemetry.committed({"room": -1, "heads": {"panel": 4}})
    telemetry.committed({"room": -1, "rights": True})

    telemetry.sent(-1, "panel", 4)
    telemetry.sent(-1, "panel", 4)  # to another socket
    telemetry.sent(-1, "panel", 3)

    assert value("sounding_fan_out_seconds_count") == before + 2


# --- a real one -------------------------------------------------------------------------------------------------------


@pytest.fixture
def scene(transactional_db: None) -> Scene:
    return make_scene(make_cast())


@pytest.mark.db
async def test_a_web_process_tells_what_its_rooms_did(
    scene: Scene, async_connections: None, capfd: pytest.CaptureFixture[str]
) -> None:
    env = process_environment(connection.settings_dict["NAME"]) | {"METRICS": "1", "LOG_FORMAT": "json"}
    ana, eli = await sync_to_async(lambda: (session_of(scene.cast.ana), session_of(scene.cast.eli)))()
    with running_web(env) as web:
        async with dial(web, scene.interview, ana) as socket, dial(web, scene.interview, eli) as other:
            lead, listener = Wire(socket), Wire(other)
            await lead.until("welcome")
            await listener.until("welcome")
            begun = await lead.do("interview.start", age=2000)
            again = await lead.do("interview.start")
            await listener.until("event", stream="panel", seq=begun["seq"])
            numbers = await sync_to_async(read_metrics)(web.url)
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines() if line.startswith("{")]

    assert numbers["sounding_sockets", ()] == 2
    assert numbers["sounding_rooms", ()] == 1
    assert numbers["sounding_commands_total", ("ack", "interview.start")] == 1
    assert numbers["sounding_commands_total", ("not_live", "interview.start")] == 1
    assert numbers["sounding_ack_seconds_count", ()] == 2
    assert numbers["sounding_fan_out_seconds_count", ()] >= 3  # two streams to the lead, and to who listens
    assert numbers["sounding_outbox_age_seconds", ()] == 2
    told = [line for line in lines if line["logger"] == "sounding.commands"]
    assert [(line["did"], line["command"], line.get("seq"), line.get("code")) for line in told] == [
        ("interview.start", begun["id"], begun["seq"], None),
        ("interview.start", again["id"], None, "not_live"),
    ]
    assert {line["interview"] for line in told} == {str(scene.interview.code)}


def read_metrics(url: str) -> dict[tuple[str, Any], float]:
    """{(name, the labels' values in order of their names): value}; the last frame may still be about to be counted."""
    deadline = time.monotonic() + 20
    while True:
        with urllib.request.urlopen(f"{url}/metrics", timeout=10) as answer:  # noqa: S310 - our own server
            text = answer.read().decode()
        numbers = {
            (sample.name, tuple(sample.labels[name] for name in sorted(sample.labels))): sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
        }
        if numbers.get(("sounding_fan_out_seconds_count", ()), 0) >= 3 or time.monotonic() > deadline:
            return numbers
