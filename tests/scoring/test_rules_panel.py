from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from interviews.enums import Aim, Ended, Role
from scoring.enums import Recommendation, StatementKind
from scoring.rules import (
    CalibratedIn,
    CalibrationIn,
    EndingIn,
    SeverityIn,
    StatementIn,
    as_json,
    compile_panel,
    differences,
    digest,
    from_json,
)
from tests.support.panel_inputs import ANA, BO, CHEN, SIM, THREE, mark, panel, rater, revision, tree

pytestmark = pytest.mark.unit


def dimension(content: dict[str, Any], aim: str) -> dict[str, Any]:
    row: dict[str, Any] = content["dimensions"][aim]
    return row


def test_panel_value_is_the_mean_of_the_raters_values() -> None:
    depth = dimension(compile_panel(THREE), "depth")

    # Ana (4+3+4+4)/4 = 3.75; Bo (2+2+2+1)/4 = 1.75, the told 4 counts as 1; Chen (3+1+4)/3, the recited 3 counts as 1.
    assert [(row["person"], row["value"]) for row in depth["by_rater"]] == [(ANA, 3.75), (BO, 1.75), (CHEN, 2.6667)]
    assert (depth["value"], depth["lowest"], depth["highest"]) == (2.7222, 1.75, 3.75)
    assert (depth["raters"], depth["independent_raters"], depth["provisional"], depth["missing"]) == (3, 3, False, None)


def test_a_rater_without_enough_evidence_is_no_rater_of_that_dimension() -> None:
    why = dimension(compile_panel(THREE), "why")

    # Chen rated one why probe: not enough. Ana (4+3)/2 = 3.5, Bo 1.
    assert [(row["person"], row["value"], row["missing"]) for row in why["by_rater"]] == [
        (ANA, 3.5, None),
        (BO, 1.0, None),
        (CHEN, None, "not_enough_evidence"),
    ]
    assert (why["value"], why["raters"], why["provisional"]) == (2.25, 2, True)


def test_a_dimension_nobody_saw_has_no_value() -> None:
    hands_on = dimension(compile_panel(THREE), "hands_on")

    assert (hands_on["value"], hands_on["missing"], hands_on["lowest"], hands_on["raters"]) == (
        None,
        "not_enough_evidence",
        None,
        0,
    )


def test_calibrated_values_have_a_place_and_no_number() -> None:
    assert [(row["calibrated"], row["calibrated_missing"]) for row in compile_panel(THREE)["dimensions"].values()] == [
        (None, "no_calibration_run")
    ] * 3


def test_a_panel_of_nobody_has_no_value() -> None:
    content = compile_panel(panel())

    assert {row["missing"] for row in content["dimensions"].values()} == {"no_raters"}
    assert (content["raters"], content["breadth"]["count"], content["weak_spots"]) == ([], 0, [])


def test_caps_are_kept_with_the_rating_given() -> None:
    depth = dimension(compile_panel(THREE), "depth")

    bo = [(row["given"], row["counts"], row["caps"]) for row in depth["by_rater"][1]["ratings"]]
    assert bo == [(2, 2, []), (2, 2, []), (2, 2, []), (4, 1, ["told"])]


def test_two_interviews_of_one_person_are_one_rater() -> None:
    first = revision(101, mark(1, "1+d4"), mark(1, "2+d4"))
    second = revision(102, mark(2, "1+d1", interview=1), mark(2, "2+d0", interview=1), interview=1)

    depth = dimension(compile_panel(panel(rater(ANA, first, second), rater(BO, revision(103)))), "depth")

    # (4+4+1+0)/4, not the mean of 4.0 and 0.5.
    assert (depth["value"], depth["raters"]) == (2.25, 1)


def test_a_tree_asked_in_two_interviews_has_one_boundary_and_the_later_ending() -> None:
    first = revision(101, mark(1, "1+d4"), mark(1, "2-d1"), endings=(EndingIn(1, 0, Ended.WRONG),))
    second = revision(
        102,
        mark(1, "2+d3", interview=1),
        mark(1, "3+d3", interview=1),
        interview=1,
        endings=(EndingIn(1, 1, Ended.TIME),),
    )

    found = compile_panel(panel(rater(ANA, first, second)))["trees"][0]["raters"]

    assert [(row["floor"], row["ceiling"], row["ended"], row["at_least"]) for row in found] == [(3, None, "time", True)]


def test_shadows_never_enter() -> None:
    shadow = rater(SIM, revision(104, mark(1, "1+d0w0"), mark(1, "2+d0w0")), role=Role.SHADOW)
    with_shadow = replace(THREE, raters=(*THREE.raters, shadow))

    assert compile_panel(with_shadow) == compile_panel(THREE)


def test_a_card_written_after_seeing_others_is_raw_but_not_among_the_three() -> None:
    late = rater(CHEN, replace(THREE.raters[2].latest[0], independent=False))

    content = compile_panel(replace(THREE, raters=(*THREE.raters[:2], late)))

    depth = dimension(content, "depth")
    assert (depth["value"], depth["raters"], depth["independent_raters"], depth["provisional"]) == (2.7222, 3, 2, True)
    assert content["raters"][2]["independent"] is False


def test_an_amendment_moves_the_raw_value_and_says_so() -> None:
    before = THREE.raters[1].latest[0]
    after = replace(
        before, id=202, number=2, independent=False, marks=(mark(1, "1+d4w4"), mark(1, "2+d4w1"), *before.marks[2:])
    )
    amended = replace(THREE.raters[1], latest=(after,), last_independent=(before,))

    content = compile_panel(replace(THREE, raters=(THREE.raters[0], amended, THREE.raters[2])))

    # Bo's depth was 1.75 and is (4+4+2+1)/4 = 2.75; why was 1 and is 2.5. The three still count by the first card.
    assert content["amendments"] == [
        {"kind": "value", "person": BO, "aim": "depth", "before": 1.75, "after": 2.75},
        {"kind": "value", "person": BO, "aim": "why", "before": 1.0, "after": 2.5},
        {
            "kind": "boundary",
            "person": BO,
            "tree": 1,
            "before": {"floor": 1, "ceiling": 2},
            "after": {"floor": 2, "ceiling": None},
        },
    ]
    depth = dimension(content, "depth")
    assert (depth["value_before_amendments"], depth["value"]) == (2.7222, 3.0556)
    assert (depth["independent_raters"], depth["provisional"]) == (3, False)
    assert content["raters"][1] == {
        "person": BO, "role": "interviewer", "revisions": [202], "independent": True, "amended": True,
    }  # fmt: skip


def test_an_amended_recommendation_is_said_with_the_one_before() -> None:
    before = THREE.raters[1].latest[0]
    after = replace(before, id=202, number=2, recommendation=Recommendation.STRONG_NO)
    amended = replace(THREE.raters[1], latest=(after,), last_independent=(after,))

    content = compile_panel(replace(THREE, raters=(THREE.raters[0], amended, THREE.raters[2])))

    assert content["amendments"] == [
        {"kind": "recommendation", "person": BO, "before": "yes", "after": "strong_no"},
    ]
    assert content["raters"][1]["independent"] is True


CALIBRATION = CalibrationIn(
    run=3,
    dimensions=(
        CalibratedIn(Aim.DEPTH, 9, raw=2.7222, who_allowed=2.5, what_allowed=2.62, value=2.52, low=2.1, high=2.9),
    ),
    severities=(SeverityIn(BO, points=0.4, interviews=43), SeverityIn(ANA, points=-0.2, interviews=4, assumed=True)),
)


def test_a_calibration_gives_a_value_an_interval_and_steps_that_add_up() -> None:
    content = compile_panel(replace(THREE, calibration=CALIBRATION))

    found = dimension(content, "depth")["calibrated"]
    assert (found["value"], found["low"], found["high"]) == (2.52, 2.1, 2.9)
    # The raw value is 2.7222.
    assert [(step["step"], step["moves"]) for step in found["steps"]] == [
        ("who_asked", -0.2222),
        ("what_was_asked", 0.12),
        ("how_little_was_seen", -0.1),
    ]
    assert round(dimension(content, "depth")["value"] + sum(step["moves"] for step in found["steps"]), 4) == 2.52
    assert content["calibration"] == {
        "run": 3,
        "severities": [
            {"person": ANA, "points": -0.2, "interviews": 4, "assumed": True},
            {"person": BO, "points": 0.4, "interviews": 43, "assumed": False},
        ],
    }
    assert (dimension(content, "why")["calibrated"], dimension(content, "why")["calibrated_missing"]) == (
        None,
        "cannot_be_told",
    )
    assert digest(from_json(as_json(replace(THREE, calibration=CALIBRATION)))) != digest(THREE)


def test_differences_name_the_place_and_both_values() -> None:
    kept = {"a": [1, {"b": 2.0}], "gone": {"x": 1}, "same": None}
    now = {"a": [1, {"b": 3}, 4], "new": "words", "same": None}

    assert differences(kept, now) == [
        "a[1].b: kept 2.0, now 3",
        "a: kept 2 entries, now 3",
        "gone: kept 1 entries, now gone",
        'new: not kept, now "words"',
    ]
    assert differences(list(range(9)), list(range(1, 10)), "x", most=2)[1:] == ["x[1]: kept 1, now 2", "and more"]
    assert differences(kept, kept) == []


def test_a_void_takes_a_probe_out_of_value_boundary_evidence_and_rows() -> None:
    ana = THREE.raters[0].latest[0]
    voided = replace(
        ana,
        marks=tuple(replace(m, voided=True) if (m.tree, m.level) == (1, 2) else m for m in ana.marks),
        statements=(StatementIn(1, StatementKind.EVIDENCE, "0-1-2", "built", "unaided", "x"),),
    )

    content = compile_panel(panel(rater(ANA, voided)))

    assert dimension(content, "depth")["value"] == 4.0
    assert dimension(content, "why")["missing"] == "not_enough_evidence"
    boundary = content["trees"][0]["raters"][0]
    assert (boundary["floor"], boundary["rows"]) == (1, [{"level": 1, "passed": True}])
    assert content["evidence"] == []


def test_an_optional_tree_not_met_enters_nothing() -> None:
    trees = (tree(1), tree(2, optional=True))
    said = revision(
        101, mark(1, "1+d4"), mark(1, "2+d4"), mark(2, "1?d0"), endings=(EndingIn(2, 0, Ended.NOT_EXPECTED),)
    )

    content = compile_panel(panel(rater(ANA, said), trees=trees, required_aims=(Aim.WHY,)))

    assert dimension(content, "depth")["value"] == 4.0
    assert [(row["excluded"], row["floor"], row["rows"]) for row in content["trees"][1]["raters"]] == [(True, None, [])]
    assert [row for row in content["not_covered"] if row.get("tree") == 2] == []
    assert [row for row in content["weak_spots"] if row["tree"] == 2] == []


@pytest.mark.parametrize(("high", "found"), [("3+d4", True), ("3+d3", False)], ids=["2.0 apart", "less than 2.0"])
def test_values_two_apart_are_a_disagreement(high: str, found: bool) -> None:
    # Ana 4, 4, x: 4.0 or 3.67; Bo 2, 2, 2: 2.0.
    ana = rater(ANA, revision(101, mark(1, "1+d4"), mark(1, "2+d4"), mark(1, high)))
    bo = rater(BO, revision(102, mark(1, "1+d2"), mark(1, "2+d2"), mark(1, "3+d2")))

    disagreements = compile_panel(panel(ana, bo))["disagreements"]

    expected = {
        "kind": "value",
        "aim": "depth",
        "difference": 2.0,
        "low": {"person": BO, "value": 2.0},
        "high": {"person": ANA, "value": 4.0},
    }
    assert disagreements == ([expected] if found else [])


def test_floors_two_levels_apart_are_a_disagreement() -> None:
    ana = rater(ANA, revision(101, mark(1, "1+"), mark(1, "2+"), mark(1, "3+")))
    bo = rater(BO, revision(102, mark(1, "1+"), endings=(EndingIn(1, 0, Ended.TIME),)))
    chen = rater(CHEN, revision(103, mark(1, "1+"), mark(1, "2+")))

    assert compile_panel(panel(ana, bo, chen))["disagreements"] == [
        {
            "kind": "floor",
            "tree": 1,
            "difference": 2,
            "low": {"person": BO, "floor": 1},
            "high": {"person": ANA, "floor": 3},
            "low_at_least": True,
        }
    ]


def test_breadth_counts_topics_by_the_panels_lower_median_floor() -> None:
    trees = (tree(1), tree(2), replace(tree(3), topic=10), tree(4))
    # Topic 10: floors 3 and 1 on tree 1 (lower median 1), 2 on tree 3. Topic 20: floor 1. Topic 40: 2, 2, 0.
    ana = revision(101, mark(1, "1+"), mark(1, "2+"), mark(1, "3+"), mark(2, "1+"), mark(4, "1+"), mark(4, "2+"))
    bo = revision(102, mark(1, "1+"), mark(3, "1+"), mark(3, "2+"), mark(4, "1+"), mark(4, "2+"))
    chen = revision(103, mark(4, "1-"))

    content = compile_panel(panel(rater(ANA, ana), rater(BO, bo), rater(CHEN, chen), trees=trees))

    assert content["breadth"] == {"topics": [10, 40], "count": 2}


def test_what_was_not_covered_is_listed() -> None:
    trees = (tree(1), tree(2), replace(tree(3), required=False), tree(4, optional=True))
    given = panel(
        rater(ANA, revision(101, mark(1, "1+d3"), mark(1, "2?"), mark(1, "3+"))),
        trees=trees,
        required_aims=(Aim.WHY, Aim.DEPTH, Aim.HANDS_ON),
    )

    assert compile_panel(given)["not_covered"] == [
        {"kind": "aim_not_asked", "tree": 1, "aim": "why"},
        {"kind": "not_judged", "tree": 1, "probe": "p2", "asked": "0-1-2", "level": 2},
        {"kind": "tree_not_asked", "tree": 2},
        {"kind": "not_enough_evidence", "aim": "depth"},
        {"kind": "not_enough_evidence", "aim": "why"},
        {"kind": "not_enough_evidence", "aim": "hands_on"},
    ]


def test_an_aim_asked_and_rated_by_nobody_is_said() -> None:
    marks = (mark(1, "1+d3"), mark(1, "2+", aims=(Aim.WHY,)))

    found = compile_panel(panel(rater(ANA, revision(101, *marks)), trees=(tree(1),), required_aims=(Aim.WHY,)))

    assert found["not_covered"][0] == {"kind": "aim_not_rated", "tree": 1, "aim": "why"}


def test_weak_spots_say_where_and_what_to_ask() -> None:
    trees = (tree(1), tree(2), tree(3, top=2), tree(4))
    ana = revision(
        101, mark(1, "1+"), mark(1, "2+"), mark(1, "3-"), mark(2, "1+"), mark(3, "1+"), mark(3, "2+"), mark(4, "1p")
    )
    bo = revision(102, mark(1, "1+"), mark(1, "2-", probe="other", asked="0-1-2-other"))

    spots = compile_panel(panel(rater(ANA, ana), rater(BO, bo), trees=trees))["weak_spots"]

    # Tree 1: ceilings 3 and 2, the lower one is named, and p2 was asked. Tree 3 went to its top: no weak spot.
    assert spots == [
        {"tree": 1, "raters": 2, "misses": 2, "kind": "missed", "level": 2, "firm": False, "probe": None},
        {"tree": 4, "raters": 1, "misses": 0, "kind": "unclear", "level": 1, "firm": False, "probe": None},
        {
            "tree": 2, "raters": 1, "misses": 0, "kind": "unknown_above", "level": 2, "firm": False,
            "probe": {"key": "p2", "minutes": 3},
        },
    ]  # fmt: skip


def test_evidence_is_listed_strongest_first_without_words() -> None:
    statements = (
        StatementIn(1, StatementKind.EVIDENCE, "0-1-1", "read_about", "unaided", "x"),
        StatementIn(2, StatementKind.REASON, "0-1-1", "choice", "unaided", "x"),
        StatementIn(3, StatementKind.EVIDENCE, "0-1-2", "debugged", "prompted", "x"),
        StatementIn(4, StatementKind.EVIDENCE, "0-1-2", "debugged", "unaided", "x"),
        StatementIn(5, StatementKind.NOTE, "0-1-2", "", "", "x"),
    )
    said = revision(101, mark(1, "1+d3"), mark(1, "2+d3"), statements=statements)

    evidence = compile_panel(panel(rater(ANA, said)))["evidence"]

    assert [(row["statement"], row["type"], row["counts_for"]) for row in evidence] == [
        (4, "debugged", "hands_on"),
        (3, "debugged", "hands_on"),
        (2, "choice", "why"),
        (1, "read_about", "hands_on"),
    ]
    assert "text" not in json.dumps(evidence)


def test_recommendations_are_the_latest_words_and_their_counts() -> None:
    no_decision = replace(THREE.raters[2].latest[0], recommendation=Recommendation.NO_DECISION)

    found = compile_panel(replace(THREE, raters=(*THREE.raters[:2], rater(CHEN, no_decision))))["recommendations"]

    assert [(row["person"], row["recommendation"]) for row in found["by_rater"]] == [
        (ANA, "yes"),
        (BO, "yes"),
        (CHEN, "no_decision"),
    ]
    assert found["counts"] == {"no_decision": 1, "yes": 2}


def test_an_override_is_beside_the_derived_boundary_and_not_in_the_rows() -> None:
    said = revision(101, mark(1, "1+"), mark(1, "2-"), endings=(EndingIn(1, 0, Ended.WRONG, 3, 4, "d1g3st"),))

    found = compile_panel(panel(rater(ANA, said)))["trees"][0]["raters"][0]

    assert (found["floor"], found["ceiling"], found["override"]) == (1, 2, {"floor": 3, "ceiling": 4})
    assert found["rows"] == [{"level": 1, "passed": True}, {"level": 2, "passed": False}]
