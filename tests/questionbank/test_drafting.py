"""Topics, trees and drafts: made, copied, locked, thrown away."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections, transaction

from people.models import AuditEntry
from people.refusal import Refused
from questionbank import queries
from questionbank.enums import ProbeKind, VersionState
from questionbank.models import Probe, Topic, Tree, TreeVersion, VersionStatus
from questionbank.outline import version_hash
from questionbank.services.drafting import (
    NotADraft,
    OpenVersion,
    discard_draft,
    lock_draft,
    new_draft,
    new_topic,
    new_tree,
)
from tests.cast import Cast
from tests.support.factories import make_plan, make_tree
from tests.support.threads import in_threads

pytestmark = [pytest.mark.db, pytest.mark.django_db]


@pytest.fixture
def topic() -> Topic:
    return Topic.objects.create(key="training", title={"en": "Training"}, position=4)


def test_new_topic_takes_its_key_from_its_title_and_stands_last(cast: Cast, topic: Topic) -> None:
    made = new_topic({"en": "  Serving  models ", "zh-Hans": "推理"}, cast.cora)

    assert (made.key, made.title, made.position) == ("serving-models", {"en": "Serving models", "zh-Hans": "推理"}, 5)
    assert new_topic({"en": "Serving models!"}, cast.cora).key == "serving-models-2"
    assert new_topic({"zh-Hans": "推理"}, cast.cora).key == "topic"
    assert AuditEntry.objects.filter(action="topic.created", actor=cast.cora).count() == 3


def test_new_tree_is_a_draft_with_one_check(cast: Cast, topic: Topic) -> None:
    version = new_tree(topic, {"en": "Pipeline_parallel"}, cast.cora)

    whole = queries.tree_version("pipeline-parallel", 1)
    assert whole.version == version
    assert whole.version.status.state == VersionState.DRAFT
    assert [(probe.key, probe.kind, probe.level) for probe in whole.probes] == [("root", ProbeKind.CHECK, 1)]
    assert whole.version.content_hash == version_hash(whole.outline)
    assert [author.person for author in version.authors.all()] == [cast.cora]


@pytest.mark.parametrize("title", [{}, {"en": "  "}])
def test_a_title_without_words_is_refused(cast: Cast, topic: Topic, title: dict[str, str]) -> None:
    with pytest.raises(Refused, match="at least one language") as refused:
        new_tree(topic, title, cast.cora)

    assert refused.value.field == "title"
    assert not Tree.objects.exists()


def test_new_draft_copies_the_newest_published_version(cast: Cast) -> None:
    make_tree("zero")
    second = make_tree("zero", number=2, depth=5)

    draft = new_draft(second.tree, cast.cora)

    assert (draft.number, draft.status.state) == (3, VersionState.DRAFT)
    before, after = queries.whole(second).outline, queries.tree_version("zero", 3).outline
    assert after == before
    assert [author.person for author in draft.authors.all()] == [cast.cora]


@pytest.mark.parametrize("state", [VersionState.DRAFT, VersionState.IN_REVIEW])
def test_new_draft_beside_an_open_version_is_refused_and_names_it(cast: Cast, state: VersionState) -> None:
    make_tree("zero")
    other = make_tree("zero", number=2, state=state)

    with pytest.raises(OpenVersion, match=rf"Version 2 is open \({state.replace('_', ' ')}\)") as refused:
        new_draft(other.tree, cast.cora)

    assert refused.value.version == other
    assert TreeVersion.objects.count() == 2


def test_a_retired_tree_comes_back_as_a_draft(cast: Cast) -> None:
    version = make_tree("zero")
    VersionStatus.objects.filter(version=version).update(state=VersionState.RETIRED)

    assert new_draft(version.tree, cast.cora).number == 2


@pytest.mark.django_db(transaction=True)
def test_two_drafts_begun_at_once_are_one(cast: Cast) -> None:
    tree = make_tree("zero").tree

    results = in_threads(lambda: new_draft(tree, cast.cora), lambda: new_draft(tree, cast.ada))

    assert sorted(type(result).__name__ for result in results) == ["OpenVersion", "TreeVersion"]


def test_discarded_draft_leaves_the_tree_as_it_was(cast: Cast) -> None:
    tree = make_tree("zero").tree
    draft = new_draft(tree, cast.cora)

    discard_draft(draft, cast.cora)

    assert [version.number for version in tree.versions.all()] == [1]
    assert new_draft(tree, cast.cora).number == 2


def test_discarding_the_only_version_discards_the_tree(cast: Cast, topic: Topic) -> None:
    draft = new_tree(topic, {"en": "Slip"}, cast.cora)

    discard_draft(draft, cast.cora)

    assert (Tree.objects.count(), Probe.objects.count(), Topic.objects.count()) == (0, 0, 1)


def test_the_only_version_of_a_planned_tree_is_not_discarded(cast: Cast) -> None:
    draft = make_tree("zero", state=VersionState.DRAFT)
    make_plan(draft, name="Two hours")

    with pytest.raises(Refused, match="Two hours"):
        discard_draft(draft, cast.cora)

    assert Tree.objects.filter(key="zero").exists()


@pytest.mark.parametrize("state", [VersionState.IN_REVIEW, VersionState.PUBLISHED])
def test_only_a_draft_is_discarded_or_changed(cast: Cast, state: VersionState) -> None:
    version = make_tree("zero", state=state)

    with pytest.raises(NotADraft, match="Only a draft can be changed"):
        discard_draft(version, cast.cora)


def test_a_discarded_draft_is_not_locked(cast: Cast) -> None:
    make_tree("zero")
    draft = make_tree("zero", number=2, state=VersionState.DRAFT)
    other = TreeVersion.objects.get(pk=draft.pk)
    discard_draft(draft, cast.cora)

    with pytest.raises(NotADraft, match="discarded meanwhile"):
        lock_draft(other)


@pytest.mark.django_db(transaction=True)
def test_an_edit_that_has_begun_holds_up_publishing_even_by_sql(cast: Cast) -> None:
    """Without the lock in the guard, the edit would be committed into a published version."""
    draft = make_tree("zero", state=VersionState.DRAFT)
    edited = threading.Event()

    def publish() -> str:
        edited.wait(timeout=30)
        try:
            with connection.cursor() as cursor:
                cursor.execute("SET lock_timeout = '300ms'")
                cursor.execute(
                    "UPDATE questionbank_versionstatus SET state = 'published', published_at = now()"
                    " WHERE version_id = %s",
                    [draft.pk],
                )
            return "published"
        except Exception as error:
            return str(error)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        published = pool.submit(publish)
        with transaction.atomic():
            Probe.objects.filter(version=draft, key="root").update(minutes=7)
            edited.set()
            outcome = published.result(timeout=60)

    assert "lock timeout" in outcome
    assert VersionStatus.objects.get(version=draft).state == VersionState.DRAFT
