"""Several who edit one draft: who may, who is told what, what it costs, and what goes out afterwards."""

from __future__ import annotations

import json

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext

from people.models import AuditEntry, Person
from people.refusal import Refused
from questionbank.edits.history import normal
from questionbank.edits.shape import Place, place_of
from questionbank.enums import Aim, DraftOp, VersionState
from questionbank.exchange.yaml import read as read_yaml
from questionbank.models import TreeVersion, VersionStatus
from questionbank.services import editing
from questionbank.services.drafting import NotADraft
from questionbank.services.edit_refusals import Conflict
from questionbank.services.exporting import text_of
from tests.cast import Cast
from tests.support.drafts import add, along, change, grown, make_draft, outline, remove, whole

pytestmark = [pytest.mark.db, pytest.mark.django_db]


@pytest.fixture
def draft() -> TreeVersion:
    return make_draft()


@pytest.fixture
def cora(cast: Cast) -> Person:
    return cast.cora


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


def test_aim_takes_along_only_the_anchors_that_were_shown(draft: TreeVersion, cora: Person, cast: Cast) -> None:
    shown = along(draft, "l2", "aim.why", "")
    change(draft, cora, "anchors.why.3.en", "Cora's anchor")

    with pytest.raises(Conflict) as conflict:
        change(draft, cast.ada, "aim.why", "", along=shown)

    assert (conflict.value.kind, conflict.value.mine, conflict.value.by) == ("along", "", cora.name)
    assert json.loads(conflict.value.theirs)["anchors.why.3.en"] == "Cora's anchor"
    assert {one.key: one.anchors for one in outline(draft).probes}["l2"][Aim.WHY][3]["en"] == "Cora's anchor"
    change(draft, cast.ada, "aim.why", "", along=json.loads(conflict.value.theirs))
    assert Aim.WHY not in {one.key: one.anchors for one in outline(draft).probes}["l2"]


def test_kind_takes_along_only_the_level_that_was_shown(draft: TreeVersion, cora: Person, cast: Cast) -> None:
    change(draft, cora, "kind", "check", key="l4")
    change(draft, cora, "same_level", "1", key="l4")

    with pytest.raises(Conflict) as conflict:
        change(draft, cast.ada, "kind", "probe", key="l4", along={"same_level": ""})

    assert json.loads(conflict.value.theirs) == {"same_level": "1"}
    change(draft, cast.ada, "kind", "probe", key="l4", along={"same_level": "1"})


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
