"""Candidates side by side, and one candidate over all applications: who reads what of them, in which order."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from bs4 import BeautifulSoup
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from interviews.enums import InterviewStatus
from interviews.models import Application, CandidateIdentity, Reveal
from scoring.services.panels import compile_application
from tests.cast import Cast
from tests.support.compared import calibrate, copy_card
from tests.support.factories import Scene, make_application, make_interview, make_position
from tests.support.judging import submit
from tests.support.pages import as_, words
from tests.support.panel_page import hand_in_all, make_judged_scene

pytestmark = pytest.mark.db


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return hand_in_all(make_judged_scene(cast))


def address(scene: Scene, query: str = "") -> str:
    return f"/positions/{scene.position.code}/compare/{query}"


def page_of(response: Any) -> BeautifulSoup:
    assert response.status_code == 200
    return BeautifulSoup(response.content, "html.parser")


def names(page: BeautifulSoup) -> list[str]:
    return [row.get_text() for row in page.select("table.compare tbody th[scope=row]")]


def rename(application: Application, name: str) -> None:
    CandidateIdentity.objects.filter(candidate=application.candidate_id).update(name=name)


@pytest.fixture
def four(scene: Scene) -> list[Application]:
    """Kim, and three others whose calibrated depth lies below, over and above Kim's."""
    others = copy_card(scene.application, scene.position, 3)
    for application, name in zip(others, ("Abe", "Bea", "Cal"), strict=True):
        rename(application, name)
    low, near, high = others
    calibrate(scene.application, depth=(3.0, 2.5, 3.4), why=(2.2, 1.6, 2.9))
    calibrate(low, depth=(1.9, 1.4, 2.4), why=(2.5, 2.0, 3.0))
    calibrate(near, depth=(2.7, 2.2, 3.1))
    calibrate(high, depth=(3.6, 3.5, 3.8))
    return [scene.application, *others]


# --- side by side -----------------------------------------------------------------------------------------------------


def test_intervals_that_overlap_are_said_to_overlap_and_drawn_on_one_axis(
    scene: Scene, four: list[Application]
) -> None:
    query = "&".join(f"c={application.code}" for application in four[:3]) + f"&against={four[0].code}"

    page = page_of(as_(scene.cast.mara).get(address(scene, f"?{query}")))

    said = page.select_one("#say")
    assert said is not None
    assert "Overlaps Kim Lindqvist: Bea. Above: none. Below: Abe." in said.get_text()
    assert "Overlapping intervals do not order people." in said.get_text()
    plot = page.select_one("svg.plot--map")
    assert plot is not None
    assert plot["aria-describedby"] == "say"
    assert len(plot.select("circle.p-dot")) == 5  # three on depth, two on why
    assert len(plot.select("rect.p-band")) == 2
    assert names(page) == ["Kim Lindqvist", "Abe", "Bea"]
    assert "3 of 4 candidates." in page.get_text()


def test_without_a_calibration_no_interval_is_made_up(scene: Scene) -> None:
    copy_card(scene.application, scene.position, 1)

    page = page_of(as_(scene.cast.mara).get(address(scene)))

    assert "No calibrated value, so no 95% interval" in page.get_text()
    assert page.select("path.p-range, path.p-cap") == []
    cells = [cell.get_text() for cell in page.select("table.compare tbody tr")[0].select("td")]
    assert "2.4 raw, 1.7 to 3.2" in cells[2]


def test_columns_say_dimensions_floors_gaps_and_recommendations(scene: Scene) -> None:
    Application.objects.filter(pk=scene.application.pk).update(decision="offer", decided_at=timezone.now())

    page = page_of(as_(scene.cast.mara).get(address(scene)))

    heads = [head.get_text() for head in page.select("table.compare thead th")]
    assert heads == [
        *("Training", "Candidate", "Interviewers", "Depth", "Why", "Hands-on", "Breadth"),
        *("Data parallel", "Zero stages", "Not covered", "Recommendations", "Decision"),
    ]
    cells = [cell.get_text() for cell in page.select("table.compare tbody td")]
    floors = ["1 to at least 3, disagree", "1"]
    assert cells[-5:] == [*floors, "1", "Yes 1, No 1, No decision 1", "Make an offer"]


def test_a_column_sorts_where_the_reader_may_see_all(scene: Scene, four: list[Application]) -> None:
    page = page_of(as_(scene.cast.mara).get(address(scene, "?order=-depth")))

    assert names(page) == ["Cal", "Kim Lindqvist", "Bea", "Abe"]
    sorts = {head.get_text(strip=True): head["aria-sort"] for head in page.select("th[aria-sort]")}
    assert sorts == {
        "Depth↓": "descending",
        "Why": "none",
        "Hands-on": "none",
        "Breadth": "none",
        "Not covered": "none",
    }
    turned = page.select_one("th[aria-sort=descending] a")
    assert turned is not None
    assert names(page_of(as_(scene.cast.mara).get(address(scene, str(turned["href"]))))) == names(page)[::-1]


def test_with_one_sealed_nothing_sorts_and_the_order_is_that_of_application(
    scene: Scene, four: list[Application]
) -> None:
    make_interview(four[3], lead=scene.cast.ana)  # still to come: sealed
    mara = as_(scene.cast.mara)

    plain, asked = (page_of(mara.get(address(scene, query))) for query in ("", "?order=-depth"))

    assert names(plain) == names(asked) == ["Kim Lindqvist", "Abe", "Bea", "Cal"]
    assert asked.select("[aria-sort], a.compare__sort") == []
    assert "1 is sealed for you." in asked.get_text()
    assert asked.select("table.compare tbody tr")[3].get_text(" ", strip=True) == "Cal sealed"
    # Those who can be read may be sorted among themselves.
    chosen = "&".join(f"c={application.code}" for application in four[:3])
    assert names(page_of(mara.get(address(scene, f"?{chosen}&order=-depth")))) == ["Kim Lindqvist", "Bea", "Abe"]


def test_the_json_says_what_the_page_does(scene: Scene, four: list[Application]) -> None:
    make_interview(four[3], lead=scene.cast.ana)
    Application.objects.filter(pk=four[3].pk).update(decision="no_offer", decided_at=timezone.now())

    answer = as_(scene.cast.mara).get(address(scene, "?format=json")).json()

    assert (answer["total"], answer["sortable"], answer["order"]) == (4, False, "applied")
    assert [row["state"] for row in answer["candidates"]] == ["readable", "readable", "readable", "sealed"]
    depth = answer["candidates"][1]["dimensions"]["depth"]
    assert depth["calibrated"] == {"value": 1.9, "low": 1.4, "high": 2.4}
    assert depth["relation"] == "below"
    assert answer["candidates"][3].keys() == {"application", "name", "state"}


def test_codes_of_nobody_here_are_left_out_in_words(scene: Scene, four: list[Application]) -> None:
    elsewhere = make_application(make_position(scene.cast.nils, title="Another"))
    mara = as_(scene.cast.mara)

    for code in ("nonsense", uuid4(), elsewhere.code):
        page = page_of(mara.get(address(scene, f"?c={four[1].code}&c={code}&against=x&order=nothing")))
        assert names(page) == ["Abe"]
        assert "are left out" in page.get_text()
    everyone = page_of(mara.get(address(scene, f"?c={elsewhere.code}")))
    assert len(names(everyone)) == 4
    assert "are left out" in everyone.get_text()


def test_an_empty_position_says_so(cast: Cast) -> None:
    position = make_position(cast.mara)

    assert "Nobody has applied yet." in words(as_(cast.mara).get(f"/positions/{position.code}/compare/"))


def test_whose_card_was_seen_is_written_down_once_and_only_what_was_seen(scene: Scene, four: list[Application]) -> None:
    make_interview(four[3], lead=scene.cast.ana)
    mara = as_(scene.cast.mara)

    for _ in range(2):
        mara.get(address(scene))

    seen = Reveal.objects.filter(viewer=scene.cast.mara, what="panel", seat=None)
    assert sorted(seen.values_list("application", "rule")) == [(row.pk, "all_in") for row in four[:3]]


def test_opened_early_is_what_the_ledger_says_then(cast: Cast) -> None:
    scene = make_judged_scene(cast)
    submit(scene.ana)
    compile_application(scene.application.pk)
    mara = as_(cast.mara)
    mara.post(f"/applications/{scene.application.code}/panel/open-early/", {"reason": "An offer elsewhere"})

    page = page_of(mara.get(address(scene)))

    assert "3.2" in page.select("table.compare tbody tr")[0].get_text()
    assert [(row.what, row.rule) for row in Reveal.objects.filter(viewer=cast.mara)] == [("panel", "opened")]


def test_a_manager_who_rates_somebody_reads_their_row_by_the_raters_rule(cast: Cast) -> None:
    scene = make_judged_scene(cast)
    scene.position.managers.add(cast.ana)
    cast.ana.roles = ["interviewer", "manager"]
    cast.ana.save()
    submit(scene.ana)
    submit(scene.bo)

    page = page_of(as_(cast.ana).get(address(scene)))

    assert page.select("table.compare tbody tr")[0].get_text(" ", strip=True) == "Kim Lindqvist sealed"


def test_thirty_cost_as_many_queries_as_two(scene: Scene) -> None:
    mara = as_(scene.cast.mara)
    counted = []
    for more in (1, 28):
        copy_card(scene.application, scene.position, more, name=f"More {more}")
        mara.get(address(scene))  # what is written down once
        for query in ("", "?order=-depth", "?format=json"):
            with CaptureQueriesContext(connection) as captured:
                answer = mara.get(address(scene, query))
            assert answer.status_code == 200
            counted.append(len(captured))

    assert counted == [9] * 6


# --- one candidate ----------------------------------------------------------------------------------------------------


def candidate(scene: Scene, query: str = "") -> str:
    return f"/candidates/{scene.application.candidate.code}/{query}"


def told(scene: Scene, who: str) -> dict[str, Any]:
    found: dict[str, Any] = as_(getattr(scene.cast, who)).get(candidate(scene, "?format=json")).json()
    return found


@pytest.fixture
def elsewhere(scene: Scene) -> Application:
    """Kim's application for a position of Nils's, with an interview of its own that is over."""
    position = make_position(scene.cast.nils, title="Another position")
    application = make_application(position, candidate=scene.application.candidate)
    make_interview(application, lead=scene.cast.sam, versions=scene.versions, status=InterviewStatus.ENDED)
    return application


def test_a_reader_finds_the_applications_they_have_a_part_in_and_no_other(scene: Scene, elsewhere: Application) -> None:
    found = {
        who: [row["position"] for row in told(scene, who)["applications"]]
        for who in ("mara", "ana", "nils", "sam", "ada")
    }

    here, there = "Training engineer", "Another position"
    assert found == {"mara": [here], "ana": [here], "nils": [there], "sam": [there], "ada": [here, there]}
    assert "Another position" not in words(as_(scene.cast.mara).get(candidate(scene)))
    assert as_(scene.cast.cora).get(candidate(scene)).status_code == 404


def test_all_applications_are_drawn_on_one_axis_with_who_judged(scene: Scene, elsewhere: Application) -> None:
    page = page_of(as_(scene.cast.ada).get(candidate(scene)))

    text = " ".join(page.get_text(" ").split())
    assert names(page) == ["Training engineer", "Another position"]
    assert "Ana 3.2 3.5 not enough evidence Yes" in text
    assert "Bo 1.7 not enough evidence not enough evidence No" in text
    assert len(page.select(f"a[href='/interviews/{scene.interview.code}/timeline/']")) == 1
    assert len(page.select("a[href^='/cards/']")) == 3


def test_a_rater_with_no_card_in_finds_no_judgement(cast: Cast) -> None:
    scene = make_judged_scene(cast)
    submit(scene.ana)
    submit(scene.bo)
    chen = as_(cast.chen)

    page = page_of(chen.get(candidate(scene)))

    assert "sealed" in page.get_text()
    assert page.select("svg.plot--map, a[href^='/cards/']") == []
    assert '"dimensions"' not in chen.get(candidate(scene, "?format=json")).content.decode()
    assert not Reveal.objects.filter(viewer=cast.chen).exists()


def test_a_duty_elsewhere_seals_the_whole_person(scene: Scene, elsewhere: Application) -> None:
    assert page_of(as_(scene.cast.ana).get(candidate(scene))).select("svg.plot--map")
    make_interview(elsewhere, lead=scene.cast.ana)

    page = page_of(as_(scene.cast.ana).get(candidate(scene)))

    assert page.select("svg.plot--map") == []
    assert [link["href"] for link in page.select("a[href^='/cards/']")] == [f"/cards/{scene.ana.code}/"]
