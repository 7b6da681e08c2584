"""The algebra of a tree: levels, order, flaws, hashes, differences."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from questionbank.enums import Aim, ProbeKind, Purpose, SignalKind
from questionbank.outline import (
    MOST_ANCESTORS,
    OutlineBranch,
    OutlineTopic,
    OutlineTree,
    complete_languages,
    difference,
    flaws,
    gaps,
    levels,
    probe_hash,
    version_hash,
    walk,
)
from tests.questionbank.outlines import LADDER, probe, tree, trees

pytestmark = pytest.mark.unit


def test_levels_follow_the_kinds() -> None:
    assert levels(LADDER) == {
        "root": 1,
        "root-rescue": 1,
        "two": 2,
        "two-again": 2,
        "three": 3,
        "three-check": 3,
    }


def test_walk_gives_parents_first_and_siblings_in_their_order() -> None:
    walked = [(one.probe.key, one.depth, one.follow_ups) for one in walk(LADDER)]

    assert walked == [
        ("root", 0, ("root-rescue", "two")),
        ("root-rescue", 1, ()),
        ("two", 1, ("two-again", "three-check")),
        ("two-again", 2, ("three",)),
        ("three", 3, ()),
        ("three-check", 2, ()),
    ]


@settings(deadline=None, max_examples=60)
@given(trees())
def test_walk_reaches_every_probe_of_a_sound_tree_once(any_tree: OutlineTree) -> None:
    assert flaws(any_tree) == []
    placed = list(walk(any_tree))
    assert sorted(one.probe.key for one in placed) == sorted(one.key for one in any_tree.probes)
    found = levels(any_tree)
    for one in placed:
        if one.probe.parent is not None:
            stays = one.probe.kind is ProbeKind.RESCUE or one.probe.same_level
            assert found[one.probe.key] == found[one.probe.parent] + (0 if stays else 1)


@pytest.mark.parametrize(
    ("probes", "found"),
    [
        ((), [("no_root", None)]),
        ((probe("a", "b"), probe("b", "a")), [("no_root", None), ("circle", 0), ("circle", 1)]),
        ((probe("a", kind=ProbeKind.CHECK), probe("b", "b")), [("circle", 1)]),
        # What only hangs on a circle is not told: it is sound once the circle is broken.
        ((probe("a"), probe("b", "c"), probe("c", "b"), probe("d", "c")), [("circle", 1), ("circle", 2)]),
        ((probe("a"), probe("b")), [("second_root", 1)]),
        ((probe("a"), probe("b", "a"), probe("b", "a")), [("key_twice", 2)]),
        ((probe("a"), probe("b", "x"), probe("c", "b")), [("unknown_parent", 1)]),
        ((probe("a", kind=ProbeKind.RESCUE),), [("root_rescue", 0)]),
        ((probe("a"), probe("b", "a", same_level=True)), [("same_level_of_what", 1)]),
        ((probe("a", kind=ProbeKind.CHECK, same_level=True),), [("same_level_of_what", 0)]),
        ((probe("a", anchors={Aim.WHY: {0: {"en": "none"}}}),), [("anchors_without_aim", 0)]),
    ],
)
def test_flaws_names_everything_that_is_wrong(probes: tuple, found: list) -> None:
    assert [(flaw.code, flaw.index) for flaw in flaws(tree(*probes))] == found


def test_flaws_stops_a_chain_that_no_page_could_nest() -> None:
    chain = [probe("p-0"), *(probe(f"p-{n}", f"p-{n - 1}") for n in range(1, 400))]

    found = flaws(tree(*chain))

    assert [(flaw.code, flaw.index) for flaw in found] == [("too_far_down", MOST_ANCESTORS + 1)]


def test_gaps_names_what_raters_would_miss() -> None:
    whole = {aim: {rating: {"en": "."} for rating in range(5)} for aim in Aim}
    said = {kind: ({"en": "."},) for kind in SignalKind}
    lacking = tree(
        probe("a", aims=(Aim.DEPTH, Aim.WHY), anchors={Aim.DEPTH: whole[Aim.DEPTH]}, signals=said),
        probe("b", "a", aims=(Aim.HANDS_ON,), anchors=whole, signals={SignalKind.STRONG: said[SignalKind.STRONG]}),
        probe("c", "a", aims=(Aim.HANDS_ON,), anchors=whole, signals=said, scored=False),
    )

    assert [(gap.code, gap.index, gap.place) for gap in gaps(lacking)] == [
        ("no_anchors", 0, "anchors.why"),
        ("no_signals", 1, "signals.recited"),
        ("no_signals", 1, "signals.weak"),
    ]


def test_gaps_wants_every_aim_of_a_boundary_tree_scored() -> None:
    one = tree(probe("a", aims=(Aim.DEPTH,)), probe("b", "a", aims=(Aim.WHY,), scored=False))

    missing = [gap.values["aim"] for gap in gaps(one) if gap.code == "aim_not_asked"]

    assert missing == ["why", "hands_on"]
    assert not [gap for gap in gaps(replace(one, purpose=Purpose.BREADTH)) if gap.code == "aim_not_asked"]


def test_hashes_keep_their_canonical_form() -> None:
    # A change here makes every tree of every bank look edited: give the form a new label, and a migration.
    assert version_hash(LADDER) == "3a8c3a8fcfb29ee9480112c4086f442368f12740fcecf8121a9db7a83a909743"
    assert probe_hash(LADDER.probes[0]) == "c922296758d935980921653fa3364bb81849dd6567a1cd0ae2ab15de812a2e10"


def test_version_hash_does_not_count_how_the_file_is_laid_out() -> None:
    moved = replace(LADDER, probes=(*LADDER.probes[2:], *LADDER.probes[:2]), languages=("en", "zh-Hans"))
    # Moving "two" behind its sibling "root-rescue" is no change of order: it stood there before.
    same = replace(LADDER, probes=(LADDER.probes[0], LADDER.probes[1], *reversed(LADDER.probes[2:])))

    assert version_hash(moved) != version_hash(LADDER), "root-rescue now follows two"
    assert version_hash(same) != version_hash(LADDER), "three-check now stands before two-again"
    later = (LADDER.probes[0], LADDER.probes[1], LADDER.probes[2], LADDER.probes[4], LADDER.probes[3], LADDER.probes[5])
    assert version_hash(replace(LADDER, probes=later)) == version_hash(LADDER)


def test_version_hash_leaves_the_topic_to_the_tree() -> None:
    assert version_hash(replace(LADDER, topic=OutlineTopic("other", {"en": "Other"}))) == version_hash(LADDER)


@pytest.mark.parametrize(
    "changed",
    [
        {"title": {"en": "Other"}},
        {"minutes": 11},
        {"misses": 3},
        {"second_try": False},
        {"purpose": Purpose.BREADTH},
        {"key": "other"},
    ],
)
def test_version_hash_counts_the_head(changed: dict) -> None:
    assert version_hash(replace(LADDER, **changed)) != version_hash(LADDER)


def test_probe_hash_stays_when_a_probe_only_moves() -> None:
    one = probe("a", "root")
    moved = replace(one, branch=OutlineBranch("two"), minutes=9, scored=False, title={"en": "Other words"})

    assert probe_hash(moved) == probe_hash(one)
    assert probe_hash(replace(one, prompt={"en": "And now?"})) != probe_hash(one)
    assert probe_hash(replace(one, signals={SignalKind.WEAK: ({"en": "x"},)})) != probe_hash(one)


def test_difference_counts_each_probe_once() -> None:
    root, rescue, two, again, three, check = LADDER.probes
    new = replace(
        LADDER, probes=(root, replace(two, minutes=7), again, three, probe("new", "root"), replace(check, scored=False))
    )

    found = difference(LADDER, new)

    assert found.added == ("new",)
    assert found.changed == ("two", "three-check")
    assert found.left == ("root", "two-again", "three")
    assert found.removed == (rescue.key,)


def test_difference_to_nothing_adds_everything() -> None:
    assert difference(None, LADDER).added == tuple(one.probe.key for one in walk(LADDER))


def test_complete_languages_are_those_of_every_text() -> None:
    both = {"en": "x", "zh-Hans": "y"}
    one = tree(
        probe("a", title=both, prompt=both, signals={SignalKind.WEAK: ({**both, "de": "z"},)}),
        title={**both, "de": "z"},
        topic=OutlineTopic("t", both),
    )

    assert complete_languages(one) == ("en", "zh-Hans")
    assert complete_languages(replace(one, probes=(replace(one.probes[0], prompt={"zh-Hans": "y"}),))) == ("zh-Hans",)
