"""The mail that asks for a second marking: once, without a name, and the same whatever the cause."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone

from people.models import Job
from scoring.enums import MarkingCause
from scoring.services.marking_requests import send_request
from scoring.tasks import send_marking_request
from tests.cast import Cast
from tests.scoring.test_second_marking import asked_of_sam, page_of
from tests.support.factories import Scene, make_interview
from tests.support.panel_page import hand_in_all, make_judged_scene

pytestmark = pytest.mark.db


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return hand_in_all(make_judged_scene(cast))


def test_a_request_is_told_by_mail_in_the_same_words_whatever_the_cause(scene: Scene, mailoutbox: list[Any]) -> None:
    sent = []
    for number in (100, 0):  # at random; by disagreement
        with transaction.atomic():
            marking = asked_of_sam(scene, number)
            job = Job.objects.get(name="scoring.send_request")
            Job.objects.filter(pk=job.pk).update(due_at=timezone.now())
            for _delivery in range(2):
                send_marking_request(str(job.pk))
            (letter,) = mailoutbox
            assert page_of(marking) in letter.body
            text = f"{letter.message().as_string()}"
            sent.append((marking.cause, re.sub(r"(?m)^Date: .*$", "", text.replace(str(marking.code), "CODE"))))
            mailoutbox.clear()
            transaction.set_rollback(True)

    (first, one), (second, other) = sent
    assert (first, second) == (MarkingCause.RANDOM, MarkingCause.DISAGREEMENT)
    assert one == other
    assert not any(word in one for word in ("Kim", "Lindqvist", scene.position.title, "Ana", "Bo", "Chen"))


def test_no_mail_goes_out_for_what_is_handed_in_or_closed_again(scene: Scene, mailoutbox: list[Any]) -> None:
    marking = asked_of_sam(scene)
    make_interview(scene.application, lead=scene.cast.ana)  # to come: nothing can be read of it now
    send_request(marking.pk)
    assert mailoutbox == []
