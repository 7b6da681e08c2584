"""From a card's raw value to the calibrated one, each step against figures worked out by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from interviews.enums import Aim, Outcome
from interviews.models import Application
from scoring.calibration.kept import pack, unpack
from scoring.calibration.rows import ratings_of
from scoring.models import CalibrationRun
from scoring.queries.calibrated import load_calibration
from scoring.queries.panel import load_inputs
from scoring.queries.runs import load_wordings
from scoring.rules import PanelInputs, RaterIn, Ratings, compile_panel
from scoring.rules.linked import rating_rows
from scoring.services.calibration import calibrate_closed
from scoring.stats.rescore import Stored, rescore
from tests.cast import Cast
from tests.scoring.test_calibration_runs import Shop

pytestmark = pytest.mark.db

SEVERITY = {"ana": 0.8, "bo": -0.3}
DIFFICULTY = {"root": -0.5, "l2": 0.1, "l3": 0.9}
LINKED = {"linked": 30, "linked_candidates": 5, "sessions": 7}
STRANGER = 10**6


def calibrated(shop: Shop) -> tuple[Application, CalibrationRun]:
    interviews = [shop.apply() for _ in range(5)]
    run = calibrate_closed()
    assert run is not None
    return interviews[0].application, run


def known(cast: Cast, run: CalibrationRun, **of_ana: int) -> CalibrationRun:
    """The run again as the next one, with known severities and difficulties and everybody linked well."""
    stored = unpack(bytes(run.held))
    vector, places = stored.vector.copy(), stored.places
    severity = {str(cast.ana.pk): SEVERITY["ana"], str(cast.bo.pk): SEVERITY["bo"]}
    places.severity(vector)[:] = [severity[name] for name in stored.interviewers]
    places.difficulty(vector)[:] = [DIFFICULTY[item.split("/")[1]] for item, _dimension, _scale in stored.columns]
    people = [row | LINKED | (of_ana if row["id"] == str(cast.ana.pk) else {}) for row in run.content["interviewers"]]
    made: CalibrationRun = CalibrationRun.objects.create(
        number=run.number + 1,
        digest="known",
        code_version=run.code_version,
        applications=run.applications,
        content=run.content | {"interviewers": people},
        held=pack(replace(stored, vector=vector)),
    )
    return made


def mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def expected(stored: Stored, ability: float, lower: float) -> float:
    """The rating to be expected, from the model of docs/calibration.md."""
    level = float(stored.places.intercept(stored.vector)[0]) + ability - lower
    steps = np.concatenate([[0.0], stored.taus[0]])
    weights = [math.exp(k * level - float(steps[: k + 1].sum())) for k in range(len(steps))]
    return sum(k * weight for k, weight in enumerate(weights)) / sum(weights)


def amended(rater: RaterIn, depth: int) -> RaterIn:
    """The rater's card, everything amended to one rating of depth after seeing the others."""
    (card,) = rater.latest
    marks = tuple(replace(one, outcome=Outcome.SUSTAINED, ratings=Ratings(depth=depth)) for one in card.marks)
    return replace(rater, latest=(replace(card, number=2, independent=False, marks=marks),))


def cut(rater: RaterIn, marks: int) -> RaterIn:
    kept = tuple(replace(one, marks=one.marks[:marks]) for one in rater.latest)
    return replace(rater, latest=kept, last_independent=kept, first=kept)


def seen(inputs: PanelInputs) -> PanelInputs:
    """The hardest probe of the three was not asked, Ana amends after seeing others, a third person rates depth once."""
    ana, bo = (cut(rater, 2) for rater in inputs.raters)
    third = replace(cut(bo, 1), person=STRANGER, order=STRANGER)
    return replace(inputs, raters=(amended(ana, 4), bo, third))


def steps_of(inputs: PanelInputs, calibration: Any) -> tuple[dict[str, Any], dict[str, float]]:
    content = compile_panel(replace(inputs, calibration=calibration))["dimensions"]["depth"]
    return content, {step["step"]: step["moves"] for step in content["calibrated"]["steps"]}


def test_each_step_is_what_is_known_of_it(cast: Cast) -> None:
    shop = Shop(cast)
    application, first = calibrated(shop)
    stored = unpack(bytes(known(cast, first).held))
    inputs = seen(load_inputs(application.pk))
    rows = sorted(rating_rows(inputs))
    ability, _error = rescore(stored, ratings_of(rows, load_wordings(row.asked for row in rows))).by_dimension["depth"]

    found = load_calibration(application, inputs)

    assert found is not None
    content, steps = steps_of(inputs, found)
    depth = [row for row in rows if row.aim == Aim.DEPTH]
    by_person = {
        person: [row for row in depth if row.person == person] for person in (cast.ana.pk, cast.bo.pk)
    }  # one rating is no value, and so no part of any step
    hard = {row.asked: DIFFICULTY[row.probe] for row in depth}
    strict = {cast.ana.pk: SEVERITY["ana"], cast.bo.pk: SEVERITY["bo"]}
    independent = mean([mean([row.rating for row in own]) for own in by_person.values()])
    by_average = mean([mean([expected(stored, ability, hard[row.asked]) for row in own]) for own in by_person.values()])
    given = mean(
        [
            mean([expected(stored, ability, hard[row.asked] + strict[person]) for row in own])
            for person, own in by_person.items()
        ]
    )
    value = mean([expected(stored, ability, lower) for lower in DIFFICULTY.values()])
    bo = mean([row.rating for row in by_person[cast.bo.pk]])
    assert content["value"] == pytest.approx((4 + bo) / 2, abs=1e-3)
    assert steps == {
        "after_seeing_others": pytest.approx(independent - (4 + bo) / 2, abs=1e-3),
        "who_asked": pytest.approx(by_average - given, abs=1e-3),
        "what_was_asked": pytest.approx(value - by_average, abs=1e-3),
        "how_little_was_seen": pytest.approx(given - independent, abs=1e-3),
    }
    assert min(abs(moves) for moves in steps.values()) > 0.005  # each is there to be told
    assert content["value"] + sum(steps.values()) == pytest.approx(content["calibrated"]["value"], abs=1e-3)
    assert content["calibrated"]["ratings"] == len(depth) == 5


def test_amendment_after_seeing_others_moves_no_step_of_the_calibration(cast: Cast) -> None:
    shop = Shop(cast)
    application, first = calibrated(shop)
    known(cast, first)
    inputs = load_inputs(application.pk)
    later = replace(inputs, raters=(amended(inputs.raters[0], 4), inputs.raters[1]))

    (before, own), (after, steps) = (steps_of(one, load_calibration(application, one)) for one in (inputs, later))

    assert "after_seeing_others" not in own
    assert {name: moves for name, moves in steps.items() if name != "after_seeing_others"} == own
    assert after["calibrated"]["value"] == before["calibrated"]["value"]


def test_solo_interviewer_is_taken_as_average_however_much_they_rated(cast: Cast) -> None:
    """A hundred ratings of candidates whom nobody else rated say nothing of how strict somebody is."""
    shop = Shop(cast)
    application, first = calibrated(shop)
    known(cast, first, n=100, candidates=20, linked=0, linked_candidates=0)

    found = load_calibration(application, load_inputs(application.pk))

    assert found is not None
    told = {row.person: row for row in found.severities}
    assert (told[cast.ana.pk].assumed, told[cast.ana.pk].points) == (True, 0.0)
    assert told[cast.bo.pk].assumed is False
    assert told[cast.bo.pk].points < 0
    assert told[cast.bo.pk].interviews == 7
