"""Automatic judges: by file and by token, all or nothing, once; sealed, never a rater, measured aside."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from interviews.enums import Aim
from interviews.models import Interview, Text
from people.models import Job, Person
from people.refusal import Refused
from scoring.models import CalibrationRun, Judge, JudgeBatch, JudgeRating
from scoring.queries.panel import load_inputs
from scoring.rules.judging import REQUESTS, Said
from scoring.services.calibration import calibrate_closed
from scoring.services.judges import close_judge, let_judges_count, renew_token
from scoring.services.judging import take_ratings
from scoring.services.panels import compile_application
from tests.cast import Cast
from tests.scoring.test_calibration_runs import Shop
from tests.support.factories import Scene
from tests.support.judges import Judged, a_judge, judged, said_of
from tests.support.pages import as_
from tests.support.panel_page import hand_in_all, make_judged_scene

pytestmark = pytest.mark.db

API = "/api/judge/ratings"


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return hand_in_all(make_judged_scene(cast))


@pytest.fixture
def rater(scene: Scene) -> Judged:
    return judged(scene, note="Names the trade-off.")


def kept() -> int:
    return JudgeRating.objects.unsealed_for_compiling().count()


def send(token: str, body: object, **more: Any) -> tuple[int, dict[str, Any]]:
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}"}
    answer = Client(enforce_csrf_checks=True).post(API, raw, content_type="application/json", headers=headers, **more)
    return answer.status_code, answer.json()


def row_of(said: Said, **more: object) -> dict[str, object]:
    return {
        "reference": str(said.reference),
        "probe": f"{said.tree}/{said.probe}",
        "dimension": said.aim.value,
        "rating": said.rating,
        "note": said.note,
        **more,
    }


# --- by token ---------------------------------------------------------------------------------------------------------


def test_ratings_are_taken_once_however_often_they_are_sent(rater: Judged) -> None:
    body = {"key": "run-1", "ratings": [row_of(*rater.said)]}

    assert send(rater.token, body) == (201, {"taken": 1, "known": 0, "repeated": False})
    assert send(rater.token, body) == (200, {"taken": 1, "known": 0, "repeated": True})
    assert send(rater.token, {**body, "key": "run-2"}) == (201, {"taken": 0, "known": 1, "repeated": False})
    assert kept() == 1
    note = Text.objects.get(body="Names the trade-off.")
    assert (note.frozen, note.author_id) == (True, None)

    status, answer = send(rater.token, {"key": "run-1", "ratings": [row_of(*rater.said, rating=2)]})
    assert (status, answer["problems"][0]["says"]) == (409, "This key stands for other ratings.")
    status, answer = send(rater.token, {"key": "run-3", "ratings": [row_of(*rater.said, rating=2)]})
    assert (status, answer["problems"][0]["row"]) == (422, 1)
    assert "rated the answer before, 3 and not 2" in answer["problems"][0]["says"]
    assert kept() == 1


def test_one_bad_row_and_nothing_is_taken(rater: Judged) -> None:
    (good,) = rater.said
    rows = [
        row_of(good),
        row_of(good),
        row_of(good, probe="data-parallel/never"),
        row_of(good, dimension="hands_on"),
        row_of(good, reference="0b7a1c5e-7a8e-4a53-9a0c-3a1f6a2b9c10"),
        row_of(good, time="2999-01-01T00:00:00Z"),
    ]

    status, answer = send(rater.token, {"key": "bad", "ratings": rows})

    assert status == 422
    assert [problem["row"] for problem in answer["problems"]] == [2, 3, 4, 5, 6]
    assert all(problem["remedy"] for problem in answer["problems"])
    assert (kept(), JudgeBatch.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b"{", 422),
        (b"\xff\xfe", 422),
        (b"[" * 100_000, 422),
        ([], 422),
        ({"key": "k"}, 422),
        ({"key": "k", "ratings": [1]}, 422),
        ({"key": "k", "ratings": []}, 422),
        ({"ratings": [{}]}, 422),
        (b'{"key": "\\ud800", "ratings": [{}]}', 422),
        (b" " * (1024 * 1024 + 1), 413),
    ],
)
def test_what_is_no_batch_is_refused_in_words(rater: Judged, body: object, status: int) -> None:
    found, answer = send(rater.token, body)

    assert (found, bool(answer["problems"][0]["remedy"])) == (status, True)


def test_a_token_is_worth_what_its_judge_and_its_maker_are(scene: Scene, rater: Judged) -> None:
    body = {"key": "k", "ratings": [row_of(*rater.said)]}
    assert send("forged", body)[0] == 401
    assert Client().post(API, body, content_type="application/json").status_code == 401

    fresh = renew_token(judge=rater.judge, by=scene.cast.mara)
    assert (send(rater.token, body)[0], send(fresh, body)[0]) == (401, 201)

    scene.position.managers.remove(scene.cast.mara)
    status, answer = send(fresh, {"key": "other", "ratings": [row_of(*rater.said)]})
    assert (status, "within reach" in answer["problems"][0]["says"]) == (422, True)

    close_judge(judge=rater.judge, by=scene.cast.mara)
    assert send(fresh, body)[0] == 401
    with pytest.raises(Refused, match="closed"):
        renew_token(judge=rater.judge, by=scene.cast.mara)


def test_a_judge_whose_maker_has_left_is_let_in_no_more(scene: Scene, rater: Judged) -> None:
    Person.objects.filter(pk=scene.cast.mara.pk).update(is_active=False)

    assert send(rater.token, {})[0] == 401


def test_too_many_requests_in_a_minute_are_told_to_wait(rater: Judged) -> None:
    Judge.objects.filter(pk=rater.judge.pk).update(metered=REQUESTS, metered_from=timezone.now())

    status, answer = send(rater.token, {})

    assert (status, answer["problems"][0]["says"]) == (429, "Too many requests.")
    Judge.objects.filter(pk=rater.judge.pk).update(metered_from=timezone.now() - timedelta(minutes=2))
    assert send(rater.token, {})[0] == 422


def test_an_interview_that_is_not_over_is_not_rated(scene: Scene, rater: Judged) -> None:
    Interview.objects.filter(pk=scene.interview.pk).update(status="live", ended_at=None)

    status, answer = send(rater.token, {"key": "k", "ratings": [row_of(*rater.said)]})

    assert (status, answer["problems"][0]["says"]) == (422, "This interview is not over.")


def test_an_application_may_be_named_in_place_of_the_interview(scene: Scene, rater: Judged) -> None:
    body = {"key": "k", "ratings": [row_of(*rater.said, reference=str(scene.application.code))]}

    assert send(rater.token, body)[0] == 201


def test_many_ratings_cost_no_more_queries_than_one(
    scene: Scene, rater: Judged, django_assert_max_num_queries: Any
) -> None:
    answers = scene.interview.asked.filter(probe__isnull=False, retracted_at__isnull=True).select_related(
        "probe__version__tree"
    )
    said = [
        said_of(one, 2, row=place, aim=Aim(aim))
        for place, (one, aim) in enumerate((one, aim) for one in answers for aim in one.probe.aims)
    ]
    assert len(said) > 3

    with django_assert_max_num_queries(16):
        take_ratings(judge=rater.judge, key="many", said=said)


# --- by file ----------------------------------------------------------------------------------------------------------


def written(tmp_path: Path, text: str | bytes) -> Path:
    path = tmp_path / "ratings.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def imported(path: Path, judge: str = "Rater", *more: str) -> str:
    out = StringIO()
    call_command("judge", "import", str(path), "--judge", judge, *more, stdout=out)
    return out.getvalue()


def refused(path: Path, judge: str = "Rater", *more: str) -> str:
    with pytest.raises(CommandError) as found:
        imported(path, judge, *more)
    return str(found.value)


def test_a_file_is_taken_whole_and_once(tmp_path: Path, rater: Judged) -> None:
    (said,) = rater.said
    path = written(
        tmp_path, f"Reference;probe;dimension;rating;why\n{said.reference};{said.tree}/{said.probe};depth;3;x\n"
    )

    assert "1 rating taken" in imported(path)
    assert "This file came before; nothing changed." in imported(path)
    assert kept() == 1


def test_a_bad_file_is_refused_with_rows_and_nothing_is_taken(tmp_path: Path, scene: Scene, rater: Judged) -> None:
    (said,) = rater.said
    good = f"{said.reference},{said.tree}/{said.probe},depth"
    head = "reference,probe,dimension,rating\n"

    assert "Row 3: The rating '7' is not on the scale." in refused(written(tmp_path, f"{head}{good},3\n{good},7\n"))
    assert "Row 3: It rates again what row 2 rates." in refused(written(tmp_path, f"{head}{good},3\n{good},3\n"))
    assert "no column dimension and rating" in refused(written(tmp_path, "reference,probe\na,b\n"))
    assert "The file is empty" in refused(written(tmp_path, ""))
    assert "not one row" in refused(written(tmp_path, head))
    assert "Row 2: not as many cells" in refused(written(tmp_path, f"{head}{good}\n"))
    assert "not UTF-8" in refused(written(tmp_path, f"{head}é".encode("latin-1")))
    assert "can't be read" in refused(tmp_path / "none.csv")
    assert "The key is missing" in refused(written(tmp_path, f"{head}{good},3\n"), "Rater", "--key", "")
    assert "There are Rater 1." in refused(written(tmp_path, f"{head}{good},3\n"), "Nobody")
    a_judge(scene.cast.mara, version="2")
    assert "several versions (1 and 2)" in refused(written(tmp_path, f"{head}{good},3\n"))
    assert "1 rating taken" in imported(written(tmp_path, f"{head}{good},3\n"), "Rater", "--version-of-judge", "2")
    assert kept() == 1


# --- no rater ---------------------------------------------------------------------------------------------------------


def test_a_judge_is_no_rater_and_moves_no_card(scene: Scene, rater: Judged) -> None:
    before = compile_application(scene.application.pk)
    inputs = load_inputs(scene.application.pk)
    Job.objects.all().delete()

    take_ratings(judge=rater.judge, key="k", said=rater.said)

    assert load_inputs(scene.application.pk) == inputs
    assert compile_application(scene.application.pk) == before
    assert not Job.objects.exists()

    let_judges_count(position=scene.position, by=scene.cast.mara, counts=True)
    assert Job.objects.filter(name="scoring.compile_panel").count() == 1
    after = compile_application(scene.application.pk)
    assert after is not None
    assert before is not None
    # There is no calibration yet: nothing else reads them.
    assert after.content == before.content


def test_a_judge_gets_severity_and_fit_and_moves_no_one(cast: Cast) -> None:
    shop = Shop(cast)
    interviews = [shop.apply() for _ in range(5)]
    without = calibrate_closed()
    judge, _token = a_judge(cast.mara)
    answers = [one for interview in interviews for one in interview.asked.select_related("probe__version__tree")]
    take_ratings(judge=judge, key="k", said=[said_of(one, 0, row=row) for row, one in enumerate(answers)])

    run = calibrate_closed()

    assert run is not None
    assert without is not None
    assert run.number == without.number + 1
    (row,) = run.content["second_step"]["judges"]
    assert (row["id"], row["n"], row["candidates"]) == (str(judge.pk), 15, 5)
    assert row["estimate"] > max(one["estimate"] for one in run.content["interviewers"])  # nobody is stricter
    assert {**run.content, "second_step": None} == {**without.content, "second_step": None}
    assert held(run) == held(without)
    page = as_(cast.mara).get(reverse("scoring:judge", kwargs={"code": judge.code})).content.decode()
    assert "It is stricter than interviewers." in page


def test_a_judge_counts_where_the_position_says_so_and_is_still_no_rater(cast: Cast) -> None:
    shop = Shop(cast)
    interviews = [shop.apply() for _ in range(5)]
    without = calibrate_closed()
    before = compile_application(interviews[0].application_id)
    judge, _token = a_judge(cast.mara)
    answers = [one for interview in interviews for one in interview.asked.select_related("probe__version__tree")]
    take_ratings(judge=judge, key="k", said=[said_of(one, 4, row=row) for row, one in enumerate(answers)])
    let_judges_count(position=shop.position, by=cast.mara, counts=True)

    run = calibrate_closed()
    after = compile_application(interviews[0].application_id)

    assert run is not None
    assert without is not None
    assert run.content["second_step"]["judges"] == []
    assert [row["id"] for row in run.content["judges"]] == [str(judge.pk)]
    assert {row["id"] for row in run.content["interviewers"]} == {str(cast.ana.pk), str(cast.bo.pk)}
    assert run.content["candidates"] != without.content["candidates"]
    assert after is not None
    assert before is not None
    dimension, was = (card.content["dimensions"]["depth"] for card in (after, before))
    for figure in ("value", "raters", "independent_raters", "by_rater", "provisional"):
        assert dimension[figure] == was[figure]
    assert dimension["calibrated"]["value"] != was["calibrated"]["value"]
    assert {row["person"] for row in after.content["calibration"]["severities"]} == {cast.ana.pk, cast.bo.pk}


def held(run: CalibrationRun) -> bytes:
    return bytes(CalibrationRun.objects.get(pk=run.pk).held)


# --- pages ------------------------------------------------------------------------------------------------------------


def test_a_judges_token_is_shown_once(scene: Scene) -> None:
    client = as_(scene.cast.mara)
    made = {"name": "Rater", "kind": "test_suite", "version": "2026-11"}

    shown = client.post("/judges/", made)

    assert shown.status_code == 200
    judge = Judge.objects.get()
    token = str(BeautifulSoup(shown.content, "html.parser").select_one("#token")["value"])  # type: ignore[index]
    assert len(token) > 30
    assert token not in client.get(f"/judges/{judge.code}/").content.decode()
    assert token not in str(Judge.objects.values())
    assert send(token, {})[0] == 422
    again = client.post("/judges/", made)
    assert (again.status_code, Judge.objects.count()) == (422, 1)


def test_what_a_judge_says_is_marked_automatic_wherever_it_stands(scene: Scene, rater: Judged) -> None:
    take_ratings(judge=rater.judge, key="k", said=[replace(rater.said[0], rating=1)])
    client = as_(scene.cast.mara)
    code = scene.application.code

    page = client.get(f"/applications/{code}/judges/").content.decode()
    panel = client.get(f"/applications/{code}/panel/").content.decode()
    told = client.get(f"/applications/{code}/panel/?format=json").json()

    assert "Rater 1" in page
    assert "automatic" in page
    assert "Names the trade-off." in page
    assert "Automatic: Rater 1. These ratings change nothing on this card." in panel
    assert (told["automatic_judges"], told["automatic_judges_count"]) == (["Rater 1"], False)
    let_judges_count(position=scene.position, by=scene.cast.mara, counts=True)
    told = client.get(f"/applications/{code}/panel/?format=json").json()
    assert told["automatic_judges_count"] is True
