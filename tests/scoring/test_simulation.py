"""Whole simulations against a real server: from signing in to the panel card, over HTTP and WebSocket alone."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from interviews.models import Consent, Interview
from scoring.models import PanelScorecard
from tests.cast import PASSWORD, Cast
from tests.support.factories import Scene, make_scene
from tests.support.simulating import GUIDE, demo_people_and_bank, example, played, script, stage
from tests.support.web import Web

pytestmark = pytest.mark.db

SMALL = """
format: 1
simulation: small
people: {ana: ana@sounding.example, bo: bo@sounding.example, eli: eli@sounding.example}
steps:
  - ana: {start: heard}
  - ana: {ask: data-parallel/root}
  - ana: {mark: {outcome: sustained, depth: 3}}
    bo: [{mark: {outcome: partial, depth: 2}}, {mark: {depth: 1}}, {evidence: {type: built, detail: a ring, as: ring}}]
    eli: {mark: {outcome: partial}}
  - bo: [{edit: {of: ring, detail: two rings}}, {note: "good, but slow"}, {note: {text: tired, whole: true}}]
  - ana: {hand_over: bo}
  - bo: [{ask: data-parallel/l2}, {mark: {outcome: sustained, depth: 3}}, {remove: ring}, {boundary: time}]
  - bo: end
expect:
  accepted: {ana: 4, bo: 11}
  refused: {eli: [no_right]}
"""


@pytest.fixture
def scene(transactional_db: None, cast: Cast) -> Scene:
    return make_scene(cast)


@pytest.mark.long
def test_the_manuals_example_runs_to_the_boundary_and_its_panel_card(whole_site: Web) -> None:
    demo_people_and_bank()

    outcome = played(script(example(), GUIDE.name), stage(whole_site))

    assert outcome.failures == []
    assert [took.lines for took in outcome.people.values()] == [1, 2, 1, 1, 1]
    interview = Interview.objects.get(code=outcome.interview)
    assert (interview.status, interview.application.position.title) == ("ended", "Engineer, training systems")
    assert Consent.objects.filter(seat__interview=interview).count() == 1
    card = PanelScorecard.objects.filter(application=interview.application).order_by("number").last()
    assert card is not None
    assert outcome.content == card.content


def test_a_small_script_plays_in_an_interview_that_is_there(web: Web, scene: Scene) -> None:
    outcome = played(script(SMALL), stage(web, interview=str(scene.interview.code)))

    assert outcome.failures == []
    assert {name: took.role for name, took in outcome.people.items()} == {
        "ana": "interviewer",
        "bo": "lead",
        "eli": "observer",
    }
    assert outcome.people["bo"].closing == {"marks": 2, "evidence": 0, "reasons": 0, "notes": 2, "boundaries": 1}


def test_the_command_says_what_does_not_hold_and_exits_with_1(web: Web, scene: Scene, tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(SMALL.replace("bo: 11", "bo: 12").replace("eli: [no_right]", "eli: [stale]"), encoding="utf-8")
    out = StringIO()

    with pytest.raises(CommandError) as failed:
        simulate(path, web, scene, "--json", str(tmp_path / "out.json"), out=out)

    assert failed.value.returncode == 1
    lines = [line for line in out.getvalue().splitlines() if line.startswith("does not hold")]
    assert lines == [
        "does not hold: accepted.bo: 11 commands, expected 12",
        "does not hold: refused.eli: mark.set: no_right (Your seat has no right to do this.), expected stale",
    ]
    found = json.loads((tmp_path / "out.json").read_text(encoding="utf-8"))
    assert (found["holds"], len(found["failures"]), found["people"]["ana"]["accepted"]) == (False, 2, 4)


def test_json_on_standard_output_stands_alone(web: Web, scene: Scene, tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(SMALL, encoding="utf-8")
    out = StringIO()

    simulate(path, web, scene, "--json", "-", out=out)

    found = json.loads(out.getvalue())
    assert (found["holds"], found["panel"], found["interview"]) == (True, None, str(scene.interview.code))


def test_an_unusable_script_exits_with_2_and_names_file_line_and_key(tmp_path: Path) -> None:
    path = tmp_path / "bad.yaml"
    path.write_text(SMALL.replace("outcome: partial", "outcome: meh", 1), encoding="utf-8")

    with pytest.raises(CommandError, match=r"bad\.yaml:9: steps\.3\.bo\.mark\.outcome: `meh`") as failed:
        call_command("simulate", str(path), password=PASSWORD)

    assert failed.value.returncode == 2


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("eli@sounding.example", "sam@sounding.example", r"eli: no seat in this interview.* \(closed with 4403\)"),
        ("eli@sounding.example", "nobody@sounding.example", "nobody@sounding.example could not sign in: .*not correct"),
        ("ask: data-parallel/l2}, {mark", "mark: {probe: data-parallel/l9}}, {mark", "hear data-parallel/l9 asked"),
    ],
)
def test_what_cannot_be_played_is_said(web: Web, scene: Scene, old: str, new: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(SMALL.replace(old, new), encoding="utf-8")

    # Only what is waited for in vain should be given up soon.
    patience = "5" if says.startswith("hear") else "60"
    with pytest.raises(CommandError, match=says) as failed:
        simulate(path, web, scene, "--patience", patience)

    assert failed.value.returncode == 1


def test_a_server_that_is_not_there_is_said(tmp_path: Path) -> None:
    path = tmp_path / "small.yaml"
    path.write_text(SMALL, encoding="utf-8")

    with pytest.raises(CommandError, match=r"http://127\.0\.0\.1:1/accounts/login/ does not answer"):
        call_command("simulate", str(path), "--url", "http://127.0.0.1:1", "--password", "x", "--patience", "0.3")


def simulate(path: Path, web: Web, scene: Scene, *more: str, out: StringIO | None = None) -> None:
    where = ("--url", web.url, "--interview", str(scene.interview.code), "--password", PASSWORD)
    call_command("simulate", str(path), *where, *more, stdout=out or StringIO())
