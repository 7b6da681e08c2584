"""The pages of an interview: made from a form, moved, cancelled, its seats changed."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from bs4 import BeautifulSoup
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from interviews.models import Application, Interview, Seat
from interviews.queries.links import LinkState, find_link
from questionbank.enums import VersionState
from tests.cast import Cast
from tests.support.factories import (
    Scene,
    make_scene,
    make_tree,
)
from tests.support.forms import error_of, form_of, url

pytestmark = pytest.mark.db


def interview_form(scene: Scene, page: Any, **changes: Any) -> dict[str, Any]:
    day = (timezone.localdate() + timedelta(days=30)).isoformat()
    lead, bo = str(scene.cast.ana.code), str(scene.cast.bo.code)
    return {**form_of(page), "day": day, "at": "10:00", "lead": lead, "interviewers": [bo], **changes}


def test_loop_is_closed_and_reopened_from_the_page(client: Client, cast: Cast) -> None:
    scene = make_scene(cast)
    client.force_login(cast.mara)

    client.post(url("application-loop", scene.application.code), {"loop": "close"})
    closed = client.get(url("interview-create", scene.application.code))
    refused = client.post(url("interview-create", scene.application.code), interview_form(scene, closed))
    client.post(url("application-loop", scene.application.code), {"loop": "reopen"})

    assert refused.status_code == 422
    assert "The loop is closed" in refused.content.decode()
    assert Application.objects.get().loop_closed_at is None


def test_interview_form_starts_from_the_plan(client: Client, cast: Cast) -> None:
    scene = make_scene(cast)
    make_tree("another-tree")
    make_tree("a-draft", state=VersionState.DRAFT)
    scene.position.optional_trees.add(scene.versions[1].tree)
    client.force_login(cast.mara)

    sent = form_of(client.get(url("interview-create", scene.application.code)))

    assert sent["time_zone"] == "Europe/Berlin"
    assert sent["tree-data-parallel-use"] == ["on"]  # of the plan
    assert "tree-zero-stages-use" not in sent  # of the plan, optional
    assert "tree-another-tree-use" not in sent  # of the bank
    assert "tree-a-draft-minutes" not in sent


def test_interview_form_chooses_an_optional_tree_that_is_lifted(client: Client, cast: Cast) -> None:
    scene = make_scene(cast)
    scene.position.optional_trees.add(scene.versions[1].tree)
    scene.application.lifted_trees.add(scene.versions[1].tree)
    client.force_login(cast.mara)

    sent = form_of(client.get(url("interview-create", scene.application.code)))

    assert sent["tree-zero-stages-use"] == ["on"]


def test_interview_is_made_and_its_link_shown_once(client: Client, cast: Cast) -> None:
    scene = make_scene(cast)
    client.force_login(cast.mara)
    create = url("interview-create", scene.application.code)
    sent = interview_form(scene, client.get(create), **{"tree-zero-stages-asker": str(cast.bo.code)})

    made = client.post(create, sent)
    again = client.post(create, sent)

    link = BeautifulSoup(made.content, "html.parser").select_one("#candidate-link")
    assert link is not None
    state, row = find_link(str(link["value"]).rstrip("/").rsplit("/", 1)[-1])
    assert state == LinkState.OPEN
    assert row is not None
    interview = row.seat.interview
    assert str(interview.code) == sent["code"]
    assert [pin.planned.seat.person for pin in interview.pinned.all()] == [cast.ana, cast.bo]
    assert "no-store" in made["Cache-Control"]
    assert "sent twice" in again.content.decode()
    assert b"candidate-link" not in again.content
    assert Interview.objects.exclude(pk=scene.interview.pk).count() == 1


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"lead": ""}, "lead", "required"),
        ({"day": "2026-03-29", "at": "02:30"}, "at", "does not exist in Europe/Berlin"),
        ({"day": "1999-01-01"}, "day", "past"),
        ({"day": "tomorrow"}, "day", "valid date"),
        ({"time_zone": "Berlin"}, "time_zone", "no time zone we know"),
        ({"minutes": "0"}, "minutes", "greater than or equal to 5"),
        ({"meeting_link": "javascript:x"}, "meeting_link", "valid URL"),
        ({"tree-data-parallel-minutes": "many"}, "tree-data-parallel-minutes", "whole number"),
    ],
)
def test_interview_form_names_the_field_to_mend(
    client: Client, cast: Cast, changes: dict[str, Any], field: str, words: str
) -> None:
    scene = make_scene(cast)
    client.force_login(cast.mara)
    create = url("interview-create", scene.application.code)
    sent = interview_form(scene, client.get(create), **changes)

    answer = client.post(create, sent)

    assert answer.status_code == 422
    assert words in error_of(answer, field)
    assert Interview.objects.count() == 1


def test_interview_form_refuses_what_was_forged_into_it(client: Client, cast: Cast) -> None:
    scene, other = make_scene(cast), make_scene(cast, trees=("other-tree",))
    client.force_login(cast.mara)
    create = url("interview-create", scene.application.code)
    for changes in (
        {"lead": str(cast.fay.code)},
        {"interviewers": [str(uuid4())]},
        {"code": "x"},
        {"code": str(other.interview.code)},
        {"meeting_link": "https://x.example/\x00"},
        {"tree-data-parallel-asker": str(cast.sam.code)},
        {"interviewers": [str(cast.ana.code)]},
    ):
        assert client.post(create, interview_form(scene, client.get(create), **changes)).status_code == 422
    assert Interview.objects.count() == 2


def test_interview_form_costs_the_same_for_few_and_many(
    client: Client, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    scene = make_scene(cast, trees=("one-tree",))
    more = make_scene(cast, trees=("two-tree", "three-tree", "four-tree"))
    client.force_login(cast.mara)

    # session, person, application; people; plan, optional, lifted trees, newest versions; who sits; the calibration
    for each in (scene, more):
        with django_assert_num_queries(10):
            client.get(url("interview-create", each.application.code))


def test_interview_is_moved_cancelled_and_marked_from_its_pages(client: Client, cast: Cast) -> None:
    scene = make_scene(cast)
    client.force_login(cast.mara)
    page = client.get(url("interview-move", scene.interview.code))
    sent = {**form_of(page), "at": "11:30"}

    moved = client.post(url("interview-move", scene.interview.code), sent)
    stale = client.post(url("interview-move", scene.interview.code), {**sent, "at": "12:30"})
    early = client.post(url("interview-no-show", scene.interview.code), {"role": "candidate"})
    cancelled = client.post(url("interview-cancel", scene.interview.code), {"reason": "Kim is ill"})

    assert (moved.status_code, stale.status_code, early.status_code, cancelled.status_code) == (302, 422, 422, 302)
    assert "Somebody else moved" in stale.content.decode()
    assert "Kim is ill" in client.get(url("interview-detail", scene.interview.code)).content.decode()
    client.force_login(cast.ana)
    assert "Kim is ill" not in client.get(url("interview-detail", scene.interview.code)).content.decode()


def test_move_form_shows_the_time_as_planned(client: Client, cast: Cast) -> None:
    """Mara lives in Berlin; the interview is planned in Shanghai."""
    scene = make_scene(cast, starts_at=datetime(2026, 12, 3, 2, 15, tzinfo=UTC), time_zone="Asia/Shanghai")
    client.force_login(cast.mara)

    sent = form_of(client.get(url("interview-move", scene.interview.code)))

    assert (sent["day"], sent["at"], sent["time_zone"]) == ("2026-12-03", "10:15", "Asia/Shanghai")


def test_seats_are_changed_from_the_page(client: Client, cast: Cast) -> None:
    scene = make_scene(cast)
    client.force_login(cast.mara)
    page = client.get(url("seat-replace", scene.bo.code))
    offered = {option["value"] for option in BeautifulSoup(page.content, "html.parser").select("#id_person option")}
    assert offered == {"", str(cast.sam.code)}  # the others sit there, left, or may not interview

    client.post(url("seat-replace", scene.bo.code), {"person": str(cast.sam.code)})
    client.post(url("seat-add", scene.interview.code), {"person": str(cast.mara.code), "role": "observer"})
    forbidden = client.post(url("seat-add", scene.interview.code), {"person": str(cast.bo.code), "role": "lead"})
    client.post(url("seat-remove", scene.dee.code))

    assert forbidden.status_code == 422
    seated = Seat.objects.filter(removed_at__isnull=True, person__isnull=False).order_by("person__name")
    assert [(seat.person.name, seat.role) for seat in seated if seat.person] == [
        ("Ana", "lead"),
        ("Chen", "interviewer"),
        ("Eli", "observer"),
        ("Mara", "observer"),
        ("Sam", "interviewer"),
    ]
