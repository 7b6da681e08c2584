"""Calibrations of made-up ratings, with our ids, without an interview for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

import numpy as np

from interviews.enums import Aim
from people.models import Person
from scoring.calibration.answers import Asking
from scoring.calibration.beside import Beside, look_beside
from scoring.calibration.fitting import Choice, Fitted, fit_sheet
from scoring.calibration.report import report
from scoring.calibration.rows import ratings_of
from scoring.calibration.scales import ScaleRange
from scoring.calibration.sheet import Sheet
from scoring.models import CalibrationRun
from scoring.rules.linked import TOP, RatingRow
from scoring.stats.designs import THRESHOLDS, draw_ratings

FIRST = date(2026, 1, 1)


@dataclass
class Ratings:
    """`candidates` of three interviewers each, who hear the same six answers; one candidate a day.

    `severity`: by interviewer. `stricter`: who marks 1.5 logits stricter in the last quarter. `apart`: so many of the
    last interviewers meet only each other, and ask a tree of their own. The asker is `kinder` by so many logits.
    """

    people: Sequence[int]
    candidates: int = 60
    severity: Sequence[float] | None = None
    stricter: frozenset[int] = frozenset()
    apart: int = 0
    kinder: float = 0.0
    tree: int = 1
    seed: int = 1

    def __post_init__(self) -> None:
        draw = np.random.default_rng(self.seed)
        severity = self.severity or draw.normal(0.0, 0.6, len(self.people)).tolist()
        self.severities = dict(zip(self.people, severity, strict=True))
        self.rows: list[RatingRow] = []
        self.askings: dict[str, Asking] = {}
        near = len(self.people) - self.apart
        for candidate in range(self.candidates):
            away = self.apart and candidate % 6 == 0
            among = list(self.people[near:]) if away else list(self.people[:near])
            panel = [among[place] for place in draw.permutation(len(among))[:3]]
            self._interview(draw, candidate, panel, self.tree + bool(away))
        self.rows.sort()

    def _interview(self, draw: np.random.Generator, candidate: int, panel: list[int], tree: int) -> None:
        ability, halo = draw.normal(0.0, 1.0), draw.normal(0.0, 0.4, len(panel))
        late = candidate >= 0.75 * self.candidates
        for number in range(6):
            asked, asker = f"{candidate}.{number}", panel[number % len(panel)]
            self.askings[asked] = Asking(asker, FIRST + timedelta(days=candidate))
            for place, person in enumerate(panel):
                strict = self.severities[person] + (1.5 if late and person in self.stricter else 0.0)
                psi = ability + halo[place] - strict - (number - 2.5) / 3 + (self.kinder if person == asker else 0.0)
                rating = int(draw_ratings(np.array([psi]), np.array(THRESHOLDS), draw)[0])
                self.rows.append(RatingRow(candidate, person, 0, tree, f"p{number}", Aim.DEPTH, asked, rating))

    def fitted(self) -> Fitted:
        wordings = {row.asked: f"h-{row.probe}" for row in self.rows}
        sheet = Sheet(ratings_of(self.rows, wordings), np.arange(len(self.rows)), (ScaleRange("", 0, TOP),), None, ())
        return fit_sheet(sheet, Choice())

    def beside(self) -> Beside:
        return look_beside(self.fitted(), self.rows, self.askings)


def make_run(people: Sequence[Person], **fields: object) -> CalibrationRun:
    """Make the run in use of made-up ratings by these people; `fields` as of Ratings."""
    ratings = Ratings([person.pk for person in people], **fields)  # type: ignore[arg-type]
    fitted = ratings.fitted()
    number = CalibrationRun.objects.count() + 1
    return CalibrationRun.objects.create(
        number=number,
        digest=f"{number:064}",
        code_version="tests",
        applications=[],
        content=report(fitted) | look_beside(fitted, ratings.rows, ratings.askings).house,
        held=b"",
    )
