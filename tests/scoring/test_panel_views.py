"""The panel card's page: whom the seal lets, and in which state they find it."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from bs4 import BeautifulSoup
from django.db import connection
from django.utils import timezone

from interviews.enums import InterviewStatus, Role, SealingPolicy
from interviews.models import Application, Mark, Reveal, Seat, Text
from interviews.sealed import may_read_panel, readable_panel
from people.models import AuditEntry, Job, Person
from scoring.models import PanelScorecard
from scoring.services.panels import compile_application
from tests.cast import Cast
from tests.support.factories import Scene, make_interview, make_position, make_scene
from tests.support.judging import judged_scene, submit
from tests.support.pages import as_, words
from tests.support.panel_page import hand_in_all, make_judged_scene, url

pytestmark = pytest.mark.db


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return make_judged_scene(cast)


@pytest.fixture
def all_in(scene: Scene) -> Scene:
    return hand_in_all(scene)


# --- who sees it ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("submitted", ["", "ana", "ana bo"], ids=["no card in", "one in", "two in"])
@pytest.mark.parametrize(
    ("who", "status"),
    [
        ("ana", 403),
        ("bo", 403),
        ("chen", 403),
        ("dee", 403),
        ("eli", 403),
        ("mara", 200),
        ("ada", 200),
        ("nils", 404),
        ("cora", 404),
        ("sam", 404),
    ],
)
def test_before_all_is_in_only_who_is_in_charge_sees_the_page_and_no_judgement(
    scene: Scene, who: str, status: int, submitted: str
) -> None:
    for name in submitted.split():
        submit(getattr(scene, name), summary="Finds causes, counts.")
    compile_application(scene.application.pk)
    client = as_(getattr(scene.cast, who))

    html, as_json = client.get(url(scene)), client.get(url(scene, "?format=json"))

    assert (html.status_code, as_json.status_code) == (status, status)
    for answer in (html, as_json):
        text = answer.content.decode()
        assert "Finds causes" not in text
        assert '"dimensions"' not in text
    if status == 200:
        assert as_json.json()["panel"] is None


def test_raters_are_told_the_same_whoever_has_submitted(scene: Scene) -> None:
    client = as_(scene.cast.chen)
    before = client.get(url(scene))
    submit(scene.ana)
    submit(scene.bo)
    after = client.get(url(scene))

    def without_nonce(response: Any) -> str:
        page = BeautifulSoup(response.content, "html.parser")
        return str(page.main)

    assert without_nonce(before) == without_nonce(after)


def test_who_is_in_charge_is_told_what_is_missing(scene: Scene) -> None:
    submit(scene.ana)
    Seat.objects.filter(pk=scene.bo.pk).update(card_excused_at=timezone.now())
    make_interview(scene.application, lead=scene.cast.bo)

    text = words(as_(scene.cast.mara).get(url(scene)))

    assert "Sealed until everything is in." in text
    assert "Chen has not submitted a card yet." in text
    assert "Bo has not submitted" not in text
    assert "An interview is still to come." in text
    assert "Bo excused" in text


def test_waiting_as_json_names_what_is_missing(scene: Scene) -> None:
    submit(scene.ana)
    coming = make_interview(scene.application, lead=scene.cast.bo)

    answer = as_(scene.cast.mara).get(url(scene, "?format=json")).json()

    assert answer == {
        "application": str(scene.application.code),
        "state": "waiting",
        "missing": [{"seat": str(scene.bo.code), "name": "Bo"}, {"seat": str(scene.chen.code), "name": "Chen"}],
        "interviews_to_come": [str(coming.code)],
        "panel": None,
    }


def test_a_manager_who_rates_sees_the_panel_as_raters_do(scene: Scene) -> None:
    scene.position.managers.add(scene.cast.ana)
    submit(scene.ana)

    before = as_(scene.cast.ana).get(url(scene)).status_code
    submit(scene.bo)
    submit(scene.chen)

    assert (before, as_(scene.cast.ana).get(url(scene)).status_code) == (403, 200)


@pytest.mark.parametrize("opened", [False, True], ids=["sealed", "opened early"])
def test_whoever_lost_the_managers_role_is_a_stranger_though_still_named(scene: Scene, opened: bool) -> None:
    submit(scene.ana)
    compile_application(scene.application.pk)
    Application.objects.update(opened_at=timezone.now() if opened else None)
    client, application = as_(scene.cast.mara), scene.application
    pages = [url(scene), url(scene) + "open-early/", f"/interviews/{scene.interview.code}/room/"]
    before = [client.get(page).status_code for page in pages]

    Person.objects.filter(pk=scene.cast.mara.pk).update(roles=[])

    mara = Person.objects.get(pk=scene.cast.mara.pk)
    assert mara in scene.position.managers.all()
    assert before == [200, 403 if opened else 200, 403]
    assert [client.get(page).status_code for page in pages] == [404, 404, 404]
    assert client.post(pages[1], {"reason": "Curious."}).status_code == 404
    assert not may_read_panel(mara, application)
    assert [row.seat for row in Mark.objects.visible_to(mara)] == []


def test_two_managers_and_a_rater_see_each_row_once(all_in: Scene) -> None:
    """A join over the managers would double what a rater reads."""
    all_in.position.managers.add(all_in.cast.nils)

    assert Application.objects.filter(readable_panel(all_in.cast.ana, "")).count() == 1


def test_a_manager_who_owes_this_person_a_card_elsewhere_is_told_nothing(scene: Scene) -> None:
    elsewhere = make_position(scene.cast.nils, title="Another")
    other = elsewhere.applications.create(candidate=scene.application.candidate)
    make_interview(other, lead=scene.cast.mara)

    assert as_(scene.cast.mara).get(url(scene)).status_code == 403


def test_an_application_opened_early_is_read_by_who_is_in_charge_alone(scene: Scene) -> None:
    submit(scene.ana)
    compile_application(scene.application.pk)
    scene.application.opened_at = timezone.now()
    scene.application.save()

    response = as_(scene.cast.mara).get(url(scene))

    assert response.status_code == 200
    assert "Opened early. Cards may still be missing." in words(response)
    assert as_(scene.cast.bo).get(url(scene)).status_code == 403
    assert [(row.viewer_id, row.what, row.rule) for row in Reveal.objects.all()] == [
        (scene.cast.mara.pk, "panel", "opened")
    ]


@pytest.mark.parametrize("sealing", SealingPolicy)
@pytest.mark.parametrize(
    ("who", "status"),
    [("ana", 200), ("bo", 200), ("chen", 200), ("dee", 200), ("eli", 403), ("mara", 200), ("ada", 200), ("nils", 404)],
)
def test_when_all_is_in_it_is_open(cast: Cast, who: str, status: int, sealing: SealingPolicy) -> None:
    scene = make_scene(cast, status=InterviewStatus.LIVE, sealing=sealing)
    judged_scene(scene)
    for seat in (scene.ana, scene.bo, scene.chen):
        submit(seat)
    compile_application(scene.application.pk)

    assert as_(getattr(cast, who)).get(url(scene)).status_code == status


def test_a_further_interview_seals_it_again_until_it_is_over(all_in: Scene) -> None:
    make_interview(all_in.application, lead=all_in.cast.sam)

    assert as_(all_in.cast.ana).get(url(all_in)).status_code == 403
    assert "An interview is still to come." in words(as_(all_in.cast.mara).get(url(all_in)))


def test_the_ledger_names_each_reader_once(all_in: Scene) -> None:
    client = as_(all_in.cast.mara)
    client.get(url(all_in))
    client.get(url(all_in, "?format=json"))

    assert [(row.viewer_id, row.seat_id, row.what, row.rule) for row in Reveal.objects.all()] == [
        (all_in.cast.mara.pk, None, "panel", "all_in")
    ]


def test_unknown_applications_are_not_found(cast: Cast) -> None:
    assert as_(cast.ada).get(f"/applications/{uuid4()}/panel/").status_code == 404


def test_before_the_worker_is_done_the_page_looks_again(scene: Scene) -> None:
    for seat in (scene.ana, scene.bo, scene.chen):
        submit(seat)

    client = as_(scene.cast.mara)
    page = BeautifulSoup(client.get(url(scene)).content, "html.parser")

    assert page.select_one("[hx-trigger^=load]") is not None
    assert client.get(url(scene, "?format=json")).json()["state"] == "compiling"


def test_a_card_of_other_code_is_compiled_again_before_it_is_drawn(all_in: Scene) -> None:
    """An upgrade changes what a card holds: the page must neither fail on it nor draw it half."""
    Job.objects.update(started_at=timezone.now(), done_at=timezone.now())
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL sounding.eraser = 'on'")
    PanelScorecard.objects.update(code_version="panel-0", content={}, inputs={})
    client = as_(all_in.cast.mara)

    page, again = (BeautifulSoup(client.get(url(all_in)).content, "html.parser") for _ in range(2))

    assert page.select_one("[hx-trigger^=load]") is not None
    assert again.select_one("[hx-trigger^=load]") is not None
    assert Job.objects.filter(name="scoring.compile_panel", done_at=None).count() == 1
    compile_application(all_in.application.pk)
    assert "Behind the raw values" in words(client.get(url(all_in)))


def test_a_newer_card_under_way_is_said(all_in: Scene) -> None:
    Job.objects.update(done_at=timezone.now())
    assert "newer card" not in words(as_(all_in.cast.mara).get(url(all_in)))

    Job.objects.update(done_at=None)

    assert "A newer card is being put together" in words(as_(all_in.cast.mara).get(url(all_in)))


# --- opening early ----------------------------------------------------------------------------------------------------


def test_opening_early_needs_a_reason_and_is_logged(scene: Scene) -> None:
    submit(scene.ana)
    compile_application(scene.application.pk)
    client = as_(scene.cast.mara)
    address = url(scene) + "open-early/"

    empty = client.post(address, {"reason": " "})
    assert Application.objects.get().opened_at is None
    opened = client.post(address, {"reason": "The offer ends tonight."}, follow=True)

    assert (client.get(url(scene)).status_code, empty.status_code) == (200, 422)
    assert "Opened early. Who looks, and when, is written down." in words(opened)
    assert "Depth rests on 1 independent interviewer." in words(opened)
    application = Application.objects.get()
    assert (application.opened_by_id, application.opened_at is not None) == (scene.cast.mara.pk, True)
    entry = AuditEntry.objects.get(action="application.opened_early")
    assert Text.objects.get(pk=entry.data["text"]).body == "The offer ends tonight."
    assert "offer" not in str(entry.data)


@pytest.mark.parametrize(
    ("who", "status"),
    [("ana", 403), ("dee", 403), ("eli", 403), ("mara", 200), ("ada", 200), ("nils", 404), ("sam", 404)],
)
def test_only_who_is_in_charge_and_off_the_panel_opens_early(scene: Scene, who: str, status: int) -> None:
    client = as_(getattr(scene.cast, who))
    address = url(scene) + "open-early/"

    assert client.get(address).status_code == status
    if status != 200:
        assert client.post(address, {"reason": "Curious."}).status_code == status
        assert Application.objects.get().opened_at is None


def test_what_is_open_cannot_be_opened_again(all_in: Scene) -> None:
    assert as_(all_in.cast.mara).post(url(all_in) + "open-early/", {"reason": "Again."}).status_code == 403


def test_the_seal_says_the_same_to_everyone_it_keeps_out(scene: Scene) -> None:
    said = {words(as_(getattr(scene.cast, who)).get(url(scene))) for who in ("ana", "dee", "eli")}

    assert len(said) == 1
    assert "Sealed." in said.pop()


def test_a_lead_handed_over_stays_one_person(all_in: Scene) -> None:
    Seat.objects.filter(pk=all_in.ana.pk).update(role=Role.INTERVIEWER)
    compile_application(all_in.application.pk)

    assert as_(all_in.cast.ana).get(url(all_in)).status_code == 200
