"""Editing drafts: what is written, what is refused, what can be taken back, and at which cost."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext

from people.models import AuditEntry, Person
from people.refusal import Refused
from questionbank import queries
from questionbank.edits.history import normal
from questionbank.edits.shape import Place, place_of
from questionbank.enums import Aim, DraftOp, ProbeKind, VersionState
from questionbank.exchange.yaml import read as read_yaml
from questionbank.models import Anchor, DraftEdit, Probe, Signal, Topic, TreeVersion, VersionStatus
from questionbank.outline import OutlineTree, probe_hash, version_hash, walk
from questionbank.services import editing
from questionbank.services.drafting import NotADraft
from questionbank.services.edit_refusals import Conflict, Refusal
from questionbank.services.exporting import text_of
from questionbank.services.writing import settle
from tests.cast import Cast
from tests.support.factories import make_tree

pytestmark = [pytest.mark.db, pytest.mark.django_db]


@pytest.fixture
def draft() -> TreeVersion:
    version = make_tree("clocks", state=VersionState.DRAFT)
    settle(version)
    return version


@pytest.fixture
def cora(cast: Cast) -> Person:
    return cast.cora


def outline(version: TreeVersion) -> OutlineTree:
    return queries.tree_version(version.tree.key, version.number).outline


def shape(version: TreeVersion) -> list[tuple[int, str]]:
    return [(placed.level, placed.probe.key) for placed in walk(outline(version))]


def change(version: TreeVersion, by: Person, name: str, value: str, **given: Any) -> editing.Edited:
    key = given.pop("key", "l2")
    was = given.pop("was", None)
    if was is None:
        one = next(probe for probe in outline(version).probes if probe.key == key)
        was = editing.fields.read_probe(one, name)
    return editing.change_field(version, by=by, key=key, name=name, was=was, value=value)


def add(version: TreeVersion, by: Person, words: str, parent: str, after: str | None = None) -> str:
    place = Place(parent, after)
    kind, aims = ProbeKind.PROBE, [Aim.WHY]
    return editing.add_probe(version, by=by, place=place, prompt={"en": words}, kind=kind, aims=aims).key


def assert_right(version: TreeVersion) -> None:
    """Levels, hashes and order are what the outline says, as if the draft had been written in one go."""
    whole = queries.tree_version(version.tree.key, version.number)
    placed = {one.probe.key: one for one in walk(whole.outline)}
    assert {row.key: row.level for row in whole.probes} == {key: one.level for key, one in placed.items()}
    assert {row.key: row.content_hash for row in whole.probes} == {
        key: probe_hash(one.probe) for key, one in placed.items()
    }
    assert whole.version.content_hash == version_hash(whole.outline)
    numbers = [row.position for row in whole.probes]
    assert numbers == sorted(set(numbers))


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

    assert normal(outline(draft)) == normal(edited.new) != before
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


def remove(version: TreeVersion, by: Person, key: str) -> editing.Edited:
    now = outline(version)
    shown = {one.key: editing.fingerprint(one) for one in now.probes}
    below = editing.shape.with_all_below(now, key)
    return editing.remove_probe(version, by=by, key=key, shown={one: shown[one] for one in below})


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


# --- two curators


def test_later_save_is_refused_with_both_texts(draft: TreeVersion, cora: Person, cast: Cast) -> None:
    was = "What about l2 in clocks?"
    change(draft, cora, "prompt.en", "Cora's words", was=was)

    with pytest.raises(Conflict) as conflict:
        change(draft, cast.ada, "prompt.en", "Ada's words", was=was)

    assert (conflict.value.kind, conflict.value.mine, conflict.value.theirs) == ("field", "Ada's words", "Cora's words")
    assert conflict.value.by == cora.name
    assert {one.key: one.prompt["en"] for one in outline(draft).probes}["l2"] == "Cora's words"
    change(draft, cast.ada, "prompt.en", "Ada's words", was="Cora's words")


def test_same_words_and_other_fields_are_no_conflict(draft: TreeVersion, cora: Person, cast: Cast) -> None:
    was = "What about l2 in clocks?"
    change(draft, cora, "prompt.en", "Same", was=was)

    assert change(draft, cast.ada, "prompt.en", "Same ", was=was).edit is None
    change(draft, cast.ada, "prompt.zh-Hans", "同", was="l2 怎么样？")
    change(draft, cast.ada, "minutes", "4", was="3")


def test_head_is_not_overwritten_either(draft: TreeVersion, cora: Person) -> None:
    editing.change_head(draft, by=cora, name="minutes", was="15", value="20")

    with pytest.raises(Conflict):
        editing.change_head(draft, by=cora, name="minutes", was="15", value="30")


def test_move_of_what_was_moved_is_refused(draft: TreeVersion, cora: Person, cast: Cast) -> None:
    editing.move_probe(draft, by=cora, key="l4", was=Place("l3"), to=Place("root"))

    with pytest.raises(Conflict) as conflict:
        editing.move_probe(draft, by=cast.ada, key="l4", was=Place("l3"), to=Place("l2"))

    assert (conflict.value.kind, conflict.value.by) == ("place", cora.name)
    assert place_of(outline(draft), "l4").parent == "root"


def test_removal_of_what_changed_is_refused(draft: TreeVersion, cora: Person, cast: Cast) -> None:
    now = outline(draft)
    below = editing.shape.with_all_below(now, "l3")
    shown = {one.key: editing.fingerprint(one) for one in now.probes if one.key in below}
    change(draft, cora, "prompt.en", "Cora's words", key="l4")

    with pytest.raises(Conflict) as conflict:
        editing.remove_probe(draft, by=cast.ada, key="l3", shown=shown)

    assert (conflict.value.kind, conflict.value.key, conflict.value.by) == ("below", "l4", cora.name)

    add(draft, cora, "New below", "l4")
    shown["l4"] = editing.fingerprint(next(one for one in outline(draft).probes if one.key == "l4"))
    with pytest.raises(Conflict):
        editing.remove_probe(draft, by=cast.ada, key="l3", shown=shown)


def test_edit_of_what_was_removed_says_who_and_it_can_be_brought_back(
    draft: TreeVersion, cora: Person, cast: Cast
) -> None:
    before = normal(outline(draft))
    remove(draft, cora, "l3")

    with pytest.raises(Conflict) as conflict:
        change(draft, cast.ada, "prompt.en", "Ada's words", key="l4", was="What about l4 in clocks?")
    assert (conflict.value.kind, conflict.value.mine, conflict.value.by) == ("gone", "Ada's words", cora.name)
    with pytest.raises(Conflict):
        add(draft, cast.ada, "Below nothing", "l4")

    editing.restore(draft, by=cast.ada, key="l4")
    assert normal(outline(draft)) == before
    with pytest.raises(Refused):
        editing.restore(draft, by=cast.ada, key="l4")


def test_page_that_has_seen_less_is_told(draft: TreeVersion, cora: Person, cast: Cast) -> None:
    first = change(draft, cora, "minutes", "9")
    second = change(draft, cast.ada, "minutes", "9", key="l3")

    assert first.edit
    assert (first.before, second.before) == (0, first.edit.number)


# --- what can't be edited, and by whom


@pytest.mark.parametrize("state", [VersionState.IN_REVIEW, VersionState.PUBLISHED, VersionState.RETIRED])
def test_only_drafts_are_edited(draft: TreeVersion, cora: Person, state: VersionState) -> None:
    VersionStatus.objects.filter(version=draft).update(state=state, published_at="2026-01-01T00:00Z")
    before = outline(draft)

    for edit in (
        lambda: change(draft, cora, "minutes", "9"),
        lambda: editing.change_head(draft, by=cora, name="minutes", was="15", value="9"),
        lambda: add(draft, cora, "x", "root"),
        lambda: editing.duplicate_probe(draft, by=cora, key="l2"),
        lambda: editing.undo(draft, by=cora),
    ):
        with pytest.raises(NotADraft):
            edit()

    assert outline(draft) == before


def test_version_is_opened_by_curators_and_administrators(draft: TreeVersion, cast: Cast) -> None:
    for name in ("cora", "ada"):
        assert editing.version_to_edit(getattr(cast, name), "clocks", 1) == draft
    for name in ("mara", "ana", "eli", "sam"):
        with pytest.raises(PermissionDenied):
            editing.version_to_edit(getattr(cast, name), "clocks", 1)
    with pytest.raises(TreeVersion.DoesNotExist):
        editing.version_to_edit(cast.cora, "clocks", 2)


def test_edits_are_audited_and_their_author_is_known(draft: TreeVersion, cora: Person) -> None:
    change(draft, cora, "minutes", "9")

    entry = AuditEntry.objects.get(action="draft.edited")
    assert (entry.actor, entry.data) == (cora, {"op": DraftOp.CHANGE, "edit": 1})
    assert draft.authors.filter(person=cora).exists()


# --- cost


def grown(version: TreeVersion, number: int) -> None:
    """Hang more probes below the root, straight into the tables."""
    root = Probe.objects.get(version=version, key="root")
    made = Probe.objects.bulk_create(
        Probe(
            version=version, key=f"more-{n}", parent=root, position=100 + n, level=2, aims=["depth"],
            title={"en": f"More {n}"}, prompt={"en": f"What about {n}?"}, content_hash="0" * 64,
        )
        for n in range(number)
    )  # fmt: skip
    Signal.objects.bulk_create(Signal(probe=one, kind="strong", text={"en": "Yes"}) for one in made for _ in range(9))
    Anchor.objects.bulk_create(
        Anchor(probe=one, aim="depth", rating=n, text={"en": "x"}) for one in made for n in range(5)
    )
    settle(version)


COSTS = {"text": 13, "shape": 14}  # with the two of the savepoint that a test adds


@pytest.mark.parametrize("number", [1, 200])
def test_edits_cost_the_same_in_a_large_tree(draft: TreeVersion, cora: Person, number: int) -> None:
    grown(draft, number)
    change(draft, cora, "minutes", "8")
    found = {}
    with CaptureQueriesContext(connection) as captured:
        editing.change_field(
            draft, by=cora, key="l2", name="prompt.en", was="What about l2 in clocks?", value="What then?"
        )
    found["text"] = len(captured)
    with CaptureQueriesContext(connection) as captured:
        editing.move_probe(draft, by=cora, key="l3", was=Place("l2"), to=Place("root"))
    found["shape"] = len(captured)

    assert found == COSTS


# --- export


def test_export_of_an_edited_draft_is_what_it_says_now(draft: TreeVersion, cora: Person) -> None:
    change(draft, cora, "prompt.en", "Edited words")
    for tag in ("zh-Hans",):
        TreeVersion.objects.filter(pk=draft.pk).update(source_text=f"# {tag}\n" + text_of(whole(draft)))
    assert text_of(whole(draft)).startswith("# zh-Hans")

    change(draft, cora, "minutes", "9")

    tree = read_yaml(text_of(whole(draft)).encode(), file="").tree
    assert tree
    assert {one.key: one.minutes for one in tree.probes}["l2"] == 9


def whole(version: TreeVersion) -> queries.WholeTree:
    return queries.tree_version(version.tree.key, version.number)
