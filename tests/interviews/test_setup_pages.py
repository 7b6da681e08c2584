"""The pages of set-up: what they send, what they say about mistakes, and what they cost."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from bs4 import BeautifulSoup, Tag
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from interviews.enums import InterviewStatus, Role
from interviews.models import Application, Interview, Position, Seat
from interviews.queries.links import LinkState, find_link
from questionbank.enums import VersionState
from tests.cast import Cast
from tests.support.factories import (
    Scene,
    make_application,
    make_interview,
    make_plan,
    make_position,
    make_scene,
    make_tree,
)

pytestmark = pytest.mark.db


def url(name: str, *args: object) -> str:
    return reverse(f"interviews:{name}", args=args)


def form_of(page: Any) -> dict[str, Any]:
    """Return what a browser would send if one pressed the button of the page's own form at once."""
    sent: dict[str, Any] = {}
    main = BeautifulSoup(page.content, "html.parser").main
    assert main is not None
    form = main.find("form", class_="form")
    assert isinstance(form, Tag)
    for field in form.select("input[name], textarea[name], select[name]"):
        name, kind = str(field["name"]), field.get("type", "")
        if field.name == "textarea":
            sent[name] = field.text.removeprefix("\n")  # as browsers do
        elif field.name == "select":
            chosen = field.select_one("option[selected]") or field.select_one("option")
            sent[name] = chosen["value"] if chosen else ""
        elif kind in {"checkbox", "radio"}:
            if field.has_attr("checked"):
                sent.setdefault(name, []).append(field.get("value", "on"))
        elif kind != "file":
            sent[name] = field.get("value", "")
    del sent["csrfmiddlewaretoken"]
    return sent


def error_of(page: Any, field: str) -> str:
    found = BeautifulSoup(page.content, "html.parser").select_one(f"#id_{field}_error")
    return found.get_text(" ", strip=True) if found else ""


# --- positions --------------------------------------------------------------------------------------------------------


def test_position_is_made_from_the_form_and_opened(client: Client, cast: Cast) -> None:
    plan = make_plan(make_tree("data-parallel"))
    optional = make_tree("a2a")
    client.force_login(cast.mara)
    page = client.get(url("position-create"))
    sent = {**form_of(page), "title": "Agent engineer", "plan": plan.pk, "optional_trees": ["a2a"]}
    assert sent["managers"] == [str(cast.mara.code)]

    first, again = client.post(url("position-create"), sent), client.post(url("position-create"), sent)

    position = Position.objects.get()
    assert first["Location"] == again["Location"] == url("position-detail", position.code)
    assert (position.plan, list(position.optional_trees.all())) == (plan, [optional.tree])
    assert list(position.managers.all()) == [cast.mara]


def test_position_form_offers_managers_only(client: Client, cast: Cast) -> None:
    client.force_login(cast.mara)
    page = client.get(url("position-create"))
    offered = BeautifulSoup(page.content, "html.parser").select("input[name=managers]")
    assert {box["value"] for box in offered} == {str(cast.mara.code), str(cast.nils.code)}

    forged = client.post(url("position-create"), {**form_of(page), "title": "x", "managers": [str(cast.bo.code)]})

    assert forged.status_code == 422
    assert not Position.objects.exists()


def test_position_edited_by_who_gives_it_away_ends_on_the_list(client: Client, cast: Cast) -> None:
    position = make_position(cast.mara)
    client.force_login(cast.mara)
    page = client.get(url("position-edit", position.code))

    done = client.post(url("position-edit", position.code), {**form_of(page), "managers": [str(cast.nils.code)]})

    assert done["Location"] == url("position-list")
    assert list(position.managers.all()) == [cast.nils]


@pytest.mark.parametrize("count", [1, 3])
def test_position_list_costs_the_same_for_one_and_three(
    client: Client, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries, count: int
) -> None:
    for number in range(count):
        make_application(make_position(cast.mara, title=f"Position {number}"))
    client.force_login(cast.mara)

    with django_assert_num_queries(3):  # session, person, positions with their counts
        page = client.get(url("position-list"))

    assert len(BeautifulSoup(page.content, "html.parser").select("tbody tr")) == count


@pytest.mark.parametrize("count", [1, 3])
def test_position_page_costs_the_same_for_one_and_three(
    client: Client, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries, count: int
) -> None:
    position = make_position(cast.mara)
    for number in range(count):
        application = make_application(position, name=f"Candidate {number}")
        for _ in range(count):
            make_interview(application, lead=cast.ana)
    client.force_login(cast.mara)

    with django_assert_num_queries(7):  # session, person, position, applications, interviews, seats, managers
        page = client.get(url("position-detail", position.code))

    assert len(BeautifulSoup(page.content, "html.parser").select("tbody tr")) == count


# --- applications -----------------------------------------------------------------------------------------------------


def test_application_is_made_with_papers_and_claims_and_only_once(client: Client, cast: Cast) -> None:
    position = make_position(cast.mara)
    client.force_login(cast.mara)
    page = client.get(url("application-create", position.code))
    sent = {**form_of(page), "name": "Lin Wei", "language": "zh-hans", "claims": "One\n\n  Two  \n", "links": ""}

    for _ in range(2):
        papers = [SimpleUploadedFile("cv.pdf", b"%PDF-1"), SimpleUploadedFile("paper.txt", b"words")]
        done = client.post(url("application-create", position.code), {**sent, "documents": papers})

    application = Application.objects.get()
    assert done["Location"] == url("application-detail", application.code)
    assert [claim.text.body for claim in application.claims.all()] == ["One", "Two"]
    assert [row.label for row in application.attachments.all()] == ["cv.pdf", "paper.txt"]
    shown = client.get(done["Location"]).content.decode()
    assert all(words in shown for words in ("Lin Wei", "Two", "paper.txt"))


def test_application_form_says_which_file_is_wrong_and_keeps_nothing(client: Client, cast: Cast) -> None:
    position = make_position(cast.mara)
    client.force_login(cast.mara)
    sent = {**form_of(client.get(url("application-create", position.code))), "name": "Lin Wei"}

    answer = client.post(
        url("application-create", position.code),
        {**sent, "documents": [SimpleUploadedFile("cv.html", b"<script>")], "links": "nowhere"},
    )

    assert answer.status_code == 422
    assert error_of(answer, "documents").startswith("cv.html: files end in")
    assert not Application.objects.exists()


def test_application_form_knows_only_candidates_of_ones_own_positions(client: Client, cast: Cast) -> None:
    position = make_position(cast.mara)
    mine = make_application(make_position(cast.mara, title="Mine"), name="Known One")
    theirs = make_application(make_position(cast.nils, title="Theirs"), name="Sealed One")
    client.force_login(cast.mara)
    page = client.get(url("application-create", position.code))
    assert "Known One" in page.content.decode()
    assert "Sealed One" not in page.content.decode()
    sent = form_of(page)

    forged = client.post(url("application-create", position.code), {**sent, "known": str(theirs.candidate.code)})
    done = client.post(url("application-create", position.code), {**sent, "known": str(mine.candidate.code)})

    assert (forged.status_code, done.status_code) == (422, 302)
    assert position.applications.get().candidate == mine.candidate


def test_application_is_edited_without_losing_anything(client: Client, cast: Cast) -> None:
    application = make_application(make_position(cast.mara), claims=["One", "Two"], email="kim@mail.example")
    application.attachments.create(label="Code", url="https://code.example")
    client.force_login(cast.mara)
    before = form_of(client.get(url("application-edit", application.code)))
    assert before["claims"] == "One\nTwo"

    client.post(url("application-edit", application.code), before)

    assert form_of(client.get(url("application-edit", application.code))) == before
    assert [row.label for row in application.attachments.all()] == ["Code"]


@pytest.mark.parametrize("count", [1, 3])
def test_application_page_costs_the_same_for_one_and_three(
    client: Client, cast: Cast, django_assert_num_queries: DjangoAssertNumQueries, count: int
) -> None:
    application = make_application(make_position(cast.mara), claims=[f"Claim {n}" for n in range(count)])
    for _ in range(count):
        ended = make_interview(application, lead=cast.ana, interviewers=[cast.bo], status=InterviewStatus.ENDED)
        ended.seats.filter(role=Role.LEAD).update(card_owed=True)
    client.force_login(cast.mara)

    # session, person, application; judges, interviews, seats with people, claims, all in; attachments
    with django_assert_num_queries(9):
        page = client.get(url("application-detail", application.code))

    assert page.content.decode().count(">owed<") == count


def test_card_is_excused_from_the_page(client: Client, cast: Cast) -> None:
    scene = make_scene(cast, status=InterviewStatus.ENDED)
    Seat.objects.filter(pk=scene.bo.pk).update(card_owed=True)
    client.force_login(cast.mara)

    empty = client.post(url("card-excuse", scene.bo.code), {"reason": "  "})
    done = client.post(url("card-excuse", scene.bo.code), {"reason": "Ill for weeks"})
    late = client.post(url("card-excuse", scene.bo.code), {"reason": "Again"}, follow=True)

    assert (empty.status_code, done.status_code) == (422, 302)
    assert "is not waited for" in late.content.decode()
    assert "Ill for weeks" in late.content.decode()


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


# --- interviews -------------------------------------------------------------------------------------------------------


def interview_form(scene: Scene, page: Any, **changes: Any) -> dict[str, Any]:
    day = (timezone.localdate() + timedelta(days=30)).isoformat()
    lead, bo = str(scene.cast.ana.code), str(scene.cast.bo.code)
    return {**form_of(page), "day": day, "at": "10:00", "lead": lead, "interviewers": [bo], **changes}


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

    # session, person, application; people; plan, optional, lifted trees, newest versions
    for each in (scene, more):
        with django_assert_num_queries(8):
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
