"""Reading scripts: the manual's example and the demo's are sound; what is wrong is said with file, line and key."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from interviews.enums import Aim, Ended
from scoring.demo.prepare import HERE
from scoring.enums import NoValue, Recommendation
from scoring.simulation.reading import BadScript, load, read
from scoring.simulation.script import Act, Script
from tests.support.simulating import GUIDE, example

pytestmark = pytest.mark.unit

GOOD = """format: 1
simulation: tiny
people: {ana: ana@x.example, bo: bo@x.example}
steps:
  - ana: start
  - at: 1:30
    ana: [{ask: a-tree/root}, share]
    bo: {mark: {outcome: partial, depth: 2}}
  - at: 95.5
    ana: {boundary: time}
    bo: {send: {name: mark.set, data: {asked: current, version: 0, ratings: {depth: 9}, outcome: null}}}
"""


def script(text: str = GOOD) -> Script:
    return read(text.encode(), file="tiny.yaml")


def problems(text: str) -> list[str]:
    with pytest.raises(BadScript) as bad:
        script(text)
    return [str(problem) for problem in bad.value.problems]


def test_the_manuals_example_is_read() -> None:
    found = read(example(), file=GUIDE.name)

    assert list(found.people) == ["lead", "second", "third", "listener"]
    assert found.pace == 60
    assert found.expect.dimensions[Aim.DEPTH].value == Decimal("2.33")
    assert found.expect.trees["data-parallel-training"]["lead"].ended == Ended.WRONG
    assert found.cards["second"].recommendation == Recommendation.YES


@pytest.mark.parametrize("name", ["finished", "live"])
def test_the_demos_scripts_are_read(name: str) -> None:
    assert load(HERE / f"{name}.yaml").key == f"demo-{name}"


def test_steps_hold_acts_in_their_order_and_times_in_seconds() -> None:
    steps = script().steps

    assert [step.at for step in steps] == [None, 90.0, 95.5]
    assert [act.name for act in steps[1].acts["ana"]] == ["ask", "share"]
    assert steps[1].acts["bo"] == (Act("mark", {"outcome": "partial", "depth": 2}, 8),)
    data = {"asked": "current", "version": 0, "ratings": {"depth": 9}, "outcome": None}
    assert steps[2].acts["bo"][0].fields == {"name": "mark.set", "data": data}


def test_expectations_tell_none_from_unsaid() -> None:
    expect = script(
        GOOD
        + """cards: {ana: strong_yes}
manager: m@x.example
expect:
  dimensions: {why: {of: {ana: not_enough_evidence, bo: 2.25}}}
  trees: {a-tree: {ana: {floor: 2, ceiling: none}, bo: {floor: 0}}}
  disagreements: [a-tree, hands_on]
"""
    ).expect

    assert expect.dimensions[Aim.WHY].of == {"ana": NoValue.NOT_ENOUGH_EVIDENCE, "bo": Decimal("2.25")}
    assert [(row.floor, row.ceiling) for row in expect.trees["a-tree"].values()] == [(2, 0), (0, None)]
    assert expect.disagreements == ("a-tree", "hands_on")
    assert expect.of_panel


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("format: 1\n", "", "tiny.yaml:1: `format` is missing. Add it; see docs/simulation.md."),
        ("format: 1", "format: 2", "tiny.yaml:1: format: Format `2` is not known. Write `format: 1`."),
        ("ana: ana@x.example", "ana: ana", "tiny.yaml:3: people.ana: `ana` is no e-mail address."),
        ("bo: bo@x.example", "bo: ana@x.example", "tiny.yaml:3: people.bo: ana signs in with this address already."),
        ("{ana: ana@", "{candidate: ana@", "tiny.yaml:3: people.candidate: `candidate` is the name of a part"),
        ("  - ana: start", "  - cy: start", "tiny.yaml:5: steps.1.cy: Nobody in `people` is called `cy`."),
        ("ana: start", "ana: dance", "tiny.yaml:5: steps.1.ana: Nobody can `dance` here. Known acts are: start,"),
        ("ana: start", "ana: {pause: now}", "tiny.yaml:5: steps.1.ana.pause: `pause` stands alone."),
        ("ana: start", "ana: {start: now}", "tiny.yaml:5: steps.1.ana.start: "),
        ("ana: start", "candidate: start", "tiny.yaml:5: steps.1.candidate: The candidate can't `start`."),
        ("ana: start", "ana: join", "tiny.yaml:5: steps.1.ana: Only the candidate can `join`."),
        ("ana: start", "ana: ask", "tiny.yaml:5: steps.1.ana.ask: `ask` says too little."),
        ("- ana: start", "- at: 3", "tiny.yaml:5: steps.1: Nobody does anything in this step."),
        ("ask: a-tree/root", "ask: root", "tiny.yaml:7: steps.2.ana.ask: `root` is no question."),
        ("depth: 2}}", "depth: 5}}", "tiny.yaml:8: steps.2.bo.mark.depth: `5` is no whole number from 0 to 4."),
        (
            "outcome: partial",
            "outcom: partial",
            "tiny.yaml:8: steps.2.bo.mark.outcom: `outcom` is unknown here. Did you",
        ),
        ("at: 95.5", "at: 0:59", "tiny.yaml:9: steps.3.at: 59 s is earlier than the step before, at 90 s."),
        ("at: 1:30", "at: 1:75", "tiny.yaml:6: steps.2.at: `1:75` is no time."),
        ("boundary: time", "boundary: {floor: 2}", "tiny.yaml:10: steps.3.ana.boundary: `reason` is missing."),
        ("boundary: time", "boundary: {tree: a, probe: a/b, ended: time}", "steps.3.ana.boundary: `probe` and `tree`"),
        ("share]", "{share: {probe: a/b, text: c}}]", "tiny.yaml:7: steps.2.ana.share: `probe` and `text` exclude"),
        ("ana: {boundary", "ana: {end: , boundary", "tiny.yaml:10: steps.3.ana: One act is expected here."),
        (
            "steps:",
            "expect: {raters: 2}\nsteps:",
            "tiny.yaml:1: manager: Nobody makes the interview and reads the panel",
        ),
        ("steps:", "expect: {accepted: {bo: x}}\nsteps:", "tiny.yaml:4: expect.accepted.bo: `x` is no whole number"),
        ("steps:", "pace: -1\nsteps:", "tiny.yaml:4: pace: `-1` is no number from 0."),
        ("steps:", "cards: {ana: maybe}\nsteps:", "tiny.yaml:4: cards.ana: `maybe` is not one of the values allowed."),
        ("steps:", "steps: &a", "tiny.yaml:4: YAML anchors, aliases and tags are not read."),
        ("steps:", "steps: {", "tiny.yaml:"),
    ],
)
def test_what_is_wrong_is_said_with_line_and_key(old: str, new: str, says: str) -> None:
    assert GOOD.count(old) == 1

    found = problems(GOOD.replace(old, new))

    assert any(says in line for line in found), found


def test_everything_wrong_is_said_at_once_in_the_order_of_lines() -> None:
    found = problems(GOOD.replace("ask: a-tree/root", "ask: root").replace("depth: 2", "depth: 7").replace("1:30", "x"))

    assert [line.partition(":")[2].partition(":")[0] for line in found] == ["6", "7", "8"]


def test_a_file_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(BadScript, match=r"none\.yaml: The file can't be read: No such file"):
        load(tmp_path / "none.yaml")


def test_seats_of_an_interview_to_make_are_given_once() -> None:
    making = "interview: {position: p, candidate: c, lead: ana, interviewers: [bo, ana], trees: [t]}\nsteps:"

    found = problems(GOOD.replace("steps:", making).replace("simulation", "manager: m@x.example\nsimulation"))

    assert found == ["tiny.yaml:5: interview: `ana` has a seat here already. A person has one seat."]
