"""Two curators at the same moment: one edit is written, the other is told; nothing is half done."""

from __future__ import annotations

import pytest
from django.db import transaction

from questionbank import queries
from questionbank.edits.shape import Place
from questionbank.enums import ProbeKind, VersionState
from questionbank.models import DraftEdit, Topic, TreeVersion, VersionStatus
from questionbank.services import editing
from questionbank.services.drafting import NotADraft, discard_draft, lock_status, lock_tree
from questionbank.services.edit_refusals import Conflict
from questionbank.services.publishing import publish_unreviewed
from tests.cast import Cast, make_cast
from tests.support.drafts import make_draft
from tests.support.threads import in_threads, one_after_other

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("transactional_db")]


@pytest.fixture
def stage() -> tuple[Cast, TreeVersion]:
    return make_cast(), make_draft()


def test_one_of_two_texts_is_saved_and_the_other_refused(stage: tuple[Cast, TreeVersion]) -> None:
    cast, draft = stage

    def write(name: str) -> editing.Edited:
        return editing.change_field(
            draft, by=getattr(cast, name), key="l2", name="prompt.en", was="What about l2 in clocks?", value=name
        )

    results = in_threads(lambda: write("cora"), lambda: write("ada"))

    refused = [one for one in results if isinstance(one, Conflict)]
    stored = next(one for one in queries.tree_version("clocks", 1).outline.probes if one.key == "l2").prompt["en"]
    assert len(refused) == 1
    assert {refused[0].mine, refused[0].theirs} == {"cora", "ada"}
    assert refused[0].theirs == stored


def test_two_additions_get_two_keys(stage: tuple[Cast, TreeVersion]) -> None:
    cast, draft = stage

    def grow(name: str) -> str:
        return editing.add_probe(
            draft,
            by=getattr(cast, name),
            place=Place("root"),
            prompt={"en": "Why do they drift?"},
            kind=ProbeKind.PROBE,
            aims=[],
        ).key

    assert sorted(in_threads(lambda: grow("cora"), lambda: grow("ada"))) == ["drift", "drift-2"]
    assert sorted(DraftEdit.objects.values_list("number", flat=True)) == [1, 2]


def test_edit_and_publishing_do_not_pass_each_other(stage: tuple[Cast, TreeVersion]) -> None:
    cast, draft = stage

    def publish() -> None:
        with transaction.atomic():
            publish_unreviewed(draft, by=cast.ada)

    edited, _published = in_threads(
        lambda: editing.change_field(draft, by=cast.cora, key="l2", name="minutes", was="3", value="9"),
        publish,
    )

    minutes = next(one for one in queries.tree_version("clocks", 1).outline.probes if one.key == "l2").minutes
    assert VersionStatus.objects.get(version=draft).state == VersionState.PUBLISHED
    assert minutes == (3 if isinstance(edited, NotADraft) else 9)


@pytest.mark.parametrize("edit", ["change", "undo", "redo"])
def test_edits_of_the_topic_lock_the_tree_before_the_version(stage: tuple[Cast, TreeVersion], edit: str) -> None:
    """Publishing, retiring and discarding do, too: in another order two would wait for each other for ever."""
    cast, draft = stage
    Topic.objects.create(key="systems", title={"en": "Systems"})

    def change() -> None:
        editing.change_head(draft, by=cast.cora, name="topic", was="training", value="systems")

    def undo() -> None:
        editing.undo(draft, by=cast.cora)

    def redo() -> None:
        editing.redo(draft, by=cast.cora)

    before = {"change": [], "undo": [change], "redo": [change, undo]}
    for step in before[edit]:
        step()

    one_after_other(
        lambda: lock_tree(draft), {"change": change, "undo": undo, "redo": redo}[edit], then=lambda: lock_status(draft)
    )

    assert Topic.objects.get(trees=draft.tree).key == ("training" if edit == "undo" else "systems")


def test_topic_of_a_draft_that_was_discarded_meanwhile(stage: tuple[Cast, TreeVersion]) -> None:
    cast, draft = stage
    Topic.objects.create(key="systems", title={"en": "Systems"})
    discard_draft(TreeVersion.objects.get(pk=draft.pk), cast.ada)

    with pytest.raises(NotADraft):
        editing.change_head(draft, by=cast.cora, name="topic", was="training", value="systems")
