"""What an interview hands to the bank's curators when it ends: words, and nothing that leads back."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.forms.models import model_to_dict
from django.utils import timezone

from interviews.enums import InterviewStatus
from interviews.models import Interview, TreeEdit
from interviews.services.conduct import end_quiet_interviews
from interviews.services.suggesting import suggest_what_was_new
from people.models import Job
from people.models.audit import AuditEntry
from questionbank.models import Suggestion
from tests.cast import Cast
from tests.house.own_cases import add, own
from tests.house.room_cases import Room
from tests.support.factories import make_scene

pytestmark = pytest.mark.db


@pytest.fixture
def room(cast: Cast) -> Room:
    room = Room(make_scene(cast))
    room.do("ana", "interview.start")
    room.ask()
    return room


def reword(room: Room, text: str, *, probe: str = "l2", language: str = "en") -> None:
    said = {"probe": probe, "text": text, "language": language}
    room.do("ana", "tree.edit", tree="data-parallel", op="text", **said)


def sent() -> list[tuple[str, str, dict[str, str]]]:
    return sorted(Suggestion.objects.values_list("kind", "probe_key", "text"), key=str)


def end_again(room: Room) -> None:
    """As after a reopening: the interview runs once more and ends once more."""
    with transaction.atomic():
        suggest_what_was_new(Interview.objects.get(pk=room.scene.interview.pk))


def test_nothing_is_sent_while_it_runs_and_everything_when_it_ends(room: Room) -> None:
    own(room, language="en")
    add(room, language="zh-Hans")
    reword(room, "What does it cost?")
    reword(room, "它要付出什么？", language="zh-Hans")
    assert sent() == []

    room.do("ana", "interview.end")

    assert sent() == [
        ("edit", "l2", {"en": "What does it cost?", "zh-Hans": "它要付出什么？"}),
        ("follow_up", "root", {"en": "And if a <rack> fails & burns?"}),
        ("follow_up", "root", {"zh-Hans": "What did it cost?"}),
    ]
    follow_up = Suggestion.objects.get(text__has_key="zh-Hans", kind="follow_up")
    assert (follow_up.aims, follow_up.probe_kind) == (["depth", "why"], "probe")


def test_only_the_last_words_are_sent(room: Room) -> None:
    reword(room, "First")
    reword(room, "Second")
    asked = own(room, language="en")
    reword(room, "Third", probe=f"data-parallel/{asked}")

    room.do("ana", "interview.end")

    assert sent() == [("edit", "l2", {"en": "Second"}), ("follow_up", "root", {"en": "Third"})]


def test_question_that_was_taken_back_is_not_sent_and_one_asked_again_is(room: Room) -> None:
    gone, kept = own(room, text="Gone", language="en"), own(room, text="Kept", language="en")
    room.ask(f"data-parallel/{kept}")
    for asked in (gone, kept):
        room.do("ana", "probe.retract", asked=asked)

    room.do("ana", "interview.end")

    assert sent() == [("follow_up", "root", {"en": "Kept"})]


def test_order_alone_is_nothing_to_suggest(room: Room) -> None:
    room.do("ana", "tree.edit", tree="data-parallel", op="move", probe="root-rescue")

    room.do("ana", "interview.end")

    assert sent() == []


def test_each_is_sent_once_however_often_it_ends(room: Room) -> None:
    own(room, language="en")
    reword(room, "What does it cost?")
    room.do("ana", "interview.end")
    Suggestion.objects.all().delete()  # decided on, and gone

    end_again(room)

    assert sent() == []
    assert list(TreeEdit.objects.values_list("suggested", flat=True)) == [True, True]


def test_what_is_new_after_a_reopening_is_sent_then(room: Room) -> None:
    own(room, text="Before", language="en")
    room.do("ana", "interview.end")
    Interview.objects.filter(pk=room.scene.interview.pk).update(status=InterviewStatus.LIVE, ended_at=None)
    own(room, text="After", language="en")

    room.do("ana", "interview.end")

    assert sent() == [("follow_up", "root", {"en": "After"}), ("follow_up", "root", {"en": "Before"})]


def test_late_question_of_an_ended_interview_is_sent_when_it_comes(room: Room) -> None:
    room.began_earlier(timedelta(minutes=1))
    room.do("ana", "interview.end")

    own(room, age=30, language="en")

    assert sent() == [("follow_up", "root", {"en": "And if a <rack> fails & burns?"})]


def test_interview_that_ends_itself_sends_too(room: Room) -> None:
    own(room, language="en")
    Interview.objects.update(last_command_at=timezone.now() - timedelta(hours=5))

    assert end_quiet_interviews() == 1

    assert len(sent()) == 1


def test_suggestion_leads_to_no_interview_person_or_hour(room: Room) -> None:
    """No id of the room's stands in it, and neither jobs nor the audit trail say that one was made."""
    asked = own(room, language="en")
    scene = room.scene
    room.do("ana", "interview.end")

    row = Suggestion.objects.get()
    told = json.dumps({**model_to_dict(row), "id": row.pk}, cls=DjangoJSONEncoder)
    linked = {field.related_model.__name__ for field in Suggestion._meta.get_fields() if field.is_relation}
    assert linked == {"Tree", "Person"}  # the person who decides
    assert (row.decided_by, row.released, row.month.day) == (None, False, 1)
    for secret in (asked, scene.interview.code, scene.application.code, scene.candidate.code, scene.ana.code):
        assert str(secret) not in told
        assert str(row.pk) not in str(secret)
    assert str(row.pk) not in str(list(Job.objects.values_list("data", flat=True)))
    assert not Job.objects.filter(name__contains="suggest").exists()
    assert not AuditEntry.objects.filter(action__startswith="suggestion").exists()
    assert str(row.pk) not in str(list(TreeEdit.objects.values()))
