"""Fields by name: what they show, what they take, what they refuse."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from questionbank.edits import fields
from questionbank.edits.fields import languages, merge_lines, read_head, read_probe, same, write_head, write_probe
from questionbank.edits.refusal import EditRefused
from questionbank.enums import Aim, BranchOutcome, ProbeKind, SignalKind
from questionbank.outline import OutlineBranch, OutlineTree
from tests.questionbank.outlines import probe, tree, trees

pytestmark = pytest.mark.unit

PROBE = probe(
    "one",
    "root",
    ProbeKind.CHECK,
    aims=(Aim.DEPTH, Aim.WHY),
    same_level=True,
    signals={SignalKind.STRONG: ({"en": "A", "zh-Hans": "甲"}, {"en": "B", "zh-Hans": "乙"}, {"en": "C"})},
    anchors={Aim.WHY: {0: {"en": "none"}, 4: {"en": "all"}}},
)


@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("title.en", "  Two \n words ", "Two words"),
        ("title.zh-Hans", "题", "题"),
        ("prompt.en", "One\r\ntwo", "One\ntwo"),
        ("heard.en", "names NCCL", "names NCCL"),
        ("kind", "probe", "probe"),
        ("minutes", "12", "12"),
        ("same_level", "", ""),
        ("scored", "", ""),
        ("aim.hands_on", "1", "1"),
        ("aim.depth", "", ""),
        ("when.partial", "1", "1"),
        ("signals.weak.en", "Nothing\nat all", "Nothing\nat all"),
        ("anchors.why.3.en", "most", "most"),
        ("anchors.why.0.en", "", ""),
    ],
)
def test_field_shows_what_was_written(name: str, value: str, shown: str) -> None:
    assert read_probe(write_probe(PROBE, name, value), name) == shown


@given(trees(), st.data())
def test_writing_what_is_shown_changes_nothing(any_tree: OutlineTree, data: st.DataObject) -> None:
    one = data.draw(st.sampled_from(any_tree.probes))
    tag = data.draw(st.sampled_from(any_tree.languages))
    names = ["kind", "minutes", "same_level", "scored", f"title.{tag}", f"prompt.{tag}", f"signals.strong.{tag}"]
    names += [f"aim.{aim}" for aim in Aim] + [f"anchors.{aim}.2.{tag}" for aim in one.aims]
    names += ["when.partial", f"heard.{tag}"] if one.branch else []
    for name in names:
        assert write_probe(one, name, read_probe(one, name)) == one, name


@pytest.mark.parametrize(
    ("name", "value", "code"),
    [
        ("title.en", "", "no_words"),
        ("title.en", "x" * 121, "too_long"),
        ("prompt.en", " \n ", "no_words"),
        ("prompt.EN", "x", "bad_language"),
        ("prompt.en", "x" * 2001, "too_long"),
        ("kind", "riddle", "not_choice"),
        ("minutes", "0", "not_integer"),
        ("minutes", "61", "not_integer"),
        ("minutes", "3.5", "not_integer"),
        ("minutes", "٣", "not_integer"),
        ("aim.luck", "1", "not_choice"),
        ("anchors.hands_on.3.en", "x", "anchors_without_aim"),
        ("anchors.why.5.en", "x", "no_such_field"),
        ("signals.strong.en", "x\n" * 31, "too_many_signals"),
        ("signals.strong.en", "x" * 1001, "too_long"),
        ("key", "x", "no_such_field"),
        ("", "x", "no_such_field"),
    ],
)
def test_field_refuses_what_cannot_stand_there(name: str, value: str, code: str) -> None:
    with pytest.raises(EditRefused) as refused:
        write_probe(PROBE, name, value if code != "too_many_signals" else "\n".join(map(str, range(31))))

    assert refused.value.code == code


def test_root_has_no_condition() -> None:
    for name in ("when.partial", "heard.en"):
        with pytest.raises(EditRefused):
            write_probe(probe("root"), name, "1")


def test_last_aim_stays() -> None:
    with pytest.raises(EditRefused):
        write_probe(probe("one"), "aim.depth", "")


def test_aim_takes_its_anchors_along() -> None:
    without = write_probe(PROBE, "aim.why", "")

    assert (without.aims, without.anchors) == ((Aim.DEPTH,), {})


def test_only_a_check_keeps_its_level() -> None:
    assert not write_probe(PROBE, "kind", "rescue").same_level
    assert write_probe(PROBE, "kind", "check").same_level


def test_branch_outcomes_keep_the_order_of_the_enum() -> None:
    late = write_probe(PROBE, "when.not_sustained", "1")

    assert write_probe(late, "when.sustained", "1").branch == OutlineBranch(
        "root", (BranchOutcome.SUSTAINED, BranchOutcome.NOT_SUSTAINED)
    )


# --- signals in several languages


@pytest.mark.parametrize(
    ("lines", "kept"),
    [
        (["A", "B", "C"], [("A", "甲"), ("B", "乙"), ("C", None)]),
        (["new", "A", "B", "C"], [("new", None), ("A", "甲"), ("B", "乙"), ("C", None)]),
        (["A", "B changed", "C"], [("A", "甲"), ("B changed", "乙"), ("C", None)]),
        (["A", "C"], [("A", "甲"), (None, "乙"), ("C", None)]),
        (["B", "C"], [(None, "甲"), ("B", "乙"), ("C", None)]),
        ([""], [(None, "甲"), (None, "乙")]),
    ],
)
def test_lines_keep_their_translations(lines: list[str], kept: list[tuple[str | None, str | None]]) -> None:
    merged = merge_lines(PROBE.signals[SignalKind.STRONG], "en", lines)

    assert [(text.get("en"), text.get("zh-Hans")) for text in merged] == kept


def test_lines_are_translated_one_by_one() -> None:
    one = write_probe(PROBE, "signals.strong.zh-Hans", "甲\n乙\n丙")

    assert one.signals[SignalKind.STRONG][2] == {"en": "C", "zh-Hans": "丙"}
    assert read_probe(one, "signals.strong.en") == "A\nB\nC"


@given(st.lists(st.sampled_from("abc"), max_size=4), st.lists(st.sampled_from("abc"), max_size=4))
def test_lines_stand_as_they_were_typed(before: list[str], after: list[str]) -> None:
    merged = merge_lines([{"en": word} for word in before], "en", after)

    assert [text["en"] for text in merged] == after


@pytest.mark.parametrize("name", ["title.en", "prompt.en"])
@pytest.mark.parametrize("words", ["\u200b", "\u202e\u200f", "\u3164", "…"])
def test_words_that_nobody_can_read_are_no_words(name: str, words: str) -> None:
    with pytest.raises(EditRefused):
        write_probe(probe("a"), name, words)


def test_texts_read_as_they_are_kept() -> None:
    assert read_probe(write_probe(probe("a"), "title.en", "a\u202eb\u2066c"), "title.en") == "abc"


# --- the head


@pytest.mark.parametrize(
    ("name", "value"),
    [("title.de", "Uhren"), ("minutes", "25"), ("purpose", "breadth"), ("misses", "3"), ("second_try", "")],
)
def test_head_shows_what_was_written(name: str, value: str) -> None:
    assert read_head(write_head(tree(probe("a")), name, value), name) == value


@pytest.mark.parametrize(("name", "value"), [("title.en", ""), ("minutes", "241"), ("misses", "0"), ("key", "x")])
def test_head_refuses_what_cannot_stand_there(name: str, value: str) -> None:
    with pytest.raises(EditRefused):
        write_head(tree(probe("a")), name, value)


def test_languages_are_those_that_anything_is_written_in() -> None:
    said = tree(probe("a", prompt={"zh-Hans": "什么"}), title={"fr": "Horloges", "en": "Clocks"})

    assert languages(said) == ("en", "fr", "zh-Hans")


def test_line_ends_and_invisible_characters_are_no_change() -> None:
    assert same("a\r\nb \n", "a\nb")
    assert fields.clean(" a\x00\x07e\u0301") == "a\u00e9"
    assert not same("a", "b")
