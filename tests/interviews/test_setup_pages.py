"""The pages of positions and applications: what they send, what they say about mistakes, and what they cost."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils.datastructures import MultiValueDict
from pytest_django import DjangoAssertNumQueries

from interviews.enums import InterviewStatus, Role
from interviews.forms.applications import ApplicationForm
from interviews.models import Application, Position, Seat
from interviews.rules.uploads import LARGEST, MOST
from tests.cast import Cast
from tests.support.factories import (
    make_application,
    make_interview,
    make_plan,
    make_position,
    make_scene,
    make_tree,
)
from tests.support.forms import error_of, form_of, url

pytestmark = pytest.mark.db


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


@pytest.mark.parametrize(
    ("count", "size", "words"), [(MOST + 1, 6, "At most 20 files"), (1, LARGEST + 1, "cv.pdf is larger than 10 MB")]
)
def test_application_form_refuses_too_much_before_it_is_read(cast: Cast, count: int, size: int, words: str) -> None:
    position = make_position(cast.mara)
    papers = [SimpleUploadedFile("cv.pdf", b"%PDF-1".ljust(size)) for _ in range(count)]
    form = ApplicationForm({}, MultiValueDict({"documents": papers}), viewer=cast.mara, position=position)

    assert words in form.errors["documents"][0]
    assert all(paper.tell() == 0 for paper in papers)


def test_application_form_asks_for_a_name_where_nobody_is_known(client: Client, cast: Cast) -> None:
    position = make_position(cast.mara)
    client.force_login(cast.mara)
    sent = {**form_of(client.get(url("application-create", position.code))), "name": "", "known": "x"}

    answer = client.post(url("application-create", position.code), sent)

    assert answer.status_code == 422
    assert error_of(answer, "name")
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
