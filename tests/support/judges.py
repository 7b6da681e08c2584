"""An automatic judge with something to say about the first answer of a scene."""

from __future__ import annotations

from dataclasses import dataclass

from interviews.enums import Aim
from interviews.models import Asked, Interview
from people.models import Person
from scoring.enums import JudgeKind
from scoring.models import Judge
from scoring.rules.judging import Said
from scoring.services.judges import make_judge
from tests.support.factories import Scene


@dataclass(frozen=True)
class Judged:
    judge: Judge
    token: str
    said: list[Said]


def a_judge(by: Person, name: str = "Rater", version: str = "1") -> tuple[Judge, str]:
    return make_judge(by=by, name=name, kind=JudgeKind.MODEL, version=version)


def said_of(asked: Asked, rating: int, *, row: int = 1, aim: Aim = Aim.DEPTH, note: str = "") -> Said:
    assert asked.probe is not None
    reference = Interview.objects.get(pk=asked.interview_id).code
    return Said(row, reference, asked.probe.version.tree.key, asked.probe.key, aim, rating, note, None)


def judged(scene: Scene, *, note: str = "") -> Judged:
    """A judge of Mara's, and what it says of the first question of the bank's that stands asked; the interview is to
    be over."""
    judge, token = a_judge(scene.cast.mara)
    asked = scene.interview.asked.filter(probe__isnull=False, retracted_at__isnull=True).order_by("seq")[0]
    return Judged(judge, token, [said_of(asked, 3, note=note)])
