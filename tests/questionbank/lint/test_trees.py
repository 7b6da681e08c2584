"""What a sound tree lacks before it can be published, and what a curator looks at twice."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from questionbank.enums import Aim, BranchOutcome, ProbeKind, Purpose, SignalKind
from questionbank.exchange.files import read_paths
from questionbank.exchange.problems import WORDS, Problem
from questionbank.lint import Finding, Severity, gaps, lint, lint_one, looks
from questionbank.outline import OutlineBranch, OutlineProbe, OutlineTree
from tests.questionbank.outlines import complete, probe, tree, trees

pytestmark = pytest.mark.unit

ROOT = Path(__file__).resolve().parents[3]
BANK = ROOT / "questionbank" / "bank"
PROMPTS = {
    "a": "How does a clock drift?",
    "b": "Where would you look for the cause of that jump?",
    "c": "Tell me about a leap second that you met.",
}


def sound(*probes: OutlineProbe, **fields: Any) -> OutlineTree:
    """Return a tree about which there is nothing to say: a check, then two levels below it."""
    ladder = probes or (complete("a", kind=ProbeKind.CHECK), complete("b", "a"), complete("c", "b"))
    ladder = tuple(replace(one, prompt={"en": PROMPTS[one.key]}) if one.key in PROMPTS else one for one in ladder)
    return tree(*ladder, **{"minutes": 30, **fields})


def changed(key: str, **fields: Any) -> OutlineTree:
    return replace(sound(), probes=tuple(replace(one, **fields) if one.key == key else one for one in sound().probes))


def after(key: str, *outcomes: BranchOutcome) -> OutlineBranch:
    return OutlineBranch(key, outcomes)


def said(findings: list[Finding]) -> list[tuple[str, str, str]]:
    return [(one.code, one.probe, one.place) for one in findings]


def test_lint_says_nothing_of_a_sound_tree() -> None:
    assert lint([sound()]) == []


def test_lint_says_nothing_of_the_starter_bank() -> None:
    starter = [one for reading in read_paths([BANK]) for one in reading.trees]

    assert len(starter) >= 3
    assert lint(starter) == []


def test_gaps_names_what_raters_would_miss() -> None:
    whole = {aim: {rating: {"en": "."} for rating in range(5)} for aim in Aim}
    said_ = {kind: ({"en": "."},) for kind in SignalKind}
    lacking = tree(
        probe("a", aims=(Aim.DEPTH, Aim.WHY), anchors={Aim.DEPTH: whole[Aim.DEPTH]}, signals=said_),
        probe("b", "a", aims=(Aim.HANDS_ON,), anchors=whole, signals={SignalKind.STRONG: said_[SignalKind.STRONG]}),
        probe("c", "a", aims=(Aim.HANDS_ON,), anchors=whole, signals=said_, scored=False),
    )

    assert [(gap.code, gap.index, gap.place, dict(gap.values)) for gap in gaps(lacking)] == [
        ("no_anchors", 0, "anchors.why", {"aim": "why", "ratings": "0, 1, 2, 3, 4"}),
        ("no_signals", 1, "signals", {"kinds": "recited, weak"}),
    ]
    assert {gap.severity for gap in gaps(lacking)} == {Severity.STOPS}


def test_gaps_wants_every_aim_of_a_boundary_tree_scored() -> None:
    one = tree(probe("a", aims=(Aim.DEPTH,)), probe("b", "a", aims=(Aim.WHY,), scored=False))

    missing = [gap.values["aim"] for gap in gaps(one) if gap.code == "aim_not_asked"]

    assert missing == ["why", "hands_on"]
    assert not [gap for gap in gaps(replace(one, purpose=Purpose.BREADTH)) if gap.code == "aim_not_asked"]


def test_gaps_wants_words() -> None:
    assert said(gaps(changed("b", prompt={"en": " "}, title={}))) == [
        ("no_words", "b", "title"),
        ("no_words", "b", "prompt"),
    ]


@pytest.mark.parametrize(
    ("one", "found"),
    [
        (changed("b", scored=False), [("level_gap", "", "probes")]),
        (sound(complete("a", kind=ProbeKind.CHECK)), [("one_level", "", "probes")]),
        (sound(minutes=8), [("minutes_over", "c", "minutes")]),
        (sound(minutes=9), []),
        (changed("b", branch=after("a", BranchOutcome.RECITED)), [("sustained_ends", "a", "key")]),
        (changed("b", branch=after("a", BranchOutcome.RECITED, BranchOutcome.SUSTAINED)), []),
        (
            changed("c", branch=after("b", BranchOutcome.NOT_SUSTAINED)),
            [("sustained_ends", "b", "key"), ("deeper_after_miss", "c", "when")],
        ),
        (
            changed("c", kind=ProbeKind.RESCUE, branch=after("b", BranchOutcome.SUSTAINED)),
            [("rescue_after_sustained", "c", "when")],
        ),
        (changed("c", kind=ProbeKind.RESCUE, branch=after("b", BranchOutcome.NOT_SUSTAINED)), []),
        (sound(title={"en": "A tree", "zh-Hans": "一棵树"}), [("no_translation", "", "topic.title")]),
        (changed("b", prompt={"en": "What is drift? And what is skew?"}), [("two_questions", "b", "prompt.en")]),
        (changed("b", title={"en": "TODO"}), [("left_open", "b", "title.en")]),
        (
            changed("b", anchors={Aim.WHY: {n: {"en": " No  reason" if n else "no reason"} for n in (0, 2)}}),
            [("anchors_alike", "b", "anchors.why")],
        ),
    ],
)
def test_looks_finds_slips_and_no_more(one: OutlineTree, found: list) -> None:
    assert [finding for finding in said(looks(one)) if finding[0] != "no_translation" or not finding[1]] == found
    assert {finding.severity for finding in looks(one)} <= {Severity.LOOK}


def test_looks_leaves_breadth_trees_flat() -> None:
    assert looks(sound(complete("a", kind=ProbeKind.CHECK), purpose=Purpose.BREADTH)) == []


def test_minutes_of_a_rescue_are_not_added_to_the_way_down() -> None:
    rescued = sound(
        complete("a", kind=ProbeKind.CHECK),
        complete("a-rescue", "a", ProbeKind.RESCUE, minutes=50),
        complete("b", "a"),
        minutes=6,
    )

    assert said(looks(rescued)) == []


def test_missing_translations_are_told_once_for_each_probe_and_language() -> None:
    both = {"en": "x y", "zh-Hans": "甲乙"}
    one = changed("b", prompt=both, title=both)

    found = [finding for finding in looks(one) if finding.code == "no_translation"]

    assert [(finding.probe, finding.place, finding.values["count"]) for finding in found] == [
        ("", "title", 1),
        ("", "topic.title", 1),
        ("a", "title", 20),
        ("b", "signals.strong[1]", 18),
        ("c", "title", 20),
    ]


def test_lint_of_a_tree_that_is_none_says_only_why() -> None:
    circle = tree(probe("a"), probe("b", "c"), probe("c", "b"))

    assert [finding.code for finding in lint_one(circle)] == ["circle", "circle"]


def test_lint_tells_trees_in_their_order_with_near_duplicates() -> None:
    one, other = sound(), replace(sound(), key="other", minutes=1)

    found = lint([one, other])

    assert [(finding.tree, finding.code, finding.probe) for finding in found] == [
        ("other", "near_duplicate", "a"),
        ("other", "near_duplicate", "b"),
        ("other", "minutes_over", "c"),
        ("other", "near_duplicate", "c"),
    ]
    assert found[0].values == {"language": "en", "other_tree": "a-tree", "other": "a", "percent": 100}


@settings(deadline=None, max_examples=40)
@given(trees())
def test_lint_can_say_whatever_it_finds(any_tree: OutlineTree) -> None:
    for finding in lint([any_tree, replace(any_tree, key="again")]):
        problem = Problem.of(finding)
        assert problem.message
        assert problem.remedy
        assert problem.as_json()["severity"] in {"stops", "look"}


def test_finding_is_said_in_the_words_of_pages() -> None:
    [gap] = gaps(changed("c", anchors={Aim.HANDS_ON: {}}, aims=(Aim.HANDS_ON,)))

    problem = Problem.of(gap)

    assert str(problem) == (
        "a-tree: c.anchors.hands_on: Anchors for hands-on are missing: 0, 1, 2, 3, 4. "
        "Describe each rating from 0 to 4; a tree without can't be published."
    )
    assert problem.as_json() == {
        "file": "",
        "line": 0,
        "tree": "a-tree",
        "probe": "c",
        "key": "c.anchors.hands_on",
        "code": "no_anchors",
        "severity": "stops",
        "message": "Anchors for hands-on are missing: 0, 1, 2, 3, 4.",
        "remedy": "Describe each rating from 0 to 4; a tree without can't be published.",
    }


def test_every_problem_can_be_said() -> None:
    class Anything(defaultdict[str, int]):
        def __missing__(self, key: str) -> int:
            return 1

    for code, (message, remedy) in WORDS.items():
        assert str(message) % Anything() != "", code
        assert str(remedy) % Anything() != "", code


def test_documentation_names_every_code() -> None:
    page = (ROOT / "docs" / "tree-format.md").read_text(encoding="utf-8")
    sources = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "questionbank" / "lint").glob("*.py"))
    made = set(
        re.findall(r"""(?:about\.(?:whole|probe)|Finding)\((?:index, |places\[longest\], )?"([a-z_]+)\"""", sources)
    )

    assert len(made) >= 20
    assert made <= set(WORDS)
    assert made - set(re.findall(r"`([a-z_]+)`", page.partition("## What the linter finds")[2])) == set()
