"""The way back: what an edit changed, kept as plain values, undone exactly or refused."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given

from questionbank.edits import history
from questionbank.edits.fields import write_probe
from questionbank.edits.refusal import EditRefused
from questionbank.edits.shape import Place, add, insert_above, move, probe_of, remove
from questionbank.enums import ProbeKind
from questionbank.outline import OutlineTopic, OutlineTree, Purpose, version_hash
from tests.questionbank.outlines import probe, tree, trees
from tests.questionbank.test_edits_shape import FAMILY, edited, shape

pytestmark = pytest.mark.unit


def stored(delta: history.Delta) -> history.Delta:
    """What comes back from the database."""
    return json.loads(json.dumps(delta))  # type: ignore[no-any-return]


@given(edited())
def test_undo_restores_exactly(case: tuple[OutlineTree, OutlineTree]) -> None:
    old, new = map(history.normal, case)
    delta = stored(history.between(old, new))

    assert history.apply(old, delta) == new
    assert history.apply(new, history.inverse(delta)) == old
    assert version_hash(history.apply(new, history.inverse(delta))) == version_hash(old)


@given(trees(), trees())
def test_undo_leads_between_any_two_trees(one: OutlineTree, other: OutlineTree) -> None:
    old, new = history.normal(one), history.normal(replace(other, key=one.key, languages=one.languages))
    delta = stored(history.between(old, new))

    assert history.apply(old, delta) == new
    assert history.apply(new, history.inverse(delta)) == old


def test_nothing_changed_is_empty() -> None:
    assert history.is_empty(history.between(FAMILY, FAMILY))


def test_delta_names_only_what_changed() -> None:
    delta = history.between(FAMILY, history.normal(move(FAMILY, "e", Place("a", "b"))))

    assert (delta["added"], delta["removed"], delta["head"]) == ({}, {}, {})
    assert delta["changed"] == {"e": {"after": ["c", "a"]}}
    assert delta["order"] == {"a": [["b", "c", "d"], ["b", "e", "c", "d"]], "c": [["e"], []]}


def test_head_and_topic_come_back() -> None:
    new = replace(FAMILY, title={"en": "Other"}, purpose=Purpose.BREADTH, topic=OutlineTopic("else", {"en": "Else"}))

    assert history.apply(new, history.inverse(history.between(FAMILY, new))) == history.normal(FAMILY)


def undo(now: OutlineTree, old: OutlineTree, new: OutlineTree) -> OutlineTree:
    return history.apply(now, history.inverse(history.between(old, new)))


def test_undo_leaves_alone_what_others_did_meanwhile() -> None:
    removed = remove(FAMILY, "c")
    meanwhile = add(removed, probe("new"), Place("a", "b"))

    assert shape(undo(meanwhile, FAMILY, removed)) == "a(b new c(e(f)) d)"


def test_undo_of_a_move_keeps_a_sibling_that_came() -> None:
    moved = move(FAMILY, "b", Place("a", "d"))
    meanwhile = add(moved, probe("new"), Place("a", "c"))

    assert shape(undo(meanwhile, FAMILY, moved)) == "a(b c(e(f)) new d)"


def test_undo_is_refused_where_others_changed_the_same() -> None:
    mine = history.normal(write_in(FAMILY, "b", "mine"))
    theirs = write_in(mine, "b", "theirs")

    with pytest.raises(EditRefused, match="changed_since"):
        undo(theirs, FAMILY, mine)


def write_in(old: OutlineTree, key: str, words: str) -> OutlineTree:
    one = write_probe(probe_of(old, key), "prompt.en", words)
    return replace(old, probes=tuple(one if each.key == key else each for each in old.probes))


def test_undo_of_an_addition_is_refused_once_something_hangs_on_it() -> None:
    grown = add(FAMILY, probe("new"), Place("b"))
    meanwhile = add(grown, probe("theirs", kind=ProbeKind.CHECK), Place("new"))

    with pytest.raises(EditRefused, match="changed_since"):
        undo(meanwhile, FAMILY, grown)


def test_undo_of_a_removal_is_refused_once_its_parent_is_gone() -> None:
    removed = remove(FAMILY, "e")
    meanwhile = remove(removed, "c")

    with pytest.raises(EditRefused, match="changed_since"):
        undo(meanwhile, FAMILY, removed)


def test_new_root_can_be_taken_back() -> None:
    grown = insert_above(FAMILY, probe("new", kind=ProbeKind.CHECK), "a")

    assert shape(undo(grown, FAMILY, grown)) == shape(FAMILY)


def test_empty_tree_can_be_begun_again() -> None:
    begun = add(tree(), probe("a"), Place(None))

    assert undo(begun, tree(), begun).probes == ()
