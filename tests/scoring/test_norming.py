"""The norming set: a held interview whose cards are all in, marked without names by everybody who had no part in it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.urls import reverse

from interviews.models import Interview
from people.models import Person
from scoring.enums import MarkingCause
from scoring.models import BlindMarking, NormingInterview
from tests.cast import Cast
from tests.support.factories import Scene, make_interview
from tests.support.pages import as_, words
from tests.support.panel_page import hand_in_all, make_judged_scene

pytestmark = pytest.mark.db


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return hand_in_all(make_judged_scene(cast))


def choose(scene: Scene) -> str:
    return reverse("scoring:norming-choose", kwargs={"code": scene.position.code})


def begin(interview: Interview) -> str:
    return reverse("scoring:norming-begin", kwargs={"code": interview.code})


def add(scene: Scene) -> None:
    response = as_(scene.cast.mara).post(choose(scene), {"interview": str(scene.interview.code)})
    assert response.status_code == 302


def test_the_manager_adds_an_interview_and_takes_it_out(scene: Scene) -> None:
    mara = as_(scene.cast.mara)
    assert "No interview of this position is in the set." in words(mara.get(choose(scene)))
    add(scene)

    assert NormingInterview.objects.get().interview == scene.interview
    assert mara.post(choose(scene), {"interview": str(scene.interview.code)}).status_code == 422
    assert mara.post(choose(scene), {"take": str(scene.interview.code)}).status_code == 302
    assert NormingInterview.objects.get().closed_at is not None
    assert mara.post(choose(scene), {"take": str(scene.interview.code)}).status_code == 404
    add(scene)
    assert NormingInterview.objects.get().closed_at is None, "added again, it is open again"


def test_an_interview_is_named_by_the_day_it_was_where_its_reader_lives(scene: Scene) -> None:
    Interview.objects.filter(pk=scene.interview.pk).update(starts_at=datetime(2026, 11, 30, 23, 30, tzinfo=UTC))

    assert "Kim Lindqvist, 12/01/2026" in words(as_(scene.cast.mara).get(choose(scene))), "Mara lives in Berlin"


def test_only_an_interview_whose_cards_are_all_in_can_join(cast: Cast) -> None:
    scene = make_judged_scene(cast)

    response = as_(cast.mara).post(choose(scene), {"interview": str(scene.interview.code)})

    assert (response.status_code, NormingInterview.objects.count()) == (422, 0)


def test_everybody_without_a_part_marks_it_and_each_once(scene: Scene) -> None:
    add(scene)
    lou = Person.objects.create(email="lou@sounding.example", name="Lou", roles=["interviewer"])
    for person in (scene.cast.sam, lou):
        browser = as_(person)
        assert "not begun" in words(browser.get("/norming/"))
        first, second = browser.post(begin(scene.interview)), browser.post(begin(scene.interview))
        assert first.headers["Location"] == second.headers["Location"]
        page = words(browser.get(first.headers["Location"]))
        assert "Pinned the network interface after three days." in page
        assert "begun" in words(browser.get("/norming/"))

    assert BlindMarking.objects.filter(cause=MarkingCause.NORMING).count() == 2


@pytest.mark.parametrize("who", ["ana", "dee"])
def test_who_sat_in_it_does_not_see_it_in_the_set(scene: Scene, who: str) -> None:
    add(scene)
    browser = as_(getattr(scene.cast, who))

    assert "There is no interview in it that you could mark." in words(browser.get("/norming/"))
    assert browser.post(begin(scene.interview)).status_code == 404


def test_who_is_asked_a_second_time_has_one_marking(scene: Scene) -> None:
    add(scene)
    asked = BlindMarking.objects.create(
        interview=scene.interview, marker=scene.cast.sam, cause=MarkingCause.DISAGREEMENT
    )

    response = as_(scene.cast.sam).post(begin(scene.interview))

    assert str(asked.code) in response.headers["Location"]


def test_the_set_is_closed_while_another_interview_is_to_come(scene: Scene) -> None:
    add(scene)
    make_interview(scene.application, lead=scene.cast.ana)

    sam = as_(scene.cast.sam)
    assert "There is no interview in it" in words(sam.get("/norming/"))
    assert sam.post(begin(scene.interview)).status_code == 404
