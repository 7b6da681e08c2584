"""The algebra of a tree: levels, order, hashes, differences."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from questionbank.enums import ProbeKind, Purpose, SignalKind
from questionbank.lint import flaws
from questionbank.outline import (
    OutlineBranch,
    OutlineTopic,
    OutlineTree,
    complete_languages,
    difference,
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
