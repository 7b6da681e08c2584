from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from interviews.enums import Aid, Ended, Outcome
from interviews.rules import Ask, Ending, Override, TreeRule, boundary, ending_effect

pytestmark = pytest.mark.unit

VECTORS = json.loads(Path(__file__).with_name("boundary_vectors.json").read_text(encoding="utf-8"))


def as_json(value: Any) -> Any:
    return json.loads(json.dumps(asdict(value)))


def read_ask(row: dict[str, Any]) -> Ask:
    marks = {
        "outcome": Outcome(row["outcome"]) if row["outcome"] else None,
        "aid": Aid(row["aid"]) if row["aid"] else None,
    }
    return Ask(**(row | marks))


@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: case["name"])
def test_boundary_reads_the_vector(case: dict[str, Any]) -> None:
    given = case["input"]
    ended = given["ended"] and Ending(Ended(given["ended"]["reason"]), given["ended"]["asks"])
    override = given["override"] and Override(**given["override"])

    result = boundary(
        [read_ask(row) for row in given["asks"]], tree=TreeRule(**given["tree"]), ended=ended, override=override
    )

    assert as_json(result) == case["expect"]


@pytest.mark.parametrize("case", VECTORS["effects"], ids=lambda case: case["name"])
def test_ending_effect_reads_the_vector(case: dict[str, Any]) -> None:
    given = case["input"]

    effect = ending_effect(
        Ended(given["reason"]),
        asked=given["asked"],
        outcome=Outcome(given["outcome"]) if given["outcome"] else None,
        aid=Aid(given["aid"]) if given["aid"] else None,
        optional=given["optional"],
        judged=given["judged"],
    )

    assert as_json(effect) == case["expect"]


def test_vectors_cover_every_rule_outcome_aid_and_ending() -> None:
    cases = VECTORS["cases"]
    asks = [ask for case in cases for ask in case["input"]["asks"]]

    assert {rule for case in cases for rule in case["rules"]} == {1, 2, 3, 4, 5, 6, 7, 9}
    assert {ask["outcome"] for ask in asks} == {*Outcome, None}
    assert {ask["aid"] for ask in asks} == {*Aid, None}
    assert {case["input"]["ended"]["reason"] for case in cases if case["input"]["ended"]} == set(Ended)
    assert {case["input"]["reason"] for case in VECTORS["effects"]} == set(Ended)


def test_vectors_have_names_of_their_own() -> None:
    names = [case["name"] for case in VECTORS["cases"] + VECTORS["effects"]]

    assert len(names) == len(set(names))
