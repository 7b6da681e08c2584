"""Sixteen shapes that banks come in: topics, trees, levels, answers and what has no place, each exactly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from questionbank.exchange.outlines import ENDINGS, read_outline, trees_of
from questionbank.lint.structure import flaws
from tests.questionbank.outline_drafts import folded

pytestmark = pytest.mark.unit

FOLDER = Path(__file__).parent / "outlines"
FILES = sorted(path for path in FOLDER.iterdir() if not path.name.endswith(".expected.json"))


def test_all_sixteen_are_here() -> None:
    assert len(FILES) == 16
    assert {path.suffix for path in FILES} <= set(ENDINGS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_example_gives_exactly_what_stands_beside_it(path: Path) -> None:
    expected = json.loads(path.with_name(f"{path.stem}.expected.json").read_text(encoding="utf-8"))

    draft = read_outline(path.read_bytes(), path.name)

    assert draft.problems == []
    assert folded(draft.as_json()) == folded(expected)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_example_gives_sound_trees_with_the_same_keys_twice(path: Path) -> None:
    first, second = (trees_of(read_outline(path.read_bytes(), path.name)) for _time in range(2))

    assert first == second
    assert first.left_out == []
    assert [flaws(tree) for tree in first.trees] == [[]] * len(first.trees)
    assert len({tree.key for tree in first.trees}) == len(first.trees)
