"""Agenda, budgets and lobby: what each seat is told of the plan, and what the candidate is not."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from interviews import log
from interviews.live import frames
from interviews.models import Attendance, CandidateIdentity, PinnedTree
from interviews.queries.room import room_view
from interviews.rendering.meters import agenda_context
from people.models import Person
from questionbank.models import Topic
from tests.cast import Cast
from tests.house.room_cases import Room
from tests.support.factories import Scene, make_link, make_scene
from tests.support.web import session_of_candidate

pytestmark = pytest.mark.db


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return make_scene(cast)


def room_of(client: Client, scene: Scene, person: Person) -> BeautifulSoup:
    client.force_login(person)
    return BeautifulSoup(client.get(reverse("interviews:room", args=[scene.interview.code])).content, "html.parser")


def candidate_page(scene: Scene) -> str:
    link = scene.candidate.links.first() or make_link(scene.candidate)[1]
    client = Client()
    client.cookies["sessionid"] = session_of_candidate(scene.candidate, link)
    return client.get(reverse("interviews:candidate-room", args=[scene.interview.code])).content.decode()


def heard_on_all(scene: Scene) -> str:
    return json.dumps(frames.draw_all(log.since(scene.interview.room_id, {log.ALL: 0}), "en"), ensure_ascii=False)


# --- the candidate's agenda -------------------------------------------------------------------------------------------


def test_agenda_adds_up_the_minutes_of_a_topic_in_plan_order(scene: Scene) -> None:
    tree = scene.versions[1].tree
    tree.topic = Topic.objects.create(key="evaluation", title={"en": "Evaluation", "zh-Hans": "评估"})
    tree.save()
    third = PinnedTree.objects.get(interview=scene.interview, version=scene.versions[0])
    third.pk, third.version, third.position, third.minutes = (
        None,
        make_scene(scene.cast, trees=("ring",)).versions[0],
        90,
        7,
    )
    third.save()

    agenda = agenda_context(room_view(scene.interview.room_id))

    assert [(topic["title"], topic["minutes"]) for topic in agenda] == [("Training", 22), ("Evaluation", 15)]


def test_candidate_sees_topics_only_and_only_once_let_in(scene: Scene) -> None:
    room = Room(scene)
    room.candidate_comes(admitted=False)
    lobby = BeautifulSoup(candidate_page(scene), "html.parser")
    assert (lobby.select_one("#agenda").text, "hidden" in lobby.select_one("#agenda").attrs) == ("", True)  # type: ignore[union-attr]

    room.do("ana", "candidate.admit")

    inside = BeautifulSoup(candidate_page(scene), "html.parser")
    assert inside.select_one("#agenda").get_text(" ", strip=True) == "Agenda Training 30 min"  # type: ignore[union-attr]
    assert '<section class=\\"agenda\\" id=\\"agenda\\"><h2' in heard_on_all(scene)


def test_nothing_that_names_what_is_judged_reaches_the_candidate(scene: Scene) -> None:
    """But for what is shared on purpose: no title or key of a tree or probe, no signal, no anchor."""
    room = Room(scene)
    room.candidate_comes(admitted=True)
    room.do("ana", "interview.start")
    for probe in ("data-parallel/root", "data-parallel/l2", "zero-stages/root"):
        room.judge("ana", room.ask(probe))
    room.do("ana", "interview.pause")
    room.do("ana", "interview.resume")

    told = candidate_page(scene) + heard_on_all(scene)

    assert "Training" in told
    for version in scene.versions:
        for words in (version.tree.key, *version.title.values(), "What about root", "answer to", "depth 4"):
            assert words not in told, words


def test_agenda_stands_still_whatever_is_asked(scene: Scene) -> None:
    room = Room(scene)
    room.candidate_comes(admitted=True)
    room.do("ana", "interview.start")
    before = BeautifulSoup(candidate_page(scene), "html.parser").select_one("#agenda")
    room.ask("zero-stages/root")

    assert BeautifulSoup(candidate_page(scene), "html.parser").select_one("#agenda") == before


# --- accommodations ---------------------------------------------------------------------------------------------------


def test_extra_time_is_known_to_who_prepares_and_to_the_candidate_and_no_one_else(client: Client, scene: Scene) -> None:
    CandidateIdentity.objects.update(extra_time_percent=35, accommodations="A break each 20 minutes")
    Room(scene).candidate_comes(admitted=True)

    for who in ("ana", "bo", "dee"):
        page = room_of(client, scene, getattr(scene.cast, who))
        assert page.select_one("#fair")["data-extra"] == "35"  # type: ignore[index]
        assert "Extra time granted: 35%" in page.text
        assert "A break each 20 minutes" in page.text
    observer = room_of(client, scene, scene.cast.eli)
    assert observer.select_one("#fair")["data-extra"] == "0"  # type: ignore[index]
    assert "A break each" not in observer.text
    assert "35" not in observer.select_one("#fair").text  # type: ignore[union-attr]
    assert "35%" in candidate_page(scene)
    every = log.since(scene.interview.room_id, {log.ALL: 0, log.PANEL: 0})
    told = "".join(event["html"] for event in frames.draw_all(every, "en"))
    assert "35%" not in told
    assert "A break each" not in told


# --- presence and preparation in the room -----------------------------------------------------------------------------


def test_room_knows_when_its_reader_had_a_line_and_nobody_elses(client: Client, scene: Scene) -> None:
    now = timezone.now()
    Attendance.objects.create(seat=scene.bo, started_at=now, seen_at=now, ended_at=now)
    Attendance.objects.create(seat=scene.ana, started_at=now, seen_at=now)

    def connected(person: Person) -> Any:
        script = room_of(client, scene, person).find("script", id="connected")
        return script and json.loads(script.text)

    assert len(connected(scene.cast.bo)) == 1
    assert connected(scene.cast.chen) == []
    assert connected(scene.cast.eli) is None


def test_room_shows_claims_before_the_start_to_who_prepares(client: Client, scene: Scene) -> None:
    assert "Trained a 70B model on 64 GPUs" in room_of(client, scene, scene.cast.bo).text
    assert "Trained a 70B model on 64 GPUs" not in room_of(client, scene, scene.cast.eli).text


def test_lobby_names_who_waits_and_when(scene: Scene) -> None:
    lobby = BeautifulSoup(candidate_page(scene), "html.parser").select_one("[data-when=lobby]")

    assert lobby is not None
    assert "Kim Lindqvist" in lobby.text
    assert lobby.select_one("local-time time")["datetime"] == f"{scene.interview.starts_at:%Y-%m-%dT%H:%M:%SZ}"  # type: ignore[index]
    assert lobby.select_one("#check")["data-state"] == "checking"  # type: ignore[index]


def test_rows_say_who_asked(scene: Scene) -> None:
    room = Room(scene)
    room.do("ana", "interview.start")
    asked = room.ask()

    row = BeautifulSoup(
        frames.draw_all(log.since(scene.interview.room_id, {log.PANEL: 0}), "en")[-1]["html"], "html.parser"
    )
    assert row.find(id=f"asked-{uuid.UUID(asked)}")["data-by"] == str(scene.ana.code)  # type: ignore[index]
