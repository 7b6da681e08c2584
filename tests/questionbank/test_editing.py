"""Editing drafts: what is written, what is refused as a value, and what can be taken back."""

from __future__ import annotations

import pytest

from people.models import Person
from people.refusal import Refused
from questionbank.edits.history import normal
from questionbank.edits.shape import Place, place_of
from questionbank.enums import Aim, ProbeKind, VersionState
from questionbank.models import DraftEdit, Probe, Topic, TreeVersion
from questionbank.outline import version_hash
from questionbank.services import editing
from questionbank.services.edit_refusals import Refusal
from tests.cast import Cast
from tests.support.drafts import add, assert_right, change, make_draft, outline, remove, shape
from tests.support.factories import make_tree

pytestmark = [pytest.mark.db, pytest.mark.django_db]


@pytest.fixture
def draft() -> TreeVersion:
    return make_draft()


@pytest.fixture
def cora(cast: Cast) -> Person:
    return cast.cora


# --- fields


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("prompt.en", "What now?"),
        ("title.zh-Hans", "题"),
        ("heard.en", "names a run"),
        ("kind", "rescue"),
        ("minutes", "7"),
        ("scored", ""),
        ("aim.hands_on", "1"),
        ("aim.why", ""),
        ("when.partial", "1"),
        ("signals.strong.en", "One\nTwo\nThree"),
        ("signals.weak.en", ""),
        ("anchors.why.3.en", "most"),
        ("anchors.why.0.en", ""),
        ("anchors.why.2.zh-Hans", "二"),
    ],
)
def test_field_is_saved_and_undone(draft: TreeVersion, cora: Person, name: str, value: str) -> None:
    before = normal(outline(draft))

    edited = change(draft, cora, name, value)

    assert version_hash(outline(draft)) == version_hash(edited.new) != version_hash(before)
    assert editing.fields.read_probe(next(p for p in outline(draft).probes if p.key == "l2"), name) == value
    assert_right(draft)

    editing.undo(draft, by=cora)

    assert normal(outline(draft)) == before
    assert_right(draft)


@pytest.mark.parametrize(
    ("name", "value"),
    [("title.en", "Other"), ("minutes", "30"), ("purpose", "breadth"), ("misses", "3"), ("second_try", "")],
)
def test_head_is_saved_and_undone(draft: TreeVersion, cora: Person, name: str, value: str) -> None:
    before = normal(outline(draft))
    was = editing.fields.read_head(before, name)

    editing.change_head(draft, by=cora, name=name, was=was, value=value)

    assert editing.fields.read_head(outline(draft), name) == value
    assert_right(draft)
    editing.undo(draft, by=cora)
    assert normal(outline(draft)) == before


def test_topic_moves_the_tree(draft: TreeVersion, cora: Person) -> None:
    Topic.objects.create(key="else", title={"en": "Else"})

    editing.change_head(draft, by=cora, name="topic", was="training", value="else")
    assert outline(draft).topic.key == "else"

    editing.undo(draft, by=cora)
    assert outline(draft).topic.key == "training"
    with pytest.raises(Refusal):
        editing.change_head(draft, by=cora, name="topic", was="training", value="nowhere")


def test_language_begins_with_the_title(draft: TreeVersion, cora: Person) -> None:
    editing.add_language(draft, by=cora, tag="de", title="Uhren")

    assert editing.fields.languages(outline(draft)) == ("en", "de", "zh-Hans")
    for tag, title in (("de", "x"), ("DE!", "x"), ("fr", " ")):
        if tag != "fr":
            with pytest.raises(Refused):
                editing.add_language(draft, by=cora, tag=tag, title=title)


def test_saving_what_stands_there_writes_nothing(draft: TreeVersion, cora: Person) -> None:
    edited = change(draft, cora, "minutes", "3")

    assert edited.edit is None
    assert not DraftEdit.objects.exists()


def test_refused_value_changes_nothing(draft: TreeVersion, cora: Person) -> None:
    before = outline(draft)
    for name, value in (("minutes", "0"), ("prompt.en", "x" * 2001), ("kind", "?"), ("aim.nothing", "1"), ("nope", "")):
        with pytest.raises(Refusal):
            change(draft, cora, name, value, was=None if name.startswith(("minutes", "prompt", "kind")) else "3")

    assert outline(draft) == before


def test_kind_changes_the_levels_below(draft: TreeVersion, cora: Person) -> None:
    change(draft, cora, "kind", "rescue", key="l2")

    assert {key: level for level, key in shape(draft)}["l4"] == 3
    assert_right(draft)


def test_edits_of_one_field_are_one_way_back(draft: TreeVersion, cora: Person, cast: Cast) -> None:
    before = normal(outline(draft))
    for words in ("W", "Wh", "Why", "Why not?"):
        change(draft, cora, "prompt.en", words)
    assert DraftEdit.objects.count() == 1

    change(draft, cast.ada, "minutes", "9")
    change(draft, cora, "prompt.en", "Why then?")
    assert DraftEdit.objects.count() == 3

    editing.undo(draft, by=cora)
    editing.undo(draft, by=cora)
    editing.undo(draft, by=cast.ada)
    assert normal(outline(draft)) == before


# --- shape


def test_tree_is_written_from_nothing(draft: TreeVersion, cora: Person) -> None:
    Probe.objects.filter(version=draft).delete()
    root = editing.add_probe(
        draft, by=cora, place=Place(None), prompt={"en": "How do clocks differ?"}, kind=ProbeKind.CHECK, aims=[]
    ).key
    second = add(draft, cora, "Why do they drift?", root)
    third = add(draft, cora, "What did you measure?", second)
    add(draft, cora, "Why that?", third)
    add(draft, cora, "Why do they drift?", root, second)

    assert shape(draft) == [
        (1, "clocks-differ"),
        (2, "drift"),
        (3, "measure"),
        (4, "why-that"),
        (2, "drift-2"),
    ]
    assert_right(draft)


def test_every_shape_is_undone_and_redone(draft: TreeVersion, cora: Person) -> None:
    start = normal(outline(draft))
    seen = [start]
    key = add(draft, cora, "What else?", "root", "root-rescue")
    seen.append(normal(outline(draft)))
    editing.insert_probe(draft, by=cora, above="l3", prompt={"en": "Between"}, kind=ProbeKind.CHECK, aims=[Aim.DEPTH])
    seen.append(normal(outline(draft)))
    editing.insert_probe(draft, by=cora, above="root", prompt={"en": "Before all"}, kind=ProbeKind.CHECK, aims=[])
    seen.append(normal(outline(draft)))
    editing.move_probe(draft, by=cora, key="l2", was=place_of(outline(draft), "l2"), to=Place(key))
    seen.append(normal(outline(draft)))
    editing.duplicate_probe(draft, by=cora, key=key)
    seen.append(normal(outline(draft)))
    remove(draft, cora, "l3")
    seen.append(normal(outline(draft)))
    assert_right(draft)
    assert len({version_hash(one) for one in seen}) == 7

    for before in reversed(seen[:-1]):
        editing.undo(draft, by=cora)
        assert normal(outline(draft)) == before
        assert_right(draft)
    for after in seen[1:]:
        editing.redo(draft, by=cora)
        assert normal(outline(draft)) == after
        assert_right(draft)
    with pytest.raises(Refused):
        editing.redo(draft, by=cora)


def test_nothing_is_redone_after_another_edit(draft: TreeVersion, cora: Person) -> None:
    change(draft, cora, "minutes", "9")
    editing.undo(draft, by=cora)
    change(draft, cora, "scored", "")

    with pytest.raises(Refused):
        editing.redo(draft, by=cora)


def test_undo_goes_back_over_a_redo(draft: TreeVersion, cora: Person) -> None:
    start = normal(outline(draft))
    change(draft, cora, "minutes", "9")
    change(draft, cora, "scored", "")
    editing.undo(draft, by=cora)
    editing.undo(draft, by=cora)
    editing.redo(draft, by=cora)
    editing.undo(draft, by=cora)

    assert normal(outline(draft)) == start
    with pytest.raises(Refused):
        editing.undo(draft, by=cora)


def test_each_undoes_their_own(draft: TreeVersion, cora: Person, cast: Cast) -> None:
    change(draft, cora, "minutes", "9")
    change(draft, cast.ada, "minutes", "4", key="l3")

    editing.undo(draft, by=cora)

    minutes = {one.key: one.minutes for one in outline(draft).probes}
    assert (minutes["l2"], minutes["l3"]) == (3, 4)


def test_undo_is_refused_where_somebody_wrote_over_it(draft: TreeVersion, cora: Person, cast: Cast) -> None:
    change(draft, cora, "minutes", "9")
    change(draft, cast.ada, "minutes", "4")

    with pytest.raises(Refusal) as refused:
        editing.undo(draft, by=cora)

    assert refused.value.overtaken
    assert {one.key: one.minutes for one in outline(draft).probes}["l2"] == 4


def test_undo_passes_over_what_somebody_wrote_over(draft: TreeVersion, cora: Person, cast: Cast) -> None:
    start = normal(outline(draft))
    change(draft, cora, "heard.en", "Names a cost")
    change(draft, cora, "minutes", "9")
    change(draft, cast.ada, "minutes", "4")

    edited = editing.undo(draft, by=cora)

    assert [(one.probe_key, one.field) for one in edited.passed] == [("l2", "minutes")]
    l2 = next(one for one in outline(draft).probes if one.key == "l2")
    before = next(one for one in start.probes if one.key == "l2")
    assert (l2.branch, l2.minutes) == (before.branch, 4)
    with pytest.raises(Refusal):
        editing.undo(draft, by=cora)
    editing.redo(draft, by=cora)


def test_key_is_never_used_again(draft: TreeVersion, cora: Person) -> None:
    make_tree("clocks", number=2, state=VersionState.DRAFT)
    Probe.objects.filter(version__number=2, key="l4").update(key="drift")
    gone = add(draft, cora, "Why does it drift?", "root")
    remove(draft, cora, gone)

    assert gone == "drift-2"
    assert add(draft, cora, "Why does it drift?", "root") == "drift-3"


def test_shape_edits_change_few_rows(draft: TreeVersion, cora: Person) -> None:
    last: str | None = None
    for number in range(30):
        last = add(draft, cora, f"What about number {number}?", "root", last)
    before = dict(Probe.objects.filter(version=draft).values_list("key", "position"))

    editing.move_probe(draft, by=cora, key="l4", was=Place("l3"), to=Place("root"))

    after = dict(Probe.objects.filter(version=draft).values_list("key", "position"))
    assert [key for key in after if after[key] != before[key]] == ["l4"]
    assert_right(draft)
