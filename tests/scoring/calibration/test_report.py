"""What the report says of an interviewer beside the estimate: what a severity rests on."""

from __future__ import annotations

import numpy as np
import pytest

from scoring.calibration.fitting import Choice, fit_sheet
from scoring.calibration.report import report
from scoring.calibration.scales import ScaleRange
from scoring.calibration.sheet import Sheet
from scoring.stats.ratings import Ratings

pytestmark = pytest.mark.unit


def test_ratings_of_candidates_nobody_else_rated_are_not_linked() -> None:
    """Sol rates forty times alone; Ana and Bo share two candidates, and Ana talks to one of them twice."""
    rows = [(f"alone {n}", "sol", question, "1") for n in range(10) for question in "wxyz"]
    rows += [(f"shared {n}", who, question, "1") for n in range(2) for who in ("ana", "bo") for question in "xy"]
    rows += [("shared 0", "ana", "z", "2")]
    values = [(7 * place) % 5 for place in range(len(rows))]
    candidates, people, items, talks = zip(*rows, strict=True)
    ratings = Ratings.from_columns(candidates, people, items, values, interview=talks, top={"": 4})
    sheet = Sheet(ratings, np.arange(len(rows)), (ScaleRange("", 0, 4),), None, ())

    told = {one["id"]: one for one in report(fit_sheet(sheet, Choice()))["interviewers"]}

    names = ("n", "candidates", "sessions", "linked", "linked_candidates")
    assert [told["sol"][name] for name in names] == [40, 10, 10, 0, 0]
    assert [told["ana"][name] for name in names] == [5, 2, 3, 5, 2]
    assert [told["bo"][name] for name in names] == [4, 2, 2, 4, 2]
