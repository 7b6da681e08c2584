"""Two curators at the same moment: one edit is written, the other is told; nothing is half done."""

from __future__ import annotations

import pytest
from django.db import transaction

from questionbank import queries
from questionbank.edits.shape import Place
from questionbank.enums import ProbeKind, VersionState
from questionbank.models import DraftEdit, TreeVersion, VersionStatus
from questionbank.services import editing
from questionbank.services.drafting import NotADraft
from questionbank.services.edit_refusals import Conflict
from questionbank.services.publishing import publish_unreviewed
from tests.cast import Cast, make_cast
from tests.support.drafts import make_draft
from tests.support.threads import in_threads

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
