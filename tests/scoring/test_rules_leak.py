"""A leak: a probe sustained more often lately, while what lies below it is not."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from interviews.enums import Outcome
from scoring.rules.figures import AskedOnce, Heard, Wording
from scoring.rules.leak import Rise, below, rise_of

pytestmark = pytest.mark.unit

ROOT, NEXT = Wording(1, "root", "a"), Wording(1, "l2", "b")
PARENTS = {"root": None, "l2": "root", "l3": "l2", "beside": "root"}


class Story:
    """One application a day. Its marks of the root and of what follows: True is sustained."""

    def __init__(self) -> None:
        self.asked: list[AskedOnce] = []
        self.heard: dict[str, list[Heard]] = {}

    def applied(self, root: bool, under: bool | None, *, raters: int = 1) -> None:
        number = len(self.asked)
        for seq, (wording, passed) in enumerate(((ROOT, root), (NEXT, under))):
            if passed is not None:
                day = date(2026, 1, 1) + timedelta(days=number)
                one = AskedOnce(f"{number}.{seq}", number, wording, (number, seq), day, timedelta(minutes=2))
                self.asked.append(one)
                outcome = Outcome.SUSTAINED if passed else Outcome.NOT_SUSTAINED
                self.heard[one.asked] = [Heard(one.asked, rater, outcome, None) for rater in range(raters)]

    def rise(self) -> Rise | None:
        applications = {one.application for one in self.asked}
        return rise_of(ROOT, below("root", PARENTS), applications, self.asked, self.heard)


def told(before: list[bool], after: list[bool]) -> Rise | None:
    story = Story()
    for place, root in enumerate((*before, *after)):
        story.applied(root, place % 2 == 0)
    return story.rise()


def test_everything_under_a_probe_follows_it() -> None:
    assert below("root", PARENTS) == {"l2", "l3", "beside"}
    assert below("l2", PARENTS) == {"l3"}
    assert below("l3", PARENTS) == frozenset()
    assert below("a", {"a": "b", "b": "a"}) == {"b"}, "a ring ends"


def test_rise_is_of_the_last_third_and_beside_its_follow_ups() -> None:
    found = told([True, False] * 6, [True] * 6)

    assert found is not None
    assert found.own == pytest.approx(50)
    assert found.error == pytest.approx(100 * (0.2727 / 12) ** 0.5, rel=1e-3)
    assert found.follow_ups == pytest.approx(0, abs=1)


def test_nothing_is_told_from_fourteen_applications_or_without_follow_ups() -> None:
    assert told([True] * 9, [True] * 5) is None
    alone = Story()
    for _ in range(18):
        alone.applied(root=True, under=None)
    assert alone.rise() is None


def test_three_marks_of_one_answer_are_one() -> None:
    one, three = Story(), Story()
    for place in range(18):
        one.applied(place % 2 == 0, under=True)
        three.applied(place % 2 == 0, under=True, raters=3)

    assert one.rise() == three.rise()
