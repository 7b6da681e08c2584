"""Drafts -> trees of the bank: keys, languages, defaults, and what the bank has no room for."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from questionbank.enums import Aim, ProbeKind, SignalKind
from questionbank.exchange.outlines import Why, trees_of
from questionbank.exchange.outlines.draft import DraftTree, OutlineDraft, Question
from questionbank.exchange.outlines.trees import key_of
from questionbank.exchange.write import write
from questionbank.exchange.yaml import read as read_yaml
from questionbank.lint.structure import flaws
from questionbank.outline import levels
from tests.questionbank.outline_drafts import read

pytestmark = pytest.mark.unit

KEY = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")


def test_tree_has_keys_of_words_a_language_and_defaults() -> None:
    made = trees_of(
        read("# Caching\n## Keys\n- What is a key?\n  A name.\n  - Why have you changed one?\n  - Why not two?\n")
    )

    (tree,) = made.trees
    assert tree.key.startswith("what-is-a-key-")
    assert (tree.topic.title, tree.languages) == ({"en": "Caching > Keys"}, ("en",))
    root, changed, why = tree.probes
    assert root.prompt == {"en": "What is a key?"}
    assert root.signals == {SignalKind.STRONG: ({"en": "A name."},)}
    assert (root.kind, changed.kind) == (ProbeKind.CHECK, ProbeKind.PROBE)
    assert (root.aims, changed.aims, why.aims) == ((Aim.DEPTH,), (Aim.HANDS_ON,), (Aim.WHY,))
    assert levels(tree) == {root.key: 1, changed.key: 2, why.key: 2}
    assert made.lines[tree.key] == {"": 3, root.key: 3, changed.key: 5, why.key: 6}


def test_chinese_has_keys_and_its_own_language() -> None:
    first, second = trees_of(read("# 缓存\n- 为什么要用 Redis？\n  因为快。\n- 为什么要换？\n")).trees

    assert first.languages == ("zh-Hans",)
    assert first.topic.title == {"zh-Hans": "缓存"}
    assert {len(one.key) > 6 and KEY.fullmatch(one.key) is not None for one in (first, second)} == {True}
    assert first.key != second.key
    assert first.probes[0].signals[SignalKind.STRONG] == ({"zh-Hans": "因为快。"},)


def test_topic_of_trees_in_two_languages_is_named_in_both() -> None:
    made = trees_of(read("# Redis\n- Why Redis?\n- 为什么要用它？\n"))

    assert [tree.topic.title for tree in made.trees] == [{"en": "Redis", "zh-Hans": "Redis"}] * 2
    assert {tree.topic.key for tree in made.trees} == {"redis"}


def test_tree_without_topic_is_unsorted() -> None:
    assert trees_of(read("- Why?\n")).trees[0].topic.key == "unsorted"


def test_same_question_twice_has_two_keys_and_in_two_topics_too() -> None:
    made = trees_of(read("# A\n- Why?\n- Why?\n  - How?\n  - How?\n# B\n- Why?\n"))

    keys = [tree.key for tree in made.trees]
    assert len(set(keys)) == 3
    assert keys[1] == f"{keys[0]}-2"
    assert made.trees[1].probes[2].key == f"{made.trees[1].probes[1].key}-2"


def test_what_is_too_deep_too_long_or_too_many_is_listed() -> None:
    deep = Question("Root?", 1)
    at = deep
    for number in range(25):
        at.follow_ups.append(Question(f"Step {number}?", number + 2, "So."))
        at = at.follow_ups[0]
    wide = Question("Wide?", 100, follow_ups=[Question(f"Part {number}?", number) for number in range(600)])
    long = Question("Why? " * 500, 200, "word " * 8000)
    draft = OutlineDraft("bank.md", "markdown", trees=[DraftTree((), one) for one in (deep, wide, long)])

    made = trees_of(draft)

    assert [len(tree.probes) for tree in made.trees] == [21, 500, 1]
    assert [one.why for one in made.left_out].count(Why.TOO_DEEP) == 10
    assert [one.why for one in made.left_out].count(Why.TOO_MANY) == 101
    assert [one.why for one in made.left_out].count(Why.TOO_LONG) == 2
    signals = made.trees[2].probes[0].signals[SignalKind.STRONG]
    assert len(signals) == 30
    assert max(len(one["en"]) for one in signals) <= 1000


def test_long_answer_is_cut_at_paragraphs() -> None:
    answer = "\n\n".join(f"Paragraph {number}. " + "x " * 150 for number in range(6))
    draft = OutlineDraft("b", "markdown", trees=[DraftTree(("T",), Question("Why?", 1, answer))])

    signals = trees_of(draft).trees[0].probes[0].signals[SignalKind.STRONG]

    assert [one["en"].split(".")[0] for one in signals] == ["Paragraph 0", "Paragraph 3"]


QUESTIONS = st.recursive(
    st.builds(
        Question, st.text(min_size=1, max_size=40), st.integers(1, 99), st.none() | st.text(min_size=1, max_size=40)
    ),
    lambda inner: st.builds(
        Question, st.text(min_size=1, max_size=40), st.integers(1, 99), st.none(), st.lists(inner, max_size=3)
    ),
    max_leaves=8,
)


@given(
    st.lists(
        st.builds(DraftTree, st.lists(st.text(min_size=1, max_size=9), max_size=2).map(tuple), QUESTIONS), max_size=4
    )
)
@settings(deadline=None, max_examples=80)
def test_any_draft_gives_sound_trees(trees: list[DraftTree]) -> None:
    made = trees_of(OutlineDraft("b", "markdown", trees=trees)).trees

    assert [flaws(tree) for tree in made] == [[]] * len(trees)
    assert len({tree.key for tree in made}) == len(trees)
    keys = (
        [tree.key for tree in made]
        + [tree.topic.key for tree in made]
        + [one.key for tree in made for one in tree.probes]
    )
    assert all(KEY.fullmatch(key) and len(key) <= 80 for key in keys)


def test_imported_tree_survives_our_own_format() -> None:
    (tree,) = trees_of(read("# T\n- What is `a`?\n\n  - one\n  - two\n  ```\n  x\n  ```\n")).trees

    assert read_yaml(write(tree).encode(), file="t.yaml").tree == tree


def test_key_changes_with_the_words_and_the_place_alone() -> None:
    assert key_of("Why  now?", "T") == key_of("Why now?", "T")
    assert key_of("Why now?", "T") != key_of("Why now?", "U")
    assert key_of("123 go").startswith("q-123-go-")
