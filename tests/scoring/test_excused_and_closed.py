"""Excusing a card and closing the loop, from the manager's button to the panel scorecard that everybody reads."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils import timezone

from interviews.enums import InterviewStatus
from interviews.models import Application, Interview, Seat
from people.models import Job
from scoring.models import PanelScorecard
from scoring.tasks import compile_panel
from tests.cast import Cast
from tests.support.factories import Scene, make_interview
from tests.support.judging import submit
from tests.support.pages import as_, words
from tests.support.panel_page import make_judged_scene, url

pytestmark = pytest.mark.db


@pytest.fixture
def scene(cast: Cast) -> Scene:
    """Ana and Bo handed in; Chen owes a card."""
    scene = make_judged_scene(cast)
    submit(scene.ana, summary="Finds causes, counts.")
    submit(scene.bo, summary="Recites.")
    work(scene)
    return scene


def work(scene: Scene) -> int:
    """Do the job that waits for the panel card, as the worker would; return the card's number."""
    Job.objects.filter(started_at__isnull=True).update(due_at=timezone.now())
    for job in Job.objects.filter(name="scoring.compile_panel", started_at__isnull=True):
        compile_panel(str(job.id))
    newest = PanelScorecard.objects.filter(application=scene.application).latest("number")
    return newest.number


def loop(scene: Scene, do: str) -> None:
    address = reverse("interviews:application-loop", kwargs={"code": scene.application.code})
    assert as_(scene.cast.mara).post(address, {"loop": do}).status_code == 302


def test_an_excused_card_is_waited_for_no_more_and_enters_if_it_comes_all_the_same(scene: Scene) -> None:
    mara, ana = as_(scene.cast.mara), as_(scene.cast.ana)
    assert "Chen" in words(mara.get(url(scene)))
    assert (ana.get(url(scene)).status_code, mara.get(url(scene, "?format=json")).json()["state"]) == (403, "waiting")

    excuse = reverse("interviews:card-excuse", kwargs={"code": scene.chen.code})
    assert mara.post(excuse, {"reason": "Ill for weeks."}).status_code == 302
    work(scene)

    page = mara.get(url(scene, "?format=json")).json()
    assert (page["state"], len(page["content"]["raters"])) == ("readable", 2)
    assert ana.get(url(scene)).status_code == 200
    assert page["content"]["dimensions"]["depth"]["provisional"] is True

    submit(Seat.objects.get(pk=scene.chen.pk), summary="Back again.")
    number = work(scene)
    page = mara.get(url(scene, "?format=json")).json()
    assert (page["number"], len(page["content"]["raters"])) == (number, 3)


def test_a_closed_loop_waits_for_no_interview_to_come_and_reopened_it_does_again(scene: Scene) -> None:
    submit(scene.chen)
    work(scene)
    coming = make_interview(scene.application, lead=scene.cast.dee)
    mara, ana = as_(scene.cast.mara), as_(scene.cast.ana)
    assert (ana.get(url(scene)).status_code, mara.get(url(scene, "?format=json")).json()["state"]) == (403, "waiting")

    loop(scene, "close")
    work(scene)
    assert (ana.get(url(scene)).status_code, mara.get(url(scene, "?format=json")).json()["state"]) == (200, "readable")

    loop(scene, "reopen")
    assert (ana.get(url(scene)).status_code, mara.get(url(scene, "?format=json")).json()["state"]) == (403, "waiting")
    assert Interview.objects.get(pk=coming.pk).status == InterviewStatus.SCHEDULED


def test_a_loop_with_a_running_interview_stays_open(scene: Scene) -> None:
    submit(scene.chen)
    make_interview(scene.application, lead=scene.cast.dee, status=InterviewStatus.LIVE)

    loop(scene, "close")

    assert Application.objects.get(pk=scene.application.pk).loop_closed_at is None
    assert as_(scene.cast.ana).get(url(scene)).status_code == 403
