"""One's own preparation: private for ever, kept by version, over when the interview begins, erased with the rest."""

from __future__ import annotations

from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from interviews.enums import InterviewStatus, TextKind
from interviews.models import Interview, PreparationNote, Seat, Text
from people.models import Person
from tests.cast import Cast
from tests.house.room_cases import Room
from tests.support.factories import Scene, make_scene

pytestmark = pytest.mark.db

CANARY = "canary-of-what-bo-prepared"


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return make_scene(cast)


def keep(scene: Scene, person: Person, text: str = CANARY, *, version: int = 0, **data: Any) -> Any:
    client = Client()
    client.force_login(person)
    address = reverse("interviews:preparation-note", args=[scene.interview.code])
    return client.post(address, {"text": text, "version": version, **data}, headers={"HX-Request": "true"})


def words(scene: Scene, who: str = "bo") -> str | None:
    note = PreparationNote.objects.written_by(getattr(scene, who)).select_related("text").first()
    return note and note.text.body


def test_note_is_kept_as_ones_own_text_of_the_application(scene: Scene) -> None:
    answer = keep(scene, scene.cast.bo)

    assert (answer.status_code, words(scene)) == (200, CANARY)
    text = Text.objects.get(kind=TextKind.PREPARATION)
    assert (text.application, text.author, text.frozen) == (scene.application, scene.bo, False)
    assert 'id="preparation-version" value="1"' in answer.content.decode()


def test_note_written_in_two_windows_is_never_overwritten_unseen(scene: Scene) -> None:
    keep(scene, scene.cast.bo, "first")
    keep(scene, scene.cast.bo, "second", version=1)

    stale = keep(scene, scene.cast.bo, "mine", version=1)

    assert (stale.status_code, words(scene)) == (409, "second")
    assert "second" in stale.content.decode()
    assert 'name="over" value="2"' in stale.content.decode()
    assert keep(scene, scene.cast.bo, "mine", version=1, over=2).status_code == 200
    assert words(scene) == "mine"


@pytest.mark.parametrize("bad", [{"text": "x" * 20_001}, {"text": "a\x00b"}, {"version": "soon"}, {"version": -1}])
def test_bad_input_is_refused_with_words_and_changes_nothing(scene: Scene, bad: dict[str, Any]) -> None:
    answer = keep(scene, scene.cast.bo, **bad)

    assert (answer.status_code, words(scene)) == (422, None)
    assert 'role="alert"' in answer.content.decode()


@pytest.mark.parametrize("status", [InterviewStatus.LIVE, InterviewStatus.PAUSED, InterviewStatus.ENDED])
def test_note_is_over_once_the_interview_began(cast: Cast, status: InterviewStatus) -> None:
    scene = make_scene(cast)
    keep(scene, cast.bo, "before")
    Interview.objects.filter(pk=scene.interview.pk).update(
        status=status, started_at=timezone.now(), ended_at=timezone.now() if status == InterviewStatus.ENDED else None
    )

    answer = keep(scene, cast.bo, "after", version=1)

    assert (answer.status_code, words(scene)) == (409, "before")
    assert "write your notes in the room" in answer.content.decode()
    client = Client()
    client.force_login(cast.bo)
    page = client.get(reverse("interviews:preparation", args=[scene.interview.code])).content.decode()
    assert "before" in page
    assert "since then it can only be read" in page
    assert "preparation-form" not in page


def test_without_script_the_page_comes_back(client: Client, scene: Scene) -> None:
    client.force_login(scene.cast.bo)
    address = reverse("interviews:preparation-note", args=[scene.interview.code])

    answer: HttpResponse = client.post(address, {"text": "plain", "version": 0})

    assert (answer.status_code, words(scene)) == (302, "plain")


def test_managers_and_listeners_have_none_to_write(scene: Scene) -> None:
    assert keep(scene, scene.cast.mara).status_code == 403
    assert keep(scene, scene.cast.eli).status_code == 403
    assert keep(scene, scene.cast.nils).status_code == 404
    assert not PreparationNote.objects.unsealed_for_compiling().exists()


def test_note_is_visible_to_its_author_alone(scene: Scene, cast: Cast) -> None:
    """That no page shows it to anybody else, whatever is open, is walked by tests/house/test_sealing_matrix.py."""
    keep(scene, cast.bo)

    assert PreparationNote.objects.visible_to(cast.bo).exists()
    for person in (cast.ana, cast.mara, cast.ada):
        assert not PreparationNote.objects.visible_to(person).exists()


def test_note_of_the_room_stays_its_own_thing(scene: Scene) -> None:
    """Preparing writes no judgement, no event and no command."""
    keep(scene, scene.cast.ana, "Ask about the switch")
    room = Room(scene)
    room.do("ana", "interview.start")
    room.do("ana", "note.set", text="Calm", version=0)

    assert words(scene, "ana") == "Ask about the switch"
    assert Seat.objects.get(pk=scene.ana.pk).card_owed is False
