"""What the panel card's page says, in drawings, sentences and tables, and as JSON."""

from __future__ import annotations

import re

import pytest
from bs4 import BeautifulSoup
from django.utils import timezone
from pytest_django.fixtures import DjangoAssertNumQueries

from interviews.models import Mark, Seat
from scoring.enums import Recommendation
from scoring.queries.cards import working_card
from scoring.services.amendments import begin_amendment, hand_in_amendment
from scoring.services.panels import compile_application
from tests.cast import Cast
from tests.support.factories import Scene
from tests.support.judging import judge, submit
from tests.support.pages import as_, words
from tests.support.panel_page import hand_in_all, make_judged_scene, section, url

pytestmark = pytest.mark.db


@pytest.fixture
def scene(cast: Cast) -> Scene:
    return make_judged_scene(cast)


@pytest.fixture
def all_in(scene: Scene) -> Scene:
    return hand_in_all(scene)


def test_values_are_drawn_said_and_tabled(all_in: Scene) -> None:
    response = as_(all_in.cast.mara).get(url(all_in))

    page = BeautifulSoup(response.content, "html.parser")
    plot = page.select_one("svg.plot--dims")
    assert plot is not None
    said = "Depth: raw 2.40 (Ana 3.2, Bo 1.7, Chen 2.3). Why: raw 3.50 (Ana 3.5). Hands-on: not enough evidence."
    assert plot.desc.get_text() == said  # type: ignore[union-attr]
    assert [text.get_text() for text in plot.select(".t-initial")] == ["B", "C", "A", "A"]
    rows = [
        [cell.get_text(strip=True) for cell in row.select("th, td")]
        for row in page.select("section[aria-labelledby=dims] tr")
    ]
    assert rows == [
        ["Dimension", "Ana (A)", "Bo (B)", "Chen (C)", "Raw", "Calibrated", "95% interval"],
        ["Depth", "3.2", "1.7", "2.3", "2.40", "not yet", ""],
        ["Why", "3.5", "not enough evidence", "not enough evidence", "3.50", "not yet", ""],
        ["Hands-on", *["not enough evidence"] * 4, "not yet", ""],
    ]
    # The same for a narrow page, where the sentence below has the figures.
    narrow = page.select_one("svg.plot--dims.plot--narrow")
    assert narrow is not None
    assert [text.get_text() for text in narrow.select(".t-initial")] == ["B", "C", "A", "A"]
    assert len({tag["id"] for tag in page.select("[id]")}) == len(page.select("[id]"))


def test_the_page_leads_with_how_the_recommendations_spread(all_in: Scene) -> None:
    page = BeautifulSoup(as_(all_in.cast.mara).get(url(all_in)).content, "html.parser")

    first = page.select_one("main section")
    assert first is not None
    assert first.h2.get_text() == "The panel is split."  # type: ignore[union-attr]
    heads = [cell.get_text() for cell in first.select("thead th")]
    cells = [" ".join(cell.get_text(" ").split()) for cell in first.select("tbody td")]
    assert dict(zip(heads, cells, strict=True)) == {
        "Strong no": "nobody",
        "No": "B Bo",
        "Yes": "A Ana",
        "Strong yes": "nobody",
        "No decision": "C Chen",
    }
    assert first.caption.get_text() == "Who recommends what: No: Bo. Yes: Ana. No decision: Chen."  # type: ignore[union-attr]


def test_what_stands_behind_a_value_can_be_added_up(all_in: Scene) -> None:
    page = BeautifulSoup(as_(all_in.cast.mara).get(url(all_in)).content, "html.parser")

    depth, why = page.select_one("#behind-depth"), page.select_one("#behind-why")
    assert depth is not None
    assert why is not None
    assert depth.summary.get_text() == "Depth (3.20 + 1.67 + 2.33) / 3 = 2.40"  # type: ignore[union-attr]
    assert [" ".join(head.get_text("").split()) for head in depth.select("h3")] == [
        "Ana (A), 16 over 5 ratings: 3.20",
        "Bo (B), 5 over 3 ratings: 1.67",
        "Chen (C), 7 over 3 ratings: 2.33",
    ]
    chen = depth.select("table")[2]
    rows = [[" ".join(cell.get_text(" ").split()) for cell in row.select("td")] for row in chen.select("tbody tr")]
    assert rows == [
        ["", "3", "3"],
        ["", "3", "3"],
        ["Read about : From a blog post.", "4", "1 marked recited"],
    ]
    assert "Choice: Looks at the slowest link first." in " ".join(why.get_text().split())
    assert "Bo (B), one rating alone: not enough evidence" in " ".join(why.get_text().split())


def test_calibrated_values_are_said_to_be_missing(all_in: Scene) -> None:
    text = section(as_(all_in.cast.mara).get(url(all_in)), "calibrated")

    assert "No calibration has been run yet" in text
    assert "Raw Mean of the interviewers' values, each person once. 2.40 3.50 not enough evidence" in text
    assert "How little was seen 11 ratings of depth, 4 ratings of why, 3 ratings of hands-on." in text
    assert text.count("not yet") == 12  # three steps and the sum, of three dimensions


def test_provisional_dimensions_are_named(all_in: Scene) -> None:
    text = words(as_(all_in.cast.mara).get(url(all_in)))

    # Hands-on has no value at all, so there is nothing of it to call provisional.
    assert "Provisional. Why rests on 1 independent interviewer. With three" in text


def test_boundary_map_says_every_lane(all_in: Scene) -> None:
    response = as_(all_in.cast.mara).get(url(all_in))

    page = BeautifulSoup(response.content, "html.parser")
    rows = [
        [" ".join(cell.get_text(" ").split()) for cell in row.select("th, td")]
        for row in page.select("section[aria-labelledby=map] tbody tr")
    ]
    assert rows == [
        ["Data parallel", "Ana", "3", "at least 3", "At least 3. Time ran out."],
        ["Data parallel", "Bo", "1", "2", "Floor 1, ceiling 2. Wrong."],
        ["Data parallel", "Chen", "2", "3", "Floor 2, ceiling 3. Only the textbook."],
        ["Zero stages", "Ana", "1", "", "Floor 1, no ceiling."],
    ]
    drawings = page.select("svg.plot--map")
    assert len(drawings) == 2  # for wide pages and for narrow ones
    for drawing in drawings:
        marks = [len(drawing.select(kind)) for kind in (".p-floor-dot", ".p-open", ".p-arrow")]
        assert marks == [4, 2, 1]
        assert drawing.select_one(".p-clash-text").get_text() == "A and B differ by 2 levels"  # type: ignore[union-attr]


def test_findings_are_sentences(all_in: Scene) -> None:
    response = as_(all_in.cast.mara).get(url(all_in))

    assert section(response, "disagree") == (
        "Where the panel disagrees Data parallel Floors: Ana 3, Bo 1. Read the cards of Ana , Bo"
    )
    assert section(response, "gaps") == ("Not covered Hands-on Not enough evidence: nobody rated two probes of it.")
    assert section(response, "weak") == (
        "Weak spots, and what to ask "
        "Data parallel 2 of 3 heard a miss, around level 2. Ask: l2-again of data-parallel (level 2, 3 min) "
        "Zero stages Level 2 stayed unclear. Ask: l2-again of zero-stages (level 2, 3 min)"
    )
    assert section(response, "first").startswith(
        "Look here first Floors apart: Data parallel Floors: Ana 3, Bo 1. Hands-on"
    )
    assert "Breadth 1 topic with a floor of 2 or more Seen 5 probes in 1 interview" in section(response, "first")


def test_evidence_and_recommendations_have_their_words(all_in: Scene) -> None:
    response = as_(all_in.cast.mara).get(url(all_in))

    assert section(response, "evidence") == (
        "Evidence 3 pieces, strongest first Type What was said Where Heard by Counts for "
        "Debugged Pinned the network interface after three days. Data parallel , level 3 Ana, volunteered Hands-on "
        "Choice Looks at the slowest link first. Data parallel , level 2 Ana, asked for Why "
        "Read about From a blog post. Data parallel , level 3 Chen, volunteered Hands-on, at most 1 alone"
    )
    assert section(response, "recommend").startswith(
        "What the interviewers recommend Ana Yes. Finds causes, counts. Bo No. Recites. "
        "Chen No decision. Too little seen."
    )


def test_what_an_amendment_moved_is_said_with_its_reason(all_in: Scene) -> None:
    asked = all_in.interview.asked.get(probe__key="l2", probe__version=all_in.versions[0])
    begin_amendment(seat=all_in.bo)
    Mark.objects.written_by(all_in.bo).filter(asked=asked).update(depth=4, outcome="sustained")
    seat = Seat.objects.select_related("interview__application__position", "person").get(pk=all_in.bo.pk)
    hand_in_amendment(
        seat=seat,
        version=working_card(seat).version,
        summary="Recites.",
        recommendation=Recommendation.YES,
        reason="",
        amendment="I had marked the wrong question.",
    )
    compile_application(all_in.application.pk)

    text = section(as_(all_in.cast.mara).get(url(all_in)), "recommend")

    said = text.partition("What amendments moved")[2]
    assert said.split()[0] == "Bo"
    for part in (
        "I had marked the wrong question.",
        "after seeing others",
        "Recommendation: No, now Yes.",
        "The panel's raw value of depth was 2.40 and is 2.62.",
    ):
        assert part in said


def test_shadows_show_nowhere(scene: Scene) -> None:
    asked = scene.interview.asked.first()
    from_shadow = "Shadows see it too."
    assert asked is not None
    judge(scene.dee, asked, depth=0)
    submit(scene.dee, summary=from_shadow)
    for seat in (scene.ana, scene.bo, scene.chen):
        submit(seat)
    compile_application(scene.application.pk)
    client = as_(scene.cast.mara)

    html, data = client.get(url(scene)).content.decode(), client.get(url(scene, "?format=json")).content.decode()

    for leak in (from_shadow, "Dee", str(scene.dee.code)):
        assert not re.search(rf"\b{leak}\b", html)  # as a word: a random CSRF token may spell it
        assert leak not in data


def test_panel_is_there_as_json(all_in: Scene) -> None:
    response = as_(all_in.cast.mara).get(url(all_in), headers={"accept": "application/json"})

    panel = response.json()
    assert (panel["state"], panel["number"], panel["application"]) == ("readable", 1, str(all_in.application.code))
    assert panel["content"]["dimensions"]["depth"]["value"] == 2.4
    assert panel["people"] == {
        str(all_in.cast.ana.pk): {"code": str(all_in.cast.ana.code), "name": "Ana", "letter": "A"},
        str(all_in.cast.bo.pk): {"code": str(all_in.cast.bo.code), "name": "Bo", "letter": "B"},
        str(all_in.cast.chen.pk): {"code": str(all_in.cast.chen.code), "name": "Chen", "letter": "C"},
    }
    assert list(panel["trees"].values()) == [
        {"key": "data-parallel", "title": "Data parallel"},
        {"key": "zero-stages", "title": "Zero stages"},
    ]
    assert "Pinned the network interface after three days." in panel["statements"].values()
    assert "Accept" in response.headers["Vary"]


def test_a_lone_rater_makes_a_readable_card(scene: Scene) -> None:
    Seat.objects.filter(pk__in=[scene.bo.pk, scene.chen.pk]).update(card_excused_at=timezone.now())
    submit(scene.ana)
    compile_application(scene.application.pk)

    text = words(as_(scene.cast.mara).get(url(scene)))

    assert "Depth rests on 1 independent interviewer." in text


def test_queries_do_not_grow_with_cards(scene: Scene, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    client = as_(scene.cast.mara)
    Seat.objects.filter(pk__in=[scene.bo.pk, scene.chen.pk]).update(card_excused_at=timezone.now())
    submit(scene.ana)
    compile_application(scene.application.pk)
    client.get(url(scene))
    with django_assert_num_queries(19):
        client.get(url(scene))

    submit(scene.bo)
    submit(scene.chen)
    compile_application(scene.application.pk)

    with django_assert_num_queries(19):
        client.get(url(scene))
