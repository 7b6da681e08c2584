"""What a simulation compares: always, and as its script says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from scoring.simulation.expectations import failures
from scoring.simulation.line import Heard
from scoring.simulation.outbox import Acked, Refused
from scoring.simulation.outcome import Outcome, Took
from scoring.simulation.reading import read
from scoring.simulation.report import report

pytestmark = pytest.mark.unit

TEXT = """format: 1
simulation: tiny
people: {{ana: ana@x.example, bo: bo@x.example}}
manager: m@x.example
steps: [{{ana: start}}]
cards: {{ana: yes, bo: no}}
expect: {expect}
"""
BOUNDARY = {"floor": 2, "ceiling": 3, "ended": "wrong", "at_least": False, "ratable": True, "excluded": False}


def mark(seq: int, id: str = "m", asked: str = "a") -> Heard:
    return Heard("mine", seq, "mark.set", id, "seat", {"asked": asked, "version": 1})


def took(**more: Any) -> Took:
    whole = Took(
        name="ana",
        seat="s",
        role="lead",
        accepted=[Acked("m", "mark.set", {"asked": "a"}, "mine", 1, 1, 1)],
        refused=[],
        heard=[mark(1)],
        resent=0,
        lines=1,
        gaps=0,
        closing={"marks": 1, "evidence": 0, "reasons": 0, "notes": 0, "boundaries": 0},
        submitted=True,
    )
    return replace(whole, **more)


def outcome(person: Took | None = None, **more: Any) -> Outcome:
    dimension = {
        "value": 2.3333, "missing": None, "lowest": 2.0, "highest": 2.5, "raters": 2, "provisional": True,
        "by_rater": [
            {"person": 1, "value": 2.5, "missing": None},
            {"person": 2, "value": None, "missing": "not_enough_evidence"},
        ],
    }  # fmt: skip
    content = {
        "raters": [{"person": 1}, {"person": 2}],
        "breadth": {"count": 1},
        "dimensions": {"depth": dimension},
        "trees": [{"tree": 7, "raters": [{"person": 1, **BOUNDARY}, {"person": 2, **BOUNDARY, "ceiling": None}]}],
        "disagreements": [{"kind": "value", "aim": "depth", "difference": 2.0}],
    }
    filled = {"panel": {"number": 1, "content": content}, "raters": {"ana": 1, "bo": 2}, "trees": {"a-tree": 7}}
    return Outcome("http://x", "i", "p", {"ana": person or took()}, None, **{**filled, **more})


def compared(expect: str, found: Outcome) -> list[str]:
    return failures(read(TEXT.format(expect=expect).encode(), file="tiny.yaml"), found)


@pytest.mark.parametrize(
    ("expect", "failure"),
    [
        ("{accepted: {ana: 1, bo: 0}}", None),
        ("{accepted: {ana: 2}}", "accepted.ana: 1 commands, expected 2"),
        ("{refused: {ana: [stale]}}", "refused.ana: nothing, expected stale"),
        ("{shared: [a/b]}", "shared: nothing, expected a/b"),
        ("{raters: 2, breadth: 1}", None),
        ("{raters: 3}", "raters: 2, expected 3"),
        ("{breadth: 0}", "breadth: 1, expected 0"),
        ("{dimensions: {depth: {value: 2.33, lowest: 2, highest: 2.5, raters: 2, provisional: true}}}", None),
        ("{dimensions: {depth: {value: 2.35}}}", "dimensions.depth.value: 2.3333, expected 2.35"),
        ("{dimensions: {depth: {provisional: false}}}", "dimensions.depth.provisional: true, expected false"),
        (
            "{dimensions: {depth: {missing: not_enough_evidence}}}",
            "dimensions.depth.missing: none, expected not_enough_evidence",
        ),
        ("{dimensions: {depth: {of: {ana: 2.5, bo: not_enough_evidence}}}}", None),
        ("{dimensions: {depth: {of: {bo: 1}}}}", "dimensions.depth.of.bo: none, expected 1"),
        ("{trees: {a-tree: {ana: {floor: 2, ceiling: 3, ended: wrong, at_least: false, ratable: true}}}}", None),
        ("{trees: {a-tree: {bo: {ceiling: none}}}}", None),
        ("{trees: {a-tree: {ana: {ceiling: none}}}}", "trees.a-tree.ana.ceiling: 3, expected 0"),
        ("{trees: {a-tree: {ana: {floor: 1}}}}", "trees.a-tree.ana.floor: 2, expected 1"),
        ("{trees: {b-tree: {ana: {floor: 1}}}}", "trees.b-tree.ana: there is none"),
        ("{disagreements: [depth]}", None),
        ("{disagreements: []}", "disagreements: depth, expected nothing"),
    ],
)
def test_expectations_hold_or_say_what_was_found(expect: str, failure: str | None) -> None:
    assert compared(expect, outcome()) == ([failure] if failure else [])


def test_a_refusal_that_was_not_foreseen_is_a_failure() -> None:
    refused = took(refused=[Refused("r", "probe.ask", "not_lead", "Only the lead.")])

    assert compared("{}", outcome(refused)) == ["refused.ana: probe.ask: not_lead (Only the lead.), expected nothing"]


@pytest.mark.parametrize(
    ("person", "failure"),
    [
        (took(heard=[]), "ana: mark.set m was acknowledged and heard 0 times"),
        (took(heard=[mark(1), mark(2)]), "ana: mark.set m was acknowledged and heard 2 times"),
        (took(heard=[mark(1), mark(3, "n", "a")]), "ana: the stream mine has holes: [1, 3]"),
        (took(heard=[mark(1), mark(2, "n", "b")]), "ana: the server closed with {'marks': 1,"),
    ],
)
def test_a_lost_or_doubled_event_is_seen_always(person: Took, failure: str) -> None:
    assert any(line.startswith(failure) for line in compared("{}", outcome(person)))


def test_a_panel_card_that_is_not_there_is_said() -> None:
    assert compared("{raters: 1}", outcome(panel={})) == ["panel: there is no panel card"]


def test_the_report_says_who_was_acknowledged_what_and_what_does_not_hold() -> None:
    found = outcome(failures=["raters: 2, expected 3"])

    lines = report(found).splitlines()

    assert lines[2] == "  ana  lead               1       0        0      1  card in"
    assert "  depth     2.33  (2.00 to 2.50, 2 raters, provisional)" in lines
    assert "  a-tree  bo: floor 2 (wrong)" in lines
    assert lines[-2:] == ["does not hold: raters: 2, expected 3", "1 expectations do not hold"]
