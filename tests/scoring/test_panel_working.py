"""From raw to calibrated in words: steps that add up as shown, severities by name for who may know them alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.utils import translation

from interviews.enums import Aim
from people.models import Person
from scoring.enums import Recommendation
from scoring.queries.panel_page import PanelNames
from scoring.queries.titles import Titles
from scoring.reports import panel_page
from scoring.reports.spread import spread
from scoring.reports.working import working
from scoring.rules import CalibratedIn, CalibrationIn, PanelInputs, SeverityIn, compile_panel
from tests.support.panel_inputs import ANA, BO, CHEN, THREE

pytestmark = pytest.mark.unit

PEOPLE = {ANA: "Ana", BO: "Bo", CHEN: "Chen"}
RUN = CalibrationIn(
    run=3,
    # Raw depth is 2.7222 and raw why 2.25.
    dimensions=(
        CalibratedIn(
            Aim.DEPTH, 9, raw=2.7222, who_allowed=2.5049, what_allowed=2.6251, value=2.5149, low=2.1, high=2.9
        ),
        CalibratedIn(Aim.WHY, 5, raw=2.25, who_allowed=2.2, what_allowed=2.31, value=2.21, low=1.6, high=2.8),
    ),
    severities=(
        SeverityIn(ANA, points=-0.4, interviews=43),
        SeverityIn(BO, points=0.2, interviews=1),
        SeverityIn(CHEN, points=0.0, interviews=2, assumed=True),
    ),
)


@pytest.fixture(autouse=True)
def _in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


def names() -> PanelNames:
    return PanelNames(
        people={pk: Person(pk=pk, name=name) for pk, name in PEOPLE.items()},
        letters={ANA: "A", BO: "B", CHEN: "C"},
        titles=Titles({}, {}, {}),
        asked={},
        texts={},
        revisions={},
        interviews=[],
        time_seen=None,
    )


def content(calibration: CalibrationIn | None = RUN, inputs: PanelInputs = THREE) -> dict[str, Any]:
    return compile_panel(replace(inputs, calibration=calibration))


def test_the_steps_shown_add_up_to_the_values_shown() -> None:
    found = working(content(), names(), named=True)

    rows = [[float(cell.replace("−", "-")) for cell in step.cells[:2]] for step in found.steps]
    for raw, who, what, little, value in zip(*rows, strict=True):
        assert round(raw + who + what + little, 2) == value
    assert [step.cells[0] for step in found.steps] == ["2.72", "−0.22", "+0.13", "−0.12", "2.51"]
    # Nobody has enough evidence on hands-on, and so the run can't tell.
    assert [step.cells[2] for step in found.steps] == ["not enough evidence", *["can't be told"] * 4]
    assert found.says == ""


def test_who_is_in_charge_is_told_how_each_marks_and_raters_how_the_panel_does() -> None:
    told, raters = (working(content(), names(), named=named).steps[1].words for named in (True, False))

    assert told == (
        "Ana marks 0.4 higher than the others across 43 interviews. "
        "Bo marks 0.2 lower than the others across 1 interview. "
        "Chen shares too few ratings with others to tell and is taken as average."
    )
    assert raters == "This panel as a whole marks higher than the average interviewer."


def test_what_allowing_for_it_does_is_said_of_each_dimension() -> None:
    assert working(content(), names(), named=False).moved == (
        "Allowing for who asked moves depth from 2.72 to 2.50.",
        "Allowing for who asked moves why from 2.25 to 2.20.",
    )


def test_an_amendment_after_seeing_others_is_not_told_as_severity() -> None:
    """Nobody is strict here; the card's raw depth is 2.72, and what was said before seeing others gives 1.72."""
    depth = replace(RUN.dimensions[0], ratings=6, raw=1.7222, who_allowed=1.7222, what_allowed=1.7222, value=1.7)
    seen = content(replace(RUN, dimensions=(depth, RUN.dimensions[1]), severities=()))

    found = working(seen, names(), named=False)

    assert [(step.label, step.cells[:2]) for step in found.steps] == [
        ("Raw", ("2.72", "2.25")),
        ("After seeing others", ("−1.00", "0.00")),
        ("Who asked", ("0.00", "−0.05")),
        ("What was asked", ("0.00", "+0.11")),
        ("How little was seen", ("−0.02", "−0.10")),
        ("Calibrated", ("1.70", "2.21")),
    ]
    assert found.steps[2].words == "This panel as a whole marks like the average interviewer."
    assert found.moved == ("Allowing for who asked moves why from 2.25 to 2.20.",)
    assert found.steps[4].words.startswith("6 ratings of depth, 5 ratings of why")


def test_harder_probes_are_called_harder() -> None:
    assert working(content(), names(), named=True).steps[2].words == (
        "The probes were harder than the position's reference set."
    )


def test_json_names_severities_to_who_is_in_charge_alone() -> None:
    told, raters = (panel_page.panel_json(content(), names(), named=named) for named in (True, False))

    assert len(told["content"]["calibration"]["severities"]) == 3
    assert raters["content"]["calibration"] == {"run": 3}


def test_without_a_run_the_places_have_words_and_no_numbers() -> None:
    found = working(content(None), names(), named=True)

    assert found.says.startswith("No calibration has been run yet")
    assert {cell for step in found.steps[1:] for cell in step.cells} == {"not yet"}
    assert found.moved == ()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        (("yes", "yes", "yes"), "All say the same."),
        (("yes", "yes", "no_decision"), "Whoever decided says the same."),
        (("yes", "strong_yes", "yes"), "All lean the same way."),
        (("no", "strong_no", "no_decision"), "Whoever decided leans the same way."),
        (("yes", "no", "no_decision"), "The panel is split."),
        (("yes", "no_decision", "no_decision"), "One recommendation alone."),
        (("no_decision",) * 3, "Nobody could decide."),
    ],
)
def test_the_spread_is_said_in_words(given: tuple[str, ...], says: str) -> None:
    raters = tuple(
        replace(rater, latest=tuple(replace(row, recommendation=Recommendation(one)) for row in rater.latest))
        for rater, one in zip(THREE.raters, given, strict=True)
    )

    found = spread(content(None, replace(THREE, raters=raters)), names())

    assert found.says == says
    assert [len(place.voices) for place in found.places] == [given.count(place.code) for place in found.places]
    assert [place.code for place in found.places if place.apart] == ["no_decision"]
