"""The reader of tree files: what it takes, and that every error comes with its file, line and key, all at once."""

from __future__ import annotations

import time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from questionbank.enums import Aim, BranchOutcome, ProbeKind, SignalKind
from questionbank.exchange.fields import MOST_UNKNOWN
from questionbank.exchange.nodes import MAX_BYTES, Scalar, compose
from questionbank.exchange.problems import MOST_PROBLEMS
from questionbank.exchange.readings import Reading
from questionbank.exchange.write import write
from questionbank.exchange.yaml import read
from questionbank.outline import OutlinePlanTree, OutlineTree
from tests.questionbank.outlines import SOURCE, trees

pytestmark = pytest.mark.unit

# A parser in plain Python on a busy machine: how long one example takes says nothing about it.
unhurried = settings(deadline=None, max_examples=60)


def problems(text: str) -> list[tuple[str, int, str]]:
    reading = read(text.encode(), file="clocks.yaml")
    assert reading.tree is None
    assert reading.plan is None
    return [(problem.code, problem.line, problem.place) for problem in reading.problems]


def broken(old: str, new: str) -> list[tuple[str, int, str]]:
    assert SOURCE.count(old) >= 1, old
    return problems(SOURCE.replace(old, new, 1))


def line_of(text: str) -> int:
    return SOURCE[: SOURCE.index(text)].count("\n") + 1


def test_folded_text_is_read_without_the_parsers_marks() -> None:
    top, _problems = compose("a: >-\n  one two.\n  Three.\nb: |-\n  kept\n  lines\n", file="folded.yaml")

    assert [node.value for node in top.items.values() if isinstance(node, Scalar)] == ["one two. Three.", "kept\nlines"]


def test_read_gives_the_tree_and_keeps_the_source() -> None:
    reading = read(SOURCE.encode(), file="clocks.yaml")

    assert reading.problems == ()
    assert reading.source == SOURCE
    tree = reading.tree
    assert tree is not None
    assert (tree.key, tree.topic.key, tree.minutes, tree.misses, tree.second_try) == ("clocks", "time", 12, 2, True)
    root, follow_up = tree.probes
    assert root.aims == (Aim.DEPTH, Aim.WHY, Aim.HANDS_ON)
    assert root.signals[SignalKind.STRONG] == ({"en": "Drift"}, {"en": "No common start"})
    assert root.anchors[Aim.WHY][4] == {"en": "w4"}
    assert follow_up.kind is ProbeKind.PROBE
    assert follow_up.branch is not None
    assert follow_up.branch.parent == "clock-root"
    assert follow_up.branch.outcomes == (BranchOutcome.SUSTAINED,)
    assert follow_up.branch.heard == {"en": "has set one"}


def test_read_takes_a_byte_order_mark_and_windows_line_ends() -> None:
    plain = read(SOURCE.encode(), file="x").tree

    assert read(b"\xef\xbb\xbf" + SOURCE.replace("\n", "\r\n").encode(), file="x").tree == plain


def test_read_refuses_a_plan_under_the_key_of_another_page() -> None:
    source = "format: 1\nplan: new\nname: New\ntrees:\n  - {tree: new, minutes: 5}\n"

    reading = read(source.encode(), file="x")

    assert [(one.code, one.line, one.place) for one in reading.problems] == [("key_reserved", 2, "plan")]
    assert reading.plan is None


def test_read_takes_a_plan() -> None:
    source = "format: 1\nplan: p\nname: A plan\nrequired_aims: [why, depth]\ntrees:\n  - {tree: a, minutes: 5}\n"

    plan = read((source + "  - {tree: b, minutes: 6, required: false}\n").encode(), file="x").plan

    assert plan is not None
    assert plan.required_aims == (Aim.DEPTH, Aim.WHY)
    assert plan.trees == (OutlinePlanTree("a", 5), OutlinePlanTree("b", 6, required=False))


@unhurried
@given(trees())
def test_write_then_read_is_the_identity(any_tree: OutlineTree) -> None:
    reading = read(write(any_tree).encode(), file="x")

    assert reading.problems == ()
    assert reading.tree is not None
    # Siblings keep their order, the file as a whole is written in reading order.
    assert sorted(reading.tree.probes, key=lambda one: one.key) == sorted(any_tree.probes, key=lambda one: one.key)
    assert write(reading.tree) == write(any_tree)


@pytest.mark.parametrize(
    ("old", "new", "code", "at", "place"),
    [
        ("format: 1", "format: 2", "unknown_format", "format", "format"),
        ("tree: clocks", "tree: Clocks!", "bad_key", "tree:", "tree"),
        ("tree: clocks", f"tree: {'k' * 81}", "bad_key", "tree:", "tree"),
        ("minutes: 12", "minutes: a dozen", "not_integer", "minutes: 12", "minutes"),
        ("minutes: 12", "minutes: 0", "not_integer", "minutes: 12", "minutes"),
        ("minutes: 12", "minutes: '12'", "not_integer", "minutes: 12", "minutes"),
        ("minutes: 12", "minutes: [12]", "not_text", "minutes: 12", "minutes"),
        ("minutes: 12", "minuets: 12", "unknown_key_close", "minutes: 12", "minuets"),
        ("minutes: 12", "colour: red", "unknown_key", "minutes: 12", "colour"),
        ("minutes: 12", "minutes: 12\nminutes: 13", "key_repeated", "probes:", "minutes"),
        ("minutes: 12", "discontinue: {misses: 10}", "not_integer", "minutes: 12", "discontinue.misses"),
        ("minutes: 12", "discontinue: {second_try: yes}", "not_boolean", "minutes: 12", "discontinue.second_try"),
        ("minutes: 12", "purpose: border", "not_choice", "minutes: 12", "purpose"),
        ("languages: [en]", "languages: [en, EN]", "bad_language", "languages", "languages"),
        ("languages: [en]", "languages: [en, en]", "value_repeated", "languages", "languages"),
        ("title: {en: Clocks}", "title: Clocks", "not_mapping", "title: {en: Clocks}", "title"),
        ("title: {en: Clocks}", f"title: {{en: {'x' * 121}}}", "too_long", "title: {en: Clocks}", "title.en"),
        ("title: {en: Clocks}", "title: {en: '\u200b'}", "no_letter", "title: {en: Clocks}", "title.en"),
        ("title: {en: Clocks}", "title: {en: ''}", "empty", "title: {en: Clocks}", "title.en"),
        ("title: {en: Clocks}", "title: {en: ~}", "empty", "title: {en: Clocks}", "title.en"),
        ("title: {en: Clocks}", "title: {en: Clocks, english: C}", "bad_language", "title: {en: Clocks}", "title"),
        ("key: time", "key: null", "empty", "key: time", "topic.key"),
        ("    level: 2\n", "    level: 3\n", "bad_level", "    level: 2", "clock-next.level"),
        ("kind: probe", "kind: resuce", "not_choice", "kind: probe", "clock-next.kind"),
        ("aims: [depth]", "aims: [depth, breadth]", "not_choice", "aims: [depth]", "clock-next.aims"),
        ("aims: [depth]", "aims: depth", "not_list", "aims: [depth]", "clock-next.aims"),
        ("when: [sustained]", "when: [sustained, maybe]", "not_choice", "when:", "clock-next.when"),
        ("after: clock-root", "after: clock-rot", "unknown_parent", "after:", "clock-next.after"),
        ("after: clock-root", "after: clock-next", "circle", "after:", "clock-next.after"),
        ("after: clock-root", "after: [a]", "unknown_parent", "after:", "clock-next.after"),
        ("key: clock-next", "key: clock-root", "key_twice", "key: clock-next", "clock-root.key"),
        ("{en: a}", "{zh-Hans: a}", "language_missing", "      depth: {0: {en: a}", "clock-next.anchors.depth.0"),
        ("4: {en: e}}", "5: {en: e}}", "unknown_key", "      depth: {0: {en: a}", "clock-next.anchors.depth.5"),
        ("weak: [{en: Nothing}]", "weak: Nothing", "not_list", "signals: {strong", "clock-next.signals.weak"),
        ("{en: Nothing}", "Nothing", "not_mapping", "signals: {strong", "clock-next.signals.weak[1]"),
        ("    minutes: 4\n", "    scoring: maybe\n", "not_choice", "    minutes: 4", "clock-next.scoring"),
        ("    minutes: 4\n", "    same_level: true\n", "same_level_of_what", "    minutes: 4", "clock-next.same_level"),
    ],
)  # fmt: skip
def test_read_names_line_and_key_of_an_error(old: str, new: str, code: str, at: str, place: str) -> None:
    assert (code, line_of(at), place) in broken(old, new)


def test_read_says_no_more_than_what_is_wrong() -> None:
    # One slip is one problem: a kind that isn't known doesn't also shift the levels of all below it.
    assert broken("kind: check", "kind: chekc") == [("not_choice", line_of("kind: check"), "clock-root.kind")]
    assert broken("key: clock-root", "key: Clock_Root") == [
        ("bad_key", line_of("key: clock-root"), "Clock_Root.key"),
        ("unknown_parent", line_of("after:"), "clock-next.after"),
    ]


def test_read_names_what_is_missing() -> None:
    found = read(b"tree: x\n", file="x").problems

    assert {(problem.code, problem.line) for problem in found} == {("missing", 1)}
    assert [problem.values["key"] for problem in found] == ["format", "topic", "title", "probes"]


def test_read_collects_all_errors_of_a_file_in_order_of_lines() -> None:
    text = (
        SOURCE.replace("minutes: 12", "minutes: many")
        .replace("aims: [depth]", "aims: [deep]")
        .replace("after: clock-root", "after: nobody")
        .replace("{en: e}", "{de: e}")
        .replace("title: {en: Clocks}", "titel: {en: Clocks}")
    )

    found = problems(text)

    assert [code for code, _line, _place in found] == [
        "missing",
        "unknown_key_close",
        "not_integer",
        "unknown_parent",
        "not_choice",
        "language_missing",
    ]
    assert [line for _code, line, _place in found] == sorted(line for _code, line, _place in found)


def test_problem_is_said_with_file_line_key_and_remedy() -> None:
    reading = read(SOURCE.replace("kind: probe", "kind: resuce").encode(), file="bank/clocks.yaml")

    assert str(reading.problems[0]) == (
        f"bank/clocks.yaml:{line_of('kind: probe')}: clock-next.kind: `resuce` is not one of the values allowed. "
        "Allowed are: check, probe, rescue."
    )
    assert reading.problems[0].as_json()["remedy"] == "Allowed are: check, probe, rescue."


@pytest.mark.parametrize(
    ("data", "code", "line"),
    [
        (b"", "empty_file", 0),
        (b"# only a comment\n", "empty_file", 0),
        (b"- a\n- b\n", "not_mapping", 1),
        (b"a: 1\n", "unknown_file", 1),
        (b"a: [1, 2\n", "syntax", 2),
        (b"a: b: c\n", "syntax", 1),
        (b"tree: x\n\tformat: 1\n", "syntax", 2),
        ("tree: 时钟\n".encode("gb18030"), "not_utf8", 1),
        ("a: 1\n".encode("utf-16"), "not_utf8", 1),
        (b"tree: x\ntitle: a\x00b\n", "control_character", 2),
        (b"tree: x\ntitle: a\xc2\x9bb\n", "control_character", 2),
        ("tree: x\ntitle: a\u202eb\n".encode(), "control_character", 2),
        (b'tree: x\ntitle: "a\\u2066b"\n', "control_character", 2),
        (b"tree: x\ntitle: &a {en: x}\nlist: [*a, *a]\n", "anchor", 2),
        (b"tree: x\ntitle: !!python/object:os.system x\n", "anchor", 2),
        (b"tree: x\ntitle: !<tag:yaml.org,2002:str> x\n", "anchor", 2),
        (b"tree: x\n---\ntree: y\n", "second_document", 2),
        (b"tree: x\n? [a, b]\n: c\n", "name_not_text", 2),
        (b"tree: " + b"[" * 50_000, "too_deep", 1),
        (b"x" * (MAX_BYTES + 1), "too_large", 0),
    ],
)
def test_read_refuses_what_is_no_tree_file(data: bytes, code: str, line: int) -> None:
    reading = read(data, file="x.yaml")

    assert [(problem.code, problem.line) for problem in reading.problems] == [(code, line)]


def test_read_refuses_a_bomb_of_aliases_at_once() -> None:
    bomb = "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 30))
    begun = time.process_time()  # others may be at work too

    assert [problem.code for problem in read(bomb.encode(), file="x").problems] == ["anchor"]
    assert time.process_time() - begun < 1


def test_read_refuses_more_probes_than_a_tree_may_have() -> None:
    many = "".join(f"  - key: k-{n}\n" for n in range(501))

    assert problems(SOURCE.split("probes:\n")[0] + "probes:\n" + many)[0] == ("too_many", 10, "probes")


@unhurried
@given(st.binary(max_size=300))
@example(b"%YAML 1.2\n---\n")
@example(b"? ")
@example(b": : :")
@example(b"tree: \xff")
def test_read_never_raises_on_bytes(data: bytes) -> None:
    reading = read(data, file="x")

    assert isinstance(reading, Reading)
    assert reading.problems or reading.tree or reading.plan


PIECES = [
    *(
        "tree",
        "plan",
        "probes",
        "key",
        ": ",
        ":",
        "- ",
        "\n",
        "\n  ",
        "\n    ",
        "{",
        "}",
        "[",
        "]",
        ",",
        "&a",
        "*a",
        "!x",
    ),
    *("|", ">", "'", '"', "#", "?", "%", "@", "`", "~", "\t", "1", "en", "时", "…", "---", "...", "\\"),
]


@unhurried
@given(st.lists(st.sampled_from(PIECES), max_size=40).map("".join))
def test_read_never_raises_on_what_looks_like_yaml(text: str) -> None:
    assert isinstance(read(text.encode(), file="x"), Reading)


@unhurried
@given(st.data())
def test_read_never_raises_on_a_damaged_tree(data: st.DataObject) -> None:
    lines = SOURCE.splitlines(keepends=True)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(lines) - 1))
        lines[at] = data.draw(st.sampled_from(["", lines[at] * 2, f"  {lines[at]}", lines[at][2:], "x: [y\n", "- z\n"]))

    reading = read("".join(lines).encode(), file="x")

    assert reading.problems or reading.tree


def test_read_counts_unknown_names_past_the_first_few() -> None:
    names = "".join(f"name{n}: 1\n" for n in range(2000))

    found = read((SOURCE + names).encode(), file="x").problems

    assert [problem.code for problem in found] == ["unknown_key"] * MOST_UNKNOWN + ["more_unknown"]
    assert found[-1].values["count"] == 2000 - MOST_UNKNOWN
    assert found[-1].line == SOURCE.count("\n") + MOST_UNKNOWN + 1


def test_read_tells_the_first_problems_of_a_file_and_counts_the_rest() -> None:
    found = read((SOURCE + "minutes: 5\n" * 300).encode(), file="x").problems

    assert [problem.code for problem in found] == ["key_repeated"] * MOST_PROBLEMS + ["more_problems"]
    assert str(found[-1]).endswith("And 200 more problems in this file. Mend those above first.")


def test_reading_knows_the_line_of_a_place_or_of_what_is_around_it() -> None:
    reading = read(SOURCE.encode(), file="x")

    assert reading.line("clocks") == line_of("tree: clocks")
    assert reading.line("clocks", "clock-next") == line_of("key: clock-next")
    assert reading.line("clocks", "clock-next.anchors.depth.4") == SOURCE.count("\n") - 1
    assert reading.line("clocks", "nobody.prompt") == line_of("tree: clocks")
    assert reading.line("watches", "clock-next") == 0
