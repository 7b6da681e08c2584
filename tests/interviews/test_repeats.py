"""The no-repeat guard tells which trees earlier interviewers opened, and nothing of depth, minutes or outcome."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from bs4 import BeautifulSoup
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from interviews.enums import InterviewStatus, ProbeKind, TextKind
from interviews.models import AdHocProbe, Asked, Interview, Seat
from interviews.queries.repeats import opened_before
from people.models import Person
from tests.cast import Cast
from tests.house.room_cases import Room
from tests.support.factories import Scene, make_application, make_interview, make_position, make_scene, make_text

pytestmark = pytest.mark.db

CANARY = "canary-of-the-earlier-interview"
NOISE = re.compile(r'name="csrfmiddlewaretoken" value="[^"]*"|nonce="[^"]*"|"X-CSRFToken": "[^"]*"')


class Loop:
    """Sam's interview with Kim, before Ana's panel of the same application: it pins the same trees."""

    def __init__(self, cast: Cast) -> None:
        self.scene = make_scene(cast)
        self.earlier = make_interview(self.scene.application, lead=cast.sam, versions=self.scene.versions)
        self.sam = Seat.objects.get(interview=self.earlier, person=cast.sam)
        self.room = Room(self.scene)
        self.scene.sam = self.sam  # type: ignore[attr-defined]
        self.room.do("sam", "interview.start")

    def ask(self, probe: str, **data: Any) -> str:
        return self.room.do("sam", "probe.ask", probe=probe, **data)


@pytest.fixture
def loop(cast: Cast) -> Loop:
    return Loop(cast)


def test_opened_trees_are_named_once_whatever_was_asked_in_them(loop: Loop) -> None:
    for probe in ("root", "l2", "l3", "root"):
        loop.ask(f"data-parallel/{probe}")

    assert opened_before(loop.scene.interview) == {"data-parallel": loop.scene.versions[0].title}
    assert opened_before(loop.earlier) == {}


def test_what_was_taken_back_opened_nothing(loop: Loop) -> None:
    asked = loop.ask("zero-stages/root")
    loop.room.do("sam", "probe.retract", asked=asked)

    assert opened_before(loop.scene.interview) == {}


def test_a_question_of_ones_own_opens_the_tree_it_was_asked_in(loop: Loop) -> None:
    words = make_text(loop.scene.application, CANARY, kind=TextKind.AD_HOC)
    adhoc = AdHocProbe.objects.create(
        interview=loop.earlier,
        parent=loop.scene.probe("root", 1),
        kind=ProbeKind.PROBE,
        aims=["depth"],
        level=2,
        text=words,
    )
    Asked.objects.create(
        id=uuid.uuid4(), interview=loop.earlier, adhoc=adhoc, by=loop.sam, seq=90, made_at=timezone.now()
    )

    assert list(opened_before(loop.scene.interview)) == ["zero-stages"]


def test_another_application_of_the_same_person_opened_nothing_here(loop: Loop) -> None:
    other = make_application(make_position(loop.scene.cast.nils), candidate=loop.scene.application.candidate)
    interview = make_interview(other, lead=loop.scene.cast.bo, versions=loop.scene.versions)
    loop.ask("data-parallel/root")

    assert opened_before(interview) == {}


# --- what is shown, and what is not -----------------------------------------------------------------------------------


def pages_of(scene: Scene, person: Person) -> dict[str, str]:
    """What somebody of the later panel reads of it: preparation, room, the lead's controls."""
    client = Client()
    client.force_login(person)
    found = {}
    for name in ("preparation", "room", "room-controls"):
        response = client.get(reverse(f"interviews:{name}", args=[scene.interview.code]))
        found[name] = f"{response.status_code} {NOISE.sub('', response.content.decode())}"
    return found


def test_preparation_outline_and_controls_name_the_tree(loop: Loop) -> None:
    loop.ask("data-parallel/root")

    for who in ("ana", "bo"):
        pages = {
            name: BeautifulSoup(text, "html.parser")
            for name, text in pages_of(loop.scene, getattr(loop.scene.cast, who)).items()
        }
        assert "Opened by earlier interviewers: Data parallel" in pages["preparation"].main.get_text(" ", strip=True)
        heads = [head.get_text(" ", strip=True) for head in pages["room"].select("#dialog-outline h3")]
        assert ["opened in an earlier interview" in head for head in heads] == [True, False]
        for name in ("room", "room-controls"):
            assert pages[name].select_one("#lead-bar")["data-opened"] == "data-parallel"  # type: ignore[index]
    listener = BeautifulSoup(pages_of(loop.scene, loop.scene.cast.eli)["room"], "html.parser")
    assert listener.select_one("#lead-bar")["data-opened"] == ""  # type: ignore[index]


def _asks_once(loop: Loop) -> list[str]:
    return [loop.ask("data-parallel/root")]


def _goes_deep(loop: Loop) -> list[str]:
    """Quite another hour: deeper, longer, twice, with words and judgements of every kind."""
    asked = [loop.ask(f"data-parallel/{probe}") for probe in ("root", "l2", "l3", "l4", "root")]
    Interview.objects.filter(pk=loop.earlier.pk).update(started_at=timezone.now() - timedelta(minutes=50))
    for one in asked:
        loop.room.judge("sam", one, CANARY)
    loop.room.do("sam", "boundary.set", tree="data-parallel", ended="time", version=0)
    loop.room.do("sam", "note.set", text=CANARY, version=0)
    loop.room.do("sam", "interview.end")
    return asked


def test_nothing_of_depth_minutes_or_outcome_reaches_the_later_panel(loop: Loop) -> None:
    """The canary's way: what the earlier interviewer heard and wrote must not move a byte of the later one's pages."""
    scene, moment = loop.scene, timezone.now() + timedelta(minutes=10)

    def walk(act: Callable[[Loop], list[str]]) -> tuple[dict[tuple[str, str], str], list[str]]:
        with transaction.atomic():
            asked = act(loop)
            with time_machine.travel(moment, tick=False):
                seen = {
                    (who, name): text
                    for who in ("ana", "bo", "dee", "eli")
                    for name, text in pages_of(scene, getattr(scene.cast, who)).items()
                }
            transaction.set_rollback(True)
        return seen, asked

    (one, few), (other, many) = walk(_asks_once), walk(_goes_deep)

    assert [where for where in one if one[where] != other[where]] == []
    assert not any(word in text for text in other.values() for word in (CANARY, *few, *many))
    assert "data-parallel" in other["ana", "room-controls"]  # there is something to tell


def test_the_later_panels_own_status_is_not_needed(loop: Loop) -> None:
    """The guard says the same before, in and after one's own interview: it never opens up to more."""
    loop.ask("data-parallel/root")
    before = opened_before(loop.scene.interview)
    Interview.objects.filter(pk=loop.scene.interview.pk).update(
        status=InterviewStatus.ENDED, started_at=timezone.now(), ended_at=timezone.now()
    )

    assert opened_before(Interview.objects.get(pk=loop.scene.interview.pk)) == before
