"""The marks of a position as CSV: whose, which, and how they leave."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse
from django.test import Client

from interviews.models import Asked, CandidateIdentity, Reveal, Void
from people.answers import streamed
from people.models import AuditEntry
from people.spreadsheets import as_csv, csv_in_parts
from tests.cast import Cast
from tests.support.factories import Scene, make_interview
from tests.support.judging import submit
from tests.support.pages import as_
from tests.support.panel_page import hand_in_all, make_judged_scene


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return make_judged_scene(cast)


def address(scene: Scene) -> str:
    return f"/positions/{scene.position.code}/marks.csv"


def read(client: Client, scene: Scene) -> list[dict[str, str]]:
    answer = client.get(address(scene))
    assert answer.status_code == 200
    return rows_of(answer)


def rows_of(answer: Any) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(answer.getvalue().decode("utf-8-sig"))))


@pytest.mark.db
def test_every_mark_of_every_card_is_a_row(scene: Scene) -> None:
    hand_in_all(scene)

    rows = read(as_(scene.cast.mara), scene)

    assert [(row["interviewer"], row["role"]) for row in rows] == (
        [("Ana", "lead")] * 5 + [("Bo", "interviewer")] * 3 + [("Chen", "interviewer")] * 3
    )
    first = rows[1]
    assert {name: first[name] for name in ("tree", "probe", "level", "aims", "outcome", "aid")} == {
        "tree": "data-parallel",
        "probe": "l2",
        "level": "2",
        "aims": "depth why",
        "outcome": "sustained",
        "aid": "unaided",
    }
    assert (first["depth"], first["why"], first["hands_on"]) == ("3", "4", "")
    assert (first["revision"], first["after_seeing_others"], first["voided"], first["taken_back"]) == (
        *("1", "no"),
        *("no", "no"),
    )


@pytest.mark.db
def test_what_was_voided_or_taken_back_stays_and_says_so(scene: Scene) -> None:
    hand_in_all(scene)
    tree = scene.versions[0].tree
    Void.objects.create(position=scene.position, tree=tree, probe_key="l2", by=scene.cast.mara, reason="Ambiguous")
    asked = Asked.objects.get(interview=scene.interview, probe=scene.probe("l3"))
    Asked.objects.filter(pk=asked.pk).update(retracted_at=scene.interview.starts_at)

    rows = read(as_(scene.cast.mara), scene)

    assert {(row["tree"], row["probe"]) for row in rows if row["voided"] == "yes"} == {("data-parallel", "l2")}
    assert {(row["tree"], row["probe"]) for row in rows if row["taken_back"] == "yes"} == {("data-parallel", "l3")}


@pytest.mark.db
def test_sealed_marks_are_no_rows(scene: Scene) -> None:
    submit(scene.ana)
    submit(scene.bo)

    assert read(as_(scene.cast.mara), scene) == []
    assert not Reveal.objects.exists()


@pytest.mark.db
def test_a_manager_who_rates_reads_by_the_raters_rule(scene: Scene) -> None:
    scene.position.managers.add(scene.cast.ana)
    scene.cast.ana.roles = ["interviewer", "manager"]
    scene.cast.ana.save()
    ana = as_(scene.cast.ana)
    submit(scene.bo)
    before = read(ana, scene)
    submit(scene.ana)

    after = read(ana, scene)

    assert before == []
    assert {row["interviewer"] for row in after} == {"Ana", "Bo"}
    assert list(Reveal.objects.values_list("viewer__name", "seat", "what", "rule")) == [
        ("Ana", scene.bo.pk, "card", "after_own")
    ]


@pytest.mark.db
def test_a_duty_on_one_person_hides_that_persons_rows_alone(scene: Scene) -> None:
    hand_in_all(scene)
    scene.position.managers.add(scene.cast.chen)
    scene.cast.chen.roles = ["interviewer", "manager"]
    scene.cast.chen.save()
    assert {row["interviewer"] for row in read(as_(scene.cast.chen), scene)} == {"Ana", "Bo", "Chen"}
    make_interview(scene.application, lead=scene.cast.chen)

    assert {row["interviewer"] for row in read(as_(scene.cast.chen), scene)} == {"Chen"}


@pytest.mark.db
def test_taking_it_along_is_written_down(scene: Scene) -> None:
    hand_in_all(scene)

    answer = as_(scene.cast.mara).get(address(scene))

    assert answer.headers["Content-Disposition"] == f'attachment; filename="marks-{scene.position.code}.csv"'
    assert answer.headers["Cache-Control"].endswith("no-store, must-revalidate, private")
    entry = AuditEntry.objects.get(action="marks.exported")
    assert (entry.actor, entry.object_id, entry.data) == (scene.cast.mara, str(scene.position.pk), {"cards": 3})
    seen = Reveal.objects.filter(viewer=scene.cast.mara, what="card", rule="all_in")
    assert set(seen.values_list("seat", flat=True)) == {scene.ana.pk, scene.bo.pk, scene.chen.pk}


@pytest.mark.db
def test_no_spreadsheet_runs_a_name(scene: Scene) -> None:
    hand_in_all(scene)
    CandidateIdentity.objects.update(name='=HYPERLINK("http://x.example")')

    assert read(as_(scene.cast.mara), scene)[0]["candidate"] == '\'=HYPERLINK("http://x.example")'


@pytest.mark.unit
def test_a_table_in_parts_is_the_table() -> None:
    head, rows = ("a", "b"), [(number, f"={number}") for number in range(5)]

    parts = list(csv_in_parts(head, iter(rows), lines=2))

    assert len(parts) == 3
    assert "".join(parts) == as_csv(head, rows)
    assert list(csv_in_parts(head, [])) == [as_csv(head, [])]


@pytest.mark.unit
def test_a_stream_makes_no_part_before_it_is_asked_for() -> None:
    made = []

    def parts() -> Any:
        for number in range(3):
            made.append(number)
            yield str(number)

    answer = streamed(HttpRequest(), parts(), "text/csv", "x.csv")

    assert isinstance(answer, StreamingHttpResponse)
    assert made == []
    assert next(iter(answer)) == b"0"
    assert made == [0]


@pytest.mark.unit
async def test_a_server_sends_each_part_as_it_is_made() -> None:
    """Under ASGI Django would make them all before it sends the first."""
    made = []

    def parts() -> Any:
        for number in range(3):
            made.append(number)
            yield str(number)

    request = ASGIRequest({"type": "http", "method": "GET", "path": "/", "headers": []}, io.BytesIO())
    answer = aiter(streamed(request, parts(), "text/csv", "x.csv"))

    assert (await anext(answer), made) == (b"0", [0])
    assert [part async for part in answer] == [b"1", b"2"]
