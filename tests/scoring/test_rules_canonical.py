"""One digest for one set of inputs, whatever the order; kept inputs are read back or refused with the place."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from interviews.enums import Outcome, Role
from scoring.rules import (
    InputsUnreadable,
    as_json,
    compile_panel,
    digest,
    from_json,
)
from tests.support.panel_inputs import ANA, THREE, rater

pytestmark = pytest.mark.unit


@given(st.randoms(use_true_random=False))
def test_the_order_of_loading_changes_neither_digest_nor_content(order: random.Random) -> None:
    def shuffled(items: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(order.sample(items, len(items)))

    raters = tuple(
        replace(
            r, latest=tuple(replace(v, marks=shuffled(v.marks)) for v in r.latest), last_independent=r.last_independent
        )
        for r in shuffled(THREE.raters)
    )
    other = replace(THREE, raters=raters, trees=shuffled(THREE.trees), asked=shuffled(THREE.asked))

    assert digest(other) == digest(THREE)
    assert compile_panel(other) == compile_panel(THREE)


def test_content_and_inputs_survive_json() -> None:
    assert json.loads(json.dumps(compile_panel(THREE))) == compile_panel(THREE)
    assert digest(from_json(as_json(THREE))) == digest(THREE)


@pytest.mark.parametrize(
    "change",
    [
        lambda mark: replace(mark, ratings=replace(mark.ratings, depth=2)),
        lambda mark: replace(mark, outcome=Outcome.PARTIAL),
        lambda mark: replace(mark, voided=True),
        lambda mark: replace(mark, retracted=True),
    ],
    ids=["rating", "outcome", "void", "retraction"],
)
def test_every_change_of_a_mark_changes_the_digest(change: Any) -> None:
    first = THREE.raters[0].latest[0]
    changed = replace(first, marks=(change(first.marks[0]), *first.marks[1:]))

    other = replace(THREE, raters=(rater(ANA, changed, role=Role.LEAD), *THREE.raters[1:]))

    assert digest(other) != digest(THREE)


@pytest.mark.parametrize(
    ("spoil", "place"),
    [
        (lambda data: data.pop("trees"), "inputs: expected exactly"),
        (lambda data: data.update(more=1), "inputs: expected exactly"),
        (lambda data: data.update(raters={}), "inputs.raters: expected a list"),
        (lambda data: data["trees"][1].update(order="1"), r"inputs.trees\[1\].order: expected int"),
        (lambda data: data["trees"][0].update(order=True), r"inputs.trees\[0\].order: expected int"),
        (lambda data: data["raters"][0].update(role="boss"), r"inputs.raters\[0\].role: 'boss'"),
    ],
)
def test_unreadable_inputs_say_where(spoil: Any, place: str) -> None:
    data = as_json(THREE)
    spoil(data)

    with pytest.raises(InputsUnreadable, match=place):
        from_json(data)
