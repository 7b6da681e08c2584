"""Where each probe of a drawn tree goes."""

from __future__ import annotations

import pytest

from questionbank.models import Probe
from questionbank.views.drawing import DrawnProbe, draw

pytestmark = pytest.mark.unit


def row(pk: int, level: int, parent: int | None = None, **fields: object) -> Probe:
    return Probe(pk=pk, key=f"p-{pk}", level=level, parent_id=parent, aims=["depth"], **fields)


def pks(nodes: list[DrawnProbe]) -> list[int]:
    return [node.probe.pk for node in nodes]


def test_draw_parts_those_that_go_on_from_those_that_stay() -> None:
    rows = [row(1, 1), row(2, 1, 1), row(3, 2, 1), row(4, 3, 3), row(5, 2, 3), row(6, 3, 5), row(7, 2, 1)]

    root = draw(rows)

    assert root is not None
    assert (root.probe.pk, pks(root.onward), pks(root.beside), pks(root.below)) == (1, [3, 7], [2], [])
    two = root.onward[0]
    assert (pks(two.onward), pks(two.beside), pks(two.below)) == ([4], [], [5])
    assert pks(two.below[0].onward) == [6]


def test_draw_of_nothing_is_nothing() -> None:
    assert draw([]) is None


def test_condition_reads_as_a_sentence() -> None:
    assert DrawnProbe(row(1, 1, on_outcomes=[])).condition == ""
    assert DrawnProbe(row(1, 1, on_outcomes=["partial"])).condition == "partial"
    some = DrawnProbe(row(1, 1, on_outcomes=["not_sustained", "sustained", "recited"]))
    assert some.condition == "sustained, recited or not sustained"
