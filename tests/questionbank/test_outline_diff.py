"""What changed between two versions: places, values, and texts down to the word."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from questionbank.enums import Aim, BranchOutcome, ProbeKind, Purpose, SignalKind
from questionbank.outline import OutlineBranch, OutlineTree
from questionbank.outline_diff import Aspect, Change, TextChange, compare
from questionbank.text_diff import Part, Piece, pieces
from tests.questionbank.outlines import LADDER, probe, tree, trees

pytestmark = pytest.mark.unit

SAME, REMOVED, ADDED = Part.SAME, Part.REMOVED, Part.ADDED


def changed(key: str, **fields: Any) -> OutlineTree:
    """The ladder with one probe changed."""
    probes = [replace(one, **fields) if one.key == key else one for one in LADDER.probes]
    return replace(LADDER, probes=tuple(probes))


def changes_of(new: OutlineTree, old: OutlineTree = LADDER) -> dict[str, list[Change]]:
    return {one.key: list(one.changes) for one in compare(old, new).probes}


MARKS = {SAME: "{}", REMOVED: "[-{}-]", ADDED: "[+{}+]"}


def marked(found: tuple[Piece, ...]) -> str:
    return "".join(MARKS[piece.part].format(piece.text) for piece in found)


# --- texts


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("one two three", "one 2 three", "one [-two-][+2+] three"),
        ("What about clocks?", "What about clocks", "What about clocks[-?-]"),
        ("a b", "a b c d", "a b[+ c d+]"),
        ("", "new", "[+new+]"),
        ("old", "", "[-old-]"),
        # One change, not two with a blank between them.
        ("keep one two keep", "keep three four keep", "keep [-one two-][+three four+] keep"),
        # Written anew: whole texts, no shreds.
        ("Why do clocks differ?", "Name a lock-free queue", "[-Why do clocks differ?-][+Name a lock-free queue+]"),
        # Chinese by the character, a Latin word within it whole.
        ("两个时钟为什么不同", "两个时钟为何不同", "两个时钟为[-什么-][+何+]不同"),
        ("用GPU上的NCCL", "用TPU上的NCCL", "用[-GPU-][+TPU+]上的NCCL"),
    ],
)
def test_text_is_compared_by_word_or_character(old: str, new: str, expected: str) -> None:
    assert marked(pieces(old, new)) == expected


TEXTS = st.text(st.sampled_from("ab 中文,.\n_1é"), max_size=40)


@given(TEXTS, TEXTS)
def test_pieces_hold_both_texts_whole(old: str, new: str) -> None:
    found = pieces(old, new)

    assert "".join(piece.text for piece in found if piece.part != ADDED) == old
    assert "".join(piece.text for piece in found if piece.part != REMOVED) == new
    assert all(piece.text for piece in found)


def test_two_very_long_texts_are_shown_whole() -> None:
    found = pieces("啊吧" * 2000, "吧吧啊" * 1300)

    assert [piece.part for piece in found] == [REMOVED, ADDED]


def test_only_the_language_that_changed_is_named() -> None:
    old = changed("two", prompt={"en": "Why?", "zh-Hans": "为什么？"})
    new = changed("two", prompt={"en": "Why?", "zh-Hans": "为何？", "de": "Warum?"})

    (change,) = changes_of(new, old)["two"]
    assert change.aspect is Aspect.PROMPT
    assert {text.language: marked(text.pieces) for text in change.texts} == {
        "zh-Hans": "为[-什么-][+何+]？",
        "de": "[+Warum?+]",
    }


# --- values


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"minutes": 9}, Change(Aspect.MINUTES, 3, 9)),
        ({"scored": False}, Change(Aspect.SCORED, before=True, after=False)),
        ({"aims": (Aim.WHY, Aim.DEPTH)}, Change(Aspect.AIMS, ("depth",), ("depth", "why"))),
        ({"branch": OutlineBranch("root", (BranchOutcome.PARTIAL,))}, Change(Aspect.WHEN, (), ("partial",))),
        (
            {"branch": OutlineBranch("root", (), {"en": "NCCL"})},
            Change(Aspect.HEARD, texts=(TextChange("en", (Piece(ADDED, "NCCL"),)),)),
        ),
        ({"kind": ProbeKind.CHECK}, Change(Aspect.KIND, "probe", "check")),
    ],
)
def test_a_changed_value_says_before_and_after(fields: dict[str, Any], expected: Change) -> None:
    assert changes_of(changed("two", **fields)) == {"two": [expected]}


def test_the_tree_itself_is_compared() -> None:
    new = replace(LADDER, title={"en": "A bush"}, purpose=Purpose.BREADTH, minutes=12, misses=3, second_try=False)

    title, *values = compare(LADDER, new).head
    assert (title.aspect, marked(title.texts[0].pieces)) == (Aspect.TITLE, "A [-tree-][+bush+]")
    assert values == [
        Change(Aspect.PURPOSE, "boundary", "breadth"),
        Change(Aspect.MINUTES, 10, 12),
        Change(Aspect.MISSES, 2, 3),
        Change(Aspect.SECOND_TRY, before=True, after=False),
    ]


def test_anchors_are_compared_rating_by_rating() -> None:
    old = changed("two", anchors={Aim.DEPTH: {0: {"en": "none"}, 1: {"en": "some"}}})
    new = changed("two", anchors={Aim.DEPTH: {0: {"en": "none"}, 1: {"en": "some more"}, 2: {"en": "all"}}})

    assert changes_of(new, old)["two"] == [
        Change(
            Aspect.ANCHOR,
            of="depth",
            rating=1,
            texts=(TextChange("en", (Piece(SAME, "some"), Piece(ADDED, " more"))),),
        ),
        Change(Aspect.ANCHOR, of="depth", rating=2, texts=(TextChange("en", (Piece(ADDED, "all"),)),)),
    ]


def test_a_signal_is_compared_with_the_one_it_came_from() -> None:
    strong = SignalKind.STRONG
    old = changed("two", signals={strong: ({"en": "Names the drift rate"}, {"en": "Asks about leap seconds"})})
    new = changed("two", signals={strong: ({"en": "Something else"}, {"en": "Names the drift of it"})})

    assert [marked(change.texts[0].pieces) for change in changes_of(new, old)["two"]] == [
        "Names the drift [-rate-][+of it+]",
        "[-Asks about leap seconds-]",
        "[+Something else+]",
    ]


def test_signals_in_another_order_say_just_that() -> None:
    weak = SignalKind.WEAK
    old = changed("two", signals={weak: ({"en": "a"}, {"en": "b"})})
    new = changed("two", signals={weak: ({"en": "b"}, {"en": "a"})})

    assert changes_of(new, old) == {"two": [Change(Aspect.SIGNAL, of="weak")]}


# --- places


def test_added_and_removed_probes_are_named() -> None:
    new = tree(*LADDER.probes[:-1], probe("five", "two"))

    found = compare(LADDER, new)

    assert [(one.key, one.before is None, one.after is None) for one in found.probes] == [
        ("five", True, False),
        ("three-check", False, True),
    ]
    assert found.same == 5


def test_a_moved_probe_says_from_where_and_what_follows_changes_its_level() -> None:
    new = changed("two-again", branch=OutlineBranch("root"), same_level=False, kind=ProbeKind.PROBE)
    found = changes_of(new)

    assert found["two-again"][0] == Change(Aspect.MOVED, "two", "root")
    assert "three" not in found  # level 3 before and after


def test_a_subtree_that_hangs_deeper_says_so_for_each_probe() -> None:
    old = tree(probe("root"), probe("a", "root"), probe("b", "root"), probe("c", "b"))
    new = tree(probe("root"), probe("a", "root"), probe("b", "a"), probe("c", "b"))

    assert changes_of(new, old) == {
        "b": [Change(Aspect.MOVED, "root", "a"), Change(Aspect.LEVEL, 2, 3)],
        "c": [Change(Aspect.LEVEL, 3, 4)],
    }


@pytest.mark.parametrize(
    ("order", "moved"),
    [
        ("abcd", {}),
        ("dabc", {"d": (4, 1)}),
        ("bcda", {"a": (1, 4)}),
        ("acbd", {"b": (2, 3)}),
        ("xabcd", {}),
        ("abd", {}),
    ],
)
def test_the_fewest_probes_explain_a_new_order(order: str, moved: dict[str, tuple[int, int]]) -> None:
    old = tree(probe("root"), *(probe(key, "root") for key in "abcd"))
    new = tree(probe("root"), *(probe(key, "root") for key in order))

    found = {
        one.key: (change.before, change.after)
        for one in compare(old, new).probes
        for change in one.changes
        if change.aspect is Aspect.MOVED
    }
    assert found in (moved, {"c": (3, 2)}) if order == "acbd" else found == moved


@given(trees())
def test_a_tree_does_not_differ_from_itself(one: OutlineTree) -> None:
    found = compare(one, one)

    assert not found
    assert found.same == len(one.probes)


@given(trees(), trees())
def test_every_probe_of_both_is_accounted_for(old: OutlineTree, new: OutlineTree) -> None:
    found = compare(old, new)

    removed = {one.key for one in found.probes if one.after is None}
    assert found.same + len(found.probes) - len(removed) == len(new.probes)
    assert removed == keys(old) - keys(new)
    assert {one.key for one in found.probes if one.before is None} == keys(new) - keys(old)
    assert all(one.changes for one in found.probes if one.before and one.after)


def keys(of: OutlineTree) -> set[str]:
    return {one.key for one in of.probes}
