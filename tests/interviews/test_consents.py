"""Nothing is recorded before the candidate accepted what is: the start waits for their link or the lead's word."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest

from interviews.enums import InterviewStatus
from interviews.live.dispatch import carry_out
from interviews.models import Consent, Event, Interview
from interviews.rules.notice import NOTICE
from interviews.services.refusal import Code, Refusal
from tests.cast import Cast
from tests.house.room_cases import Room
from tests.support.factories import Scene, make_interview, make_scene

pytestmark = pytest.mark.db


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return make_scene(cast, consented=False)


def status(scene: Scene) -> str:
    return Interview.objects.get(pk=scene.interview.pk).status


def test_start_without_consent_is_refused_with_a_way_out_and_changes_nothing(scene: Scene) -> None:
    with pytest.raises(Refusal) as refused:
        Room(scene).do("ana", "interview.start")

    assert refused.value.code == Code.BAD_FIELD
    assert "join by their link" in refused.value.message
    assert "their word" in refused.value.message
    assert status(scene) == InterviewStatus.SCHEDULED
    assert not Event.objects.filter(room=scene.interview.room).exists()


def test_start_after_the_candidate_joined_needs_no_word(scene: Scene) -> None:
    room = Room(scene)
    room.candidate_comes(admitted=False)

    room.do("ana", "interview.start")

    assert status(scene) == InterviewStatus.LIVE
    assert Consent.objects.get().heard_by is None
    started = Event.objects.get(room=scene.interview.room, stream="panel", name="interview.start")
    assert started.data == {"lead": str(scene.ana.code)}


def test_start_with_the_leads_word_keeps_who_heard_it(scene: Scene) -> None:
    Room(scene).do("ana", "interview.start", consent="heard")

    consent = Consent.objects.get()
    assert (consent.seat, consent.heard_by, consent.notice) == (scene.candidate, scene.ana, NOTICE)
    started = Event.objects.get(room=scene.interview.room, stream="panel", name="interview.start")
    assert started.data == {"lead": str(scene.ana.code), "consent": "heard"}


def test_the_leads_word_adds_nothing_to_what_the_candidate_accepted_themselves(scene: Scene) -> None:
    room = Room(scene)
    room.candidate_comes(admitted=False)

    room.do("ana", "interview.start", consent="heard")

    assert Consent.objects.get().heard_by is None
    started = Event.objects.get(room=scene.interview.room, stream="panel", name="interview.start")
    assert "consent" not in started.data


@pytest.mark.parametrize("consent", ["said", "", None, True, 1])
def test_a_word_that_is_none_is_refused(scene: Scene, consent: object) -> None:
    with pytest.raises(Refusal) as refused:
        Room(scene).do("ana", "interview.start", consent=consent)

    assert refused.value.code == Code.BAD_FIELD
    assert not Consent.objects.exists()


@pytest.mark.parametrize(("who", "code"), [("bo", Code.NOT_LEAD), ("dee", Code.NO_RIGHT), ("candidate", Code.NO_RIGHT)])
def test_only_the_lead_gives_their_word(scene: Scene, who: str, code: Code) -> None:
    with pytest.raises(Refusal) as refused:
        Room(scene).do(who, "interview.start", consent="heard")

    assert refused.value.code == code
    assert not Consent.objects.exists()


def test_consent_to_an_older_notice_or_another_interview_does_not_count(scene: Scene) -> None:
    Consent.objects.create(seat=scene.candidate, notice="2019-1", language="en")
    make_interview(scene.application, lead=scene.cast.bo)  # whose candidate's seat accepted

    with pytest.raises(Refusal):
        Room(scene).do("ana", "interview.start")


def test_a_repeated_start_gets_its_first_answer_and_keeps_one_word(scene: Scene) -> None:
    command = uuid.uuid4()
    first, second = (
        carry_out(scene.ana.pk, command, "interview.start", {"consent": "heard"}, timedelta(0)) for _ in range(2)
    )

    assert first == second
    assert Consent.objects.count() == 1
