"""Likeness of prompts: the figure, the normal form, and finding pairs among thousands."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from questionbank.enums import ProbeKind
from questionbank.lint import NEAR, near_duplicates, normalised, similarity
from questionbank.lint.similar import FEWEST, trigrams
from questionbank.outline import OutlineTree
from tests.questionbank.outlines import probe, tree

pytestmark = pytest.mark.unit


def asking(*prompts: str, language: str = "en", key: str = "a-tree") -> OutlineTree:
    """Return a tree whose probes p-0, p-1 ... have these prompts, one below the other."""
    return tree(
        *(
            probe(f"p-{number}", f"p-{number - 1}" if number else None, prompt={language: prompt})
            for number, prompt in enumerate(prompts)
        ),
        key=key,
    )


def pairs(*trees: OutlineTree) -> list[tuple[str, str, str, str]]:
    return [
        (found.tree, found.probe, str(found.values["other_tree"]), str(found.values["other"]))
        for found in near_duplicates(trees)
    ]


def test_normalised_keeps_letters_and_digits_of_any_script() -> None:
    assert normalised("  What’s the “GPU-time” of 8 ＡＢ？ ") == "what s the gpu time of 8 ab"
    assert normalised("数据并行，是什么？") == "数据并行 是什么"


def test_trigrams_are_those_of_the_database() -> None:
    assert trigrams("cat 数据") == {"  c", " ca", "cat", "at ", "  数", " 数据", "数据 "}


@pytest.mark.parametrize(
    ("one", "other", "near"),
    [
        ("What does stage 3 cost in communication?", "What does stage 3 cost, in communication", True),
        ("How do you decide how many cases it needs?", "How would you decide how many cases it needs?", True),
        ("What does stage 3 cost in communication?", "What does stage 3 save in memory?", False),
        ("和普通数据并行相比，三阶段的通信代价是多少？", "和普通数据并行相比，三阶段的通信代价有多大？", True),
        ("和普通数据并行相比，三阶段的通信代价是多少？", "三阶段能省多少显存？", False),
    ],
)
def test_similarity_tells_a_repetition_from_another_question(one: str, other: str, near: bool) -> None:
    assert (similarity(one, other) >= NEAR) is near
    assert similarity(one, other) == similarity(other, one)


def test_similarity_goes_from_0_to_1() -> None:
    assert similarity("The same?", "the SAME") == 1
    assert similarity("abc", "xyz") == 0
    assert similarity("?", "!") == 0


def test_near_duplicates_stand_at_the_later_probe_and_name_the_likest() -> None:
    first = asking("How would you find the slow node of a cluster?", "What is a clock?", key="first")
    second = asking("Why do clocks differ?", "How would you find the slowest node of the cluster?", key="second")
    third = asking("How would you find the slow node of your cluster?", key="third")

    assert pairs(first, second, third) == [("second", "p-1", "first", "p-0"), ("third", "p-0", "first", "p-0")]


def test_near_duplicates_are_found_in_each_language_by_itself() -> None:
    one = tree(
        probe("a", prompt={"en": "Where do you look first of all?", "zh-Hans": "你接下来首先会看这份日志的哪里？"})
    )
    other = tree(
        probe("a", prompt={"en": "Something else altogether, please?", "zh-Hans": "接下来首先会看这份日志的哪里？"}),
        key="other",
    )
    foreign = tree(probe("a", prompt={"de": "Where do you look first of all?"}), key="foreign")

    [found] = near_duplicates([one, other, foreign])

    assert (found.tree, found.place, found.values["language"]) == ("other", "prompt.zh-Hans", "zh-Hans")


def test_short_prompts_repeat_nothing() -> None:
    assert len(trigrams(normalised("Why?"))) < FEWEST
    assert pairs(asking("Why?", "Why?"), asking("为什么？", "为什么？", language="zh-Hans", key="b")) == []


def test_rescue_may_rephrase_its_own_probe_alone() -> None:
    words = {"en": "Where do you look first of all?"}
    rescued = tree(probe("a", prompt=words), probe("b", "a", ProbeKind.RESCUE, prompt=words))

    assert pairs(rescued) == []
    assert pairs(rescued, tree(probe("a", kind=ProbeKind.RESCUE, prompt=words), key="other")) == [
        ("other", "a", "a-tree", "a")
    ]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.text("abc de", min_size=10, max_size=24), min_size=2, max_size=12))
def test_near_duplicates_finds_what_comparing_all_pairs_would(prompts: list[str]) -> None:
    said = [words for words in prompts if len(trigrams(normalised(words))) >= FEWEST]
    later = {other for one, other in combinations(range(len(said)), 2) if similarity(said[one], said[other]) >= NEAR}

    assert {found.index for found in near_duplicates([asking(*said)])} == later


def test_a_bank_made_by_one_pattern_is_no_quadratic_work() -> None:
    alike = asking(*(f"What would you say about the thing number {n}?" for n in range(1000)))

    assert len(near_duplicates([alike])) == 999
