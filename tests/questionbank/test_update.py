"""Bringing a file up to date: the reading is the tree, and what wasn't changed stays to the letter."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from questionbank.enums import Aim, BranchOutcome, SignalKind
from questionbank.exchange.update import update
from questionbank.exchange.write import write
from questionbank.exchange.yaml import read
from questionbank.outline import OutlineBranch, OutlineProbe, OutlineTopic, OutlineTree, version_hash, walk
from tests.questionbank.outlines import SOURCE, probe, trees

pytestmark = pytest.mark.unit

BANK = Path(__file__).resolve().parents[2] / "questionbank" / "bank"
unhurried = settings(deadline=None, max_examples=60)

SPOKEN = """\
# Where the figures come from: a book.

format: 1  # the only one
tree: clocks
# About the topic.
topic: {key: time, title: {en: Time}}
title:
  en: Clocks  # as on the cover
languages: [en]
probes:
  # --- the way in ---

  # The first question.
  - key: one
    # checked by hand
    kind: check
    aims: [why, depth]
    prompt: {en: "What's a clock?"}
    title: {en: One}
    signals:
      strong:
        # the best answer there is
        - en: Drift  # a word
        - en: >-
            No common
            start
      weak: [{en: No}, {en: Idea}]
    anchors:
      depth:
        0: {en: none}
        # halfway
        2:
          en: some

  # --- below ---

  # Of two.
  - key: two
    kind: probe
    after: one
    when:
      - sustained  # only then
      - partial
    prompt:
      en: |-
        Read this:

          tick = 1
    aims:
      - depth
    title: {en: Two}
    minutes: 5 # enough
  # Of three.
  - after: one
    key: three
    aims: [depth]
    kind: rescue
    title: {en: Three}
    prompt: {en: "Three?"}
# The end.
"""


def tree_of(source: str) -> OutlineTree:
    reading = read(source.encode(), file="x")
    assert reading.problems == ()
    assert reading.tree is not None
    return reading.tree


def same(one: OutlineTree, other: OutlineTree) -> bool:
    return (one.topic, one.languages, version_hash(one)) == (other.topic, other.languages, version_hash(other))


def with_probe(tree: OutlineTree, key: str, **fields: object) -> OutlineTree:
    changed = (replace(one, **fields) if one.key == key else one for one in tree.probes)  # type: ignore[arg-type]
    return replace(tree, probes=tuple(changed))


def lines_that_differ(old: str, new: str) -> tuple[list[str], list[str]]:
    gone = [line for line in old.splitlines() if line not in new.splitlines()]
    come = [line for line in new.splitlines() if line not in old.splitlines()]
    return gone, come


# --- exactly the lines that say something else


BASE = tree_of(SPOKEN)
ONE, TWO, THREE = BASE.probes
STRONG = ONE.signals[SignalKind.STRONG]


@pytest.mark.parametrize(
    ("changed", "gone", "come"),
    [
        (
            replace(BASE, title={"en": "Watches"}),
            ["  en: Clocks  # as on the cover"],
            ["  en: Watches  # as on the cover"],
        ),
        (replace(BASE, minutes=30), [], ["minutes: 30"]),
        (replace(BASE, second_try=False), [], ["discontinue:", "  misses: 2", "  second_try: false"]),
        (
            replace(BASE, topic=OutlineTopic("time", {"en": "Hours"})),
            ["topic: {key: time, title: {en: Time}}"],
            ["topic: {key: time, title: {en: Hours}}"],
        ),
        (with_probe(BASE, "two", minutes=6), ["    minutes: 5 # enough"], ["    minutes: 6 # enough"]),
        (with_probe(BASE, "two", scored=False), [], ["    scoring: trial"]),
        (
            with_probe(BASE, "one", prompt={"en": "What's a clock: 1, 2 or {3}?"}),
            ['    prompt: {en: "What\'s a clock?"}'],
            ['    prompt: {en: "What\'s a clock: 1, 2 or {3}?"}'],
        ),
        (
            with_probe(BASE, "one", prompt={"en": "First\nsecond"}),
            ['    prompt: {en: "What\'s a clock?"}'],
            ['    prompt: {en: "First\\nsecond"}'],
        ),
        (
            with_probe(BASE, "two", prompt={"en": "Read that:\n\n  tock = 2"}),
            ["        Read this:", "          tick = 1"],
            ["        Read that:", "          tock = 2"],
        ),
        (
            with_probe(BASE, "two", prompt={"en": "Short?"}),
            ["      en: |-", "        Read this:", "          tick = 1"],
            ["      en: Short?"],
        ),
        (
            with_probe(BASE, "one", signals={**ONE.signals, SignalKind.WEAK: ({"en": "No"}, {"en": "Hunch"})}),
            ["      weak: [{en: No}, {en: Idea}]"],
            ["      weak: [{en: No}, {en: Hunch}]"],
        ),
        (
            with_probe(BASE, "one", signals={**ONE.signals, SignalKind.WEAK: ({"en": "No"},)}),
            ["      weak: [{en: No}, {en: Idea}]"],
            ["      weak: [{en: No}]"],
        ),
        (
            with_probe(BASE, "one", signals={**ONE.signals, SignalKind.STRONG: ({"en": "Drift"}, {"en": "New"})}),
            ["        - en: >-", "            No common", "            start"],
            ["        - en: New"],
        ),
        (
            with_probe(BASE, "one", signals={**ONE.signals, SignalKind.STRONG: STRONG[1:]}),
            ["        # the best answer there is", "        - en: Drift  # a word"],
            [],
        ),
        (
            with_probe(BASE, "one", signals={**ONE.signals, SignalKind.STRONG: ({"en": "A"}, *STRONG)}),
            [],
            ["        - en: A"],
        ),
        (
            with_probe(BASE, "one", anchors={Aim.DEPTH: {**ONE.anchors[Aim.DEPTH], 4: {"en": "all"}}}),
            [],
            ["        4:", "          en: all"],
        ),
        (
            with_probe(BASE, "one", anchors={Aim.DEPTH: {0: {"en": "none"}}}),
            ["        # halfway", "        2:", "          en: some"],
            [],
        ),
        (
            with_probe(BASE, "one", aims=(Aim.DEPTH,)),
            ["    aims: [why, depth]"],
            [],  # the line of another probe
        ),
        (with_probe(BASE, "two", aims=(Aim.DEPTH, Aim.WHY)), [], ["      - why"]),
        (
            with_probe(BASE, "two", branch=OutlineBranch("one", (BranchOutcome.RECITED,))),
            ["      - sustained  # only then", "      - partial"],
            ["      - recited"],
        ),
        (
            with_probe(BASE, "two", branch=OutlineBranch("one")),
            ["    when:", "      - sustained  # only then", "      - partial"],
            [],
        ),
        (with_probe(BASE, "three", branch=OutlineBranch("two")), ["  - after: one"], ["  - after: two"]),
        (
            with_probe(BASE, "three", branch=OutlineBranch("one", (), {"en": "a tick"})),
            [],
            ["    heard:", "      en: a tick"],
        ),
    ],
)  # fmt: skip
def test_update_changes_the_lines_that_differ_and_no_others(
    changed: OutlineTree, gone: list[str], come: list[str]
) -> None:
    text = update(SPOKEN, changed)

    assert lines_that_differ(SPOKEN, text) == (gone, come)
    assert same(tree_of(text), changed)


def test_update_puts_a_new_probe_behind_what_it_is_read_after() -> None:
    new = replace(BASE, probes=(ONE, TWO, probe("two-more", "two"), THREE))

    text = update(SPOKEN, new)

    assert lines_that_differ(SPOKEN, text)[0] == []
    assert text.index("key: two\n") < text.index("key: two-more") < text.index("# Of three.")
    assert same(tree_of(text), new)


def test_update_takes_a_probe_out_with_the_remark_right_above_it() -> None:
    text = update(SPOKEN, replace(BASE, probes=(ONE, THREE)))

    assert "# Of two." not in text
    assert "# only then" not in text
    for remark in ("# --- the way in ---", "# --- below ---", "# Of three.", "# The end."):
        assert remark in text
    assert update(text, replace(BASE, probes=(ONE, THREE))) == text


def test_update_moves_probes_with_their_remarks() -> None:
    turned = replace(BASE, probes=(ONE, THREE, TWO))

    text = update(SPOKEN, turned)

    assert sorted(filter(None, text.splitlines())) == sorted(filter(None, SPOKEN.splitlines()))
    assert re.search(r"# Of three\.\n  - after: one\n", text)
    assert re.search(r"# Of two\.\n  - key: two\n", text)
    assert same(tree_of(text), turned)


def test_update_keeps_windows_line_ends() -> None:
    changed = replace(with_probe(BASE, "one", scored=False), probes=(*BASE.probes, probe("four", "two")))

    text = update(SPOKEN.replace("\n", "\r\n"), changed)

    assert text.replace("\r\n", "\n") == update(SPOKEN, changed)
    assert text.count("\n") == text.count("\r\n")


def test_update_ends_a_last_line_that_has_no_end() -> None:
    changed = replace(BASE, probes=(ONE, replace(TWO, minutes=9), THREE, probe("four", "one")))

    assert same(tree_of(update(SPOKEN.removesuffix("# The end.\n").rstrip(), changed)), changed)


def test_update_of_a_file_in_braces_keeps_its_first_remark() -> None:
    braces = (
        "# My own.\n{format: 1, tree: clocks, topic: {key: time, title: {en: T}}, title: {en: C}, languages: [en],\n"
    )
    braces += "probes: [{key: one, kind: check, aims: [why], title: {en: O}, prompt: {en: P}}]}\n"
    changed = replace(tree_of(braces), minutes=4)

    text = update(braces, changed)

    assert text.startswith("# My own.\n")
    assert same(tree_of(text), changed)


def test_update_of_what_is_no_tree_writes_the_tree() -> None:
    assert update("not: a tree", BASE) == write(BASE)


# --- any tree


@pytest.mark.parametrize(
    "source", [SPOKEN, SOURCE, *(path.read_text("utf-8") for path in BANK.glob("*.yaml") if path.stem != "plan")]
)
def test_update_without_a_change_is_the_file(source: str) -> None:
    tree = tree_of(source)
    in_reading_order = replace(tree, probes=tuple(placed.probe for placed in walk(tree)))

    assert update(source, in_reading_order) == source


def remarked(source: str) -> str:
    """Put a remark above every probe and behind every line of one that can take it."""
    text = re.sub(r"^  - key: (.*)$", r"  # about \1\n  - key: \1", source, flags=re.MULTILINE)
    return re.sub(r"^    (minutes|kind): (.*)$", r"    \1: \2  # \1", text, flags=re.MULTILINE)


CHANGES: list[Callable[[OutlineProbe, OutlineProbe], OutlineProbe]] = [
    lambda one, other: replace(one, minutes=other.minutes, scored=other.scored),
    lambda one, other: replace(one, prompt=other.prompt),
    lambda one, other: replace(one, signals=other.signals),
    lambda one, other: replace(one, aims=other.aims, anchors=other.anchors),
    lambda one, other: replace(one, branch=one.branch and replace(one.branch, heard=other.title)),
]


@unhurried
@given(trees(), st.data())
def test_update_keeps_every_remark_of_probes_that_stay_as_they_are(tree: OutlineTree, data: st.DataObject) -> None:
    source = remarked(write(tree))
    tree = tree_of(source)
    number = data.draw(st.integers(0, len(tree.probes) - 1))
    change = data.draw(st.sampled_from(CHANGES))
    changed = change(tree.probes[number], data.draw(st.sampled_from(tree.probes)))
    new = replace(tree, probes=(*tree.probes[:number], changed, *tree.probes[number + 1 :]))

    text = update(source, new)

    assert same(tree_of(text), new)
    parts, old_parts = (re.split(r"^(?=  # about )", one, flags=re.MULTILINE) for one in (text, source))
    assert [part for at, part in enumerate(parts) if at != number + 1] == [
        part for at, part in enumerate(old_parts) if at != number + 1
    ]
    for remark in (f"  # about {changed.key}\n", "  # minutes\n", "  # kind\n"):
        assert remark in parts[number + 1]


@unhurried
@given(trees(), trees())
def test_update_to_any_tree_is_read_as_that_tree(old: OutlineTree, new: OutlineTree) -> None:
    text = update(remarked(write(old)), new)

    assert same(tree_of(text), new)
    assert update(text, new) == text


@unhurried
@given(trees(), trees())
def test_update_never_needs_to_write_a_file_of_ours_anew(old: OutlineTree, new: OutlineTree) -> None:
    stay = {probe.key for probe in old.probes} & {probe.key for probe in new.probes}

    text = update(remarked(write(old)), new)

    assert all(f"  # about {key}\n" in text for key in stay)
