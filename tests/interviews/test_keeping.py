"""What browsers keep of rooms: the worker's list of files, whose copies they are, and when they are forgotten."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from interviews.enums import InterviewStatus
from interviews.models import Interview, Seat
from interviews.queries.keeping import settled_among
from tests.cast import Cast
from tests.house.people import client_of
from tests.support.factories import Scene, make_link, make_scene

pytestmark = pytest.mark.db

KEEP = "X-Sounding-Keep"
NOW_AND_THEN = {"now": timedelta(), "then": timedelta(hours=25)}


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return make_scene(cast)


def test_worker_keeps_every_script_of_the_room_and_no_person(scene: Scene) -> None:
    answer = client_of("ana", scene).get(reverse("interviews:service-worker"))

    text = answer.content.decode()
    assert answer["Content-Type"] == "text/javascript"
    assert text == Client().get(reverse("interviews:service-worker")).content.decode()
    listed = set(re.findall(rf'"{settings.STATIC_URL}([^"]+)"', text))
    root = Path(settings.BASE_DIR) / "static"
    scripts = {str(path.relative_to(root)) for path in (root / "js" / "room").glob("*.js")}
    assert scripts | {"js/room.js", "css/room.css", "vendor/idb.js"} <= listed
    assert not {name for name in listed if "bank" in name or "editor" in name}


def test_room_alone_may_be_kept_and_for_its_reader_alone(scene: Scene) -> None:
    ana = client_of("ana", scene)
    code = scene.interview.code
    make_link(scene.candidate)

    assert ana.get(reverse("interviews:room", args=[code]))[KEEP] == str(scene.cast.ana.code)
    others = [
        ana.get(reverse("interviews:interview-detail", args=[code])),
        ana.get(reverse("interviews:room-controls", args=[code])),
        client_of("kim", scene).get(reverse("interviews:candidate-room", args=[code])),
        client_of("mara", scene).get(reverse("interviews:room", args=[code])),
    ]
    assert [KEEP in answer for answer in others] == [False] * 4


@pytest.mark.parametrize("when", NOW_AND_THEN)
@pytest.mark.parametrize(
    ("status", "seat", "forgotten"),
    [
        (InterviewStatus.LIVE, {}, ""),
        (InterviewStatus.ENDED, {"card_owed": True}, ""),
        (InterviewStatus.ENDED, {"card_owed": True, "card_submitted_at": True}, "then"),
        (InterviewStatus.ENDED, {"card_owed": True, "card_submitted_at": True, "card_amending_at": True}, ""),
        (InterviewStatus.ENDED, {"card_owed": True, "card_excused_at": True}, "then"),
        (InterviewStatus.ENDED, {"card_owed": False}, "then"),
        (InterviewStatus.CANCELLED, {}, "now then"),
        (InterviewStatus.ENDED, {"removed_at": True}, "now then"),
    ],
)
def test_interview_is_forgotten_a_day_after_it_is_over_for_the_person(
    scene: Scene, when: str, status: InterviewStatus, seat: dict[str, bool], forgotten: str
) -> None:
    at = timezone.now() - NOW_AND_THEN[when]
    ended = {"started_at": at - timedelta(hours=1), "ended_at": at} if status == InterviewStatus.ENDED else {}
    started = {"started_at": at} if status == InterviewStatus.LIVE else {}
    Interview.objects.filter(pk=scene.interview.pk).update(status=status, **started, **ended)
    fields = {name: at if name.endswith("_at") else on for name, on in seat.items()}
    Seat.objects.filter(pk=scene.bo.pk).update(**fields)

    answer = client_of("bo", scene).get(reverse("interviews:settled"), {"code": [str(scene.interview.code), "x"]})

    assert answer.json()["settled"] == ([str(scene.interview.code)] if when in forgotten.split() else [])


def test_an_interview_that_a_person_has_no_seat_in_is_forgotten(scene: Scene) -> None:
    codes = [scene.interview.code, uuid.uuid4()]

    assert settled_among(scene.cast.sam, codes) == codes
    assert settled_among(scene.cast.bo, codes) == codes[1:]
