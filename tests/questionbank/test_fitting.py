"""What doesn't fit in a plan: time, and aims."""

from __future__ import annotations

import pytest

from questionbank.enums import Aim
from questionbank.fitting import Finding, FittedTree, Misfit, misfits

pytestmark = pytest.mark.unit


def fitted(
    key: str, minutes: int = 20, *, required: bool = True, own: int | None = 20, aims: str = "depth why hands_on"
) -> FittedTree:
    return FittedTree(key, minutes, required, own, frozenset(Aim(aim) for aim in aims.split()))


@pytest.mark.parametrize(
    ("trees", "minutes", "expected"),
    [
        ([], 60, [Finding(Misfit.NO_TREES)]),
        ([fitted("a"), fitted("b")], 40, []),
        ([fitted("a"), fitted("b")], None, []),
        ([fitted("a"), fitted("b")], 39, [Finding(Misfit.TOO_LONG, minutes=40, limit=39)]),
        (
            [fitted("a"), fitted("b", required=False)],
            39,
            [Finding(Misfit.ONLY_WITHOUT_OPTIONAL, minutes=40, limit=39)],
        ),
        ([fitted("a", 15)], 60, [Finding(Misfit.TREE_TOO_SHORT, "a", minutes=20, limit=15)]),
        ([fitted("a", 25)], 60, []),
        ([fitted("a", own=None)], 60, [Finding(Misfit.NOT_PUBLISHED, "a")]),
        ([fitted("a", aims="depth hands_on")], 60, [Finding(Misfit.AIM_NOT_COVERED, aim=Aim.WHY)]),
        (
            [fitted("a", aims="depth why"), fitted("b", required=False)],
            60,
            [Finding(Misfit.AIM_ONLY_OPTIONAL, aim=Aim.HANDS_ON)],
        ),
    ],
)
def test_what_does_not_fit_is_said(trees: list[FittedTree], minutes: int | None, expected: list[Finding]) -> None:
    assert misfits(trees, minutes=minutes, aims=tuple(Aim)) == expected


def test_only_aims_that_are_asked_for_count() -> None:
    assert misfits([fitted("a", aims="depth")], minutes=60, aims=(Aim.DEPTH,)) == []
