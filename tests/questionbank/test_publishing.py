"""The way of a version: draft, in review and back, published, retired; and what is said about it meanwhile."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.utils import timezone

from interviews.models import PinnedTree
from interviews.queries.trees import newest_published
from people.enums import PersonRole
from people.models import AuditEntry, Person
from people.refusal import Refused
from questionbank import queries
from questionbank.enums import ReviewStepKind, VersionState
from questionbank.models import Probe, ReviewComment, Signal, TreeVersion, VersionStatus
from questionbank.outline import probe_hash, version_hash
from questionbank.services.drafting import NotADraft, lock_draft, new_draft
from questionbank.services.publishing import (
    BadReviewer,
    NotReady,
    WrongState,
    publish,
    retire,
    return_to_draft,
    send_for_review,
    take_back,
)
from questionbank.services.reviewing import ReviewOver, add_comment, change_rules, settle_comment
from questionbank.services.writing import note_author
from tests.cast import Cast
from tests.support.factories import make_application, make_interview, make_position, make_tree
from tests.support.threads import in_threads

pytestmark = [pytest.mark.db, pytest.mark.django_db]


def stands(version: TreeVersion) -> VersionStatus:
    return VersionStatus.objects.get(version=version)


def steps(version: TreeVersion) -> list[tuple[str, Person | None, str]]:
    return [(step.kind, step.by, step.reason) for step in version.steps.all()]


# --- sending, taking back, returning


def test_a_draft_goes_to_its_reviewer(cast: Cast, draft: TreeVersion) -> None:
    send_for_review(draft, reviewer=cast.ada, by=cast.cora)

    assert (stands(draft).state, stands(draft).reviewer) == (VersionState.IN_REVIEW, cast.ada)
    assert [(step.kind, step.by, step.reviewer) for step in draft.steps.all()] == [("sent", cast.cora, cast.ada)]
    assert AuditEntry.objects.get(action="tree.sent").data == {"number": 1, "reviewer": cast.ada.pk}


def test_sending_brings_hashes_and_levels_to_what_the_draft_says(cast: Cast, draft: TreeVersion) -> None:
    Probe.objects.filter(version=draft, key="clock-next").update(prompt={"en": "And then?"}, level=7)

    send_for_review(draft, reviewer=cast.ada, by=cast.cora)

    whole = queries.tree_version("clocks", 1)
    assert whole.version.content_hash == version_hash(whole.outline)
    assert [probe.level for probe in whole.probes] == [1, 2]
    assert [probe.content_hash for probe in whole.probes] == [probe_hash(one) for one in whole.outline.probes]


@pytest.mark.parametrize(
    ("who", "words"),
    [
        ("cora", "Cora wrote on this version, and somebody else reviews it. An administrator can allow otherwise."),
        ("mara", "Mara is neither curator nor administrator."),
    ],
)
def test_not_everybody_reviews(cast: Cast, draft: TreeVersion, who: str, words: str) -> None:
    with pytest.raises(BadReviewer) as refused:
        send_for_review(draft, reviewer=getattr(cast, who), by=cast.cora)

    assert (refused.value.message, refused.value.field) == (words, "reviewer")
    assert stands(draft).state == VersionState.DRAFT


def test_nobody_reviews_with_a_closed_account(cast: Cast, draft: TreeVersion) -> None:
    cast.ada.is_active = False
    cast.ada.save()

    with pytest.raises(BadReviewer, match="account is closed"):
        send_for_review(draft, reviewer=cast.ada, by=cast.cora)


def test_whoever_edited_the_draft_is_its_author_too(cast: Cast, draft: TreeVersion) -> None:
    note_author(draft, cast.ada)

    with pytest.raises(BadReviewer, match="Ada wrote on this version"):
        send_for_review(draft, reviewer=cast.ada, by=cast.cora)


def test_authors_review_where_an_administrator_allows_it(cast: Cast, draft: TreeVersion) -> None:
    change_rules(by=cast.ada, own_review=True, reason="Cora is alone until May")

    send_for_review(draft, reviewer=cast.cora, by=cast.cora)
    publish(draft, by=cast.cora)

    assert stands(draft).published_by == cast.cora
    entry = AuditEntry.objects.get(action="bank.rules_changed")
    assert (entry.actor, entry.data) == (cast.ada, {"own_review": True})


def test_what_was_allowed_is_asked_again_when_publishing(cast: Cast, draft: TreeVersion) -> None:
    change_rules(by=cast.ada, own_review=True, reason="Cora is alone")
    send_for_review(draft, reviewer=cast.cora, by=cast.cora)
    change_rules(by=cast.ada, own_review=False, reason="Not any more")

    with pytest.raises(BadReviewer, match="somebody else reviews"):
        publish(draft, by=cast.cora)


def test_a_version_is_taken_back_and_can_be_edited_again(cast: Cast, sent: TreeVersion) -> None:
    take_back(sent, by=cast.cora)

    assert (stands(sent).state, stands(sent).reviewer) == (VersionState.DRAFT, None)
    Probe.objects.filter(version=sent).update(minutes=9)
    assert steps(sent)[-1] == ("taken_back", cast.cora, "")


def test_the_reviewer_returns_a_version_with_a_reason(cast: Cast, sent: TreeVersion) -> None:
    return_to_draft(sent, by=cast.ada, reason="The root asks two things.")

    assert stands(sent).state == VersionState.DRAFT
    assert steps(sent)[-1] == ("returned", cast.ada, "The root asks two things.")


def test_only_the_reviewer_returns_or_publishes(cast: Cast, sent: TreeVersion) -> None:
    second = Person.objects.create(email="x@sounding.example", name="Xu", roles=[PersonRole.CURATOR])

    for step in (lambda: publish(sent, by=second), lambda: return_to_draft(sent, by=second, reason="No")):
        with pytest.raises(BadReviewer, match="Only the reviewer"):
            step()

    assert stands(sent).state == VersionState.IN_REVIEW


def test_a_reviewer_who_is_no_curator_any_more_does_not_publish(cast: Cast, sent: TreeVersion) -> None:
    cast.ada.roles = [PersonRole.MANAGER]
    cast.ada.save()

    with pytest.raises(BadReviewer, match="neither curator nor administrator"):
        publish(sent, by=cast.ada)


@pytest.mark.parametrize("state", [VersionState.DRAFT, VersionState.PUBLISHED, VersionState.RETIRED])
def test_what_is_not_in_review_is_neither_taken_back_nor_published(cast: Cast, state: VersionState) -> None:
    version = make_tree("zero", state=VersionState.DRAFT)
    VersionStatus.objects.filter(version=version).update(state=state, published_at=timezone.now())

    for step in (
        lambda: take_back(version, by=cast.cora),
        lambda: return_to_draft(version, by=cast.cora, reason="No"),
        lambda: publish(version, by=cast.cora),
    ):
        with pytest.raises(WrongState, match="is now: "):
            step()


# --- publishing


def test_publishing_says_who_and_when(cast: Cast, sent: TreeVersion) -> None:
    publish(sent, by=cast.ada)

    status = stands(sent)
    assert (status.state, status.published_by, status.reviewer) == (VersionState.PUBLISHED, cast.ada, cast.ada)
    assert status.published_at is not None
    assert steps(sent)[-1] == ("published", cast.ada, "")
    assert [version.tree.key for version in newest_published()] == ["clocks"]


def test_what_lacks_something_is_not_published_and_all_of_it_is_said(cast: Cast, draft: TreeVersion) -> None:
    Signal.objects.filter(probe__version=draft).delete()
    send_for_review(draft, reviewer=cast.ada, by=cast.cora)

    with pytest.raises(NotReady, match="2 things keep it from being published") as refused:
        publish(draft, by=cast.ada)

    assert [(one.probe, one.message) for one in refused.value.blockers] == [
        ("clock-root", "Signals are missing: Strong, Recited, Weak."),
        ("clock-next", "Signals are missing: Strong, Recited, Weak."),
    ]
    assert stands(draft).state == VersionState.IN_REVIEW


def test_an_open_comment_holds_up_publishing(cast: Cast, sent: TreeVersion) -> None:
    comment = add_comment(sent, by=cast.ada, text="Which clocks?", probe_key="clock-root")

    with pytest.raises(NotReady, match="1 comment isn't resolved yet"):
        publish(sent, by=cast.ada)

    settle_comment(comment, by=cast.ada, resolved=True)
    publish(sent, by=cast.ada)


def test_an_older_version_is_not_published_after_a_later_one(cast: Cast, sent: TreeVersion) -> None:
    make_tree("clocks", number=2)

    with pytest.raises(WrongState, match="Version 2 is published already"):
        publish(sent, by=cast.ada)


@pytest.mark.django_db(transaction=True)
def test_two_publish_at_once_and_one_does(cast: Cast, sent: TreeVersion) -> None:
    results = in_threads(lambda: publish(sent, by=cast.ada), lambda: publish(sent, by=cast.ada))

    assert sorted(type(result).__name__ for result in results) == ["VersionStatus", "WrongState"]
    assert [step.kind for step in sent.steps.all()] == ["sent", "published"]


@pytest.mark.django_db(transaction=True)
def test_an_edit_during_sending_is_waited_for_and_an_edit_after_it_is_refused(cast: Cast, draft: TreeVersion) -> None:
    began, results = threading.Event(), []

    def send() -> None:
        try:
            began.wait(timeout=30)
            send_for_review(draft, reviewer=cast.ada, by=cast.cora)
            results.append("sent")
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        sending = pool.submit(send)
        with transaction.atomic():
            lock_draft(draft)
            began.set()
            while not someone_waits_for_a_lock():
                pass
            Probe.objects.filter(version=draft, key="clock-root").update(minutes=11)
            results.append("edited")
        sending.result(timeout=60)

    assert results == ["edited", "sent"]
    assert queries.whole(draft).outline.probes[0].minutes == 11
    assert TreeVersion.objects.get().content_hash == version_hash(queries.whole(draft).outline)
    with pytest.raises(NotADraft, match="Only a draft can be changed"), transaction.atomic():
        lock_draft(draft)


def someone_waits_for_a_lock() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SELECT EXISTS (SELECT 1 FROM pg_locks WHERE NOT granted)")
        return bool(cursor.fetchone()[0])


# --- retiring


def test_a_retired_tree_is_offered_to_nobody_and_its_interviews_go_on(cast: Cast) -> None:
    version = make_tree("zero")
    interview = make_interview(make_application(make_position(cast.mara)), lead=cast.ana, versions=[version])

    assert retire(version, by=cast.cora, reason="Out of date") == 1

    assert newest_published() == []
    assert list(queries.published_trees()) == []
    assert PinnedTree.objects.get(interview=interview).version == version
    assert queries.version_for(cast.ana, "zero", 1) == version
    assert steps(version) == [("retired", cast.cora, "Out of date")]


def test_retiring_the_newest_brings_the_one_before_it_back(cast: Cast) -> None:
    first, second = make_tree("zero"), make_tree("zero", number=2)

    retire(second, by=cast.cora, reason="A wrong figure")

    assert newest_published() == [first]


def test_retiring_the_whole_tree_leaves_none(cast: Cast) -> None:
    make_tree("zero")
    second, other = make_tree("zero", number=2), make_tree("other")

    assert retire(second, by=cast.cora, reason="Out of date", whole_tree=True) == 2

    assert newest_published() == [other]


def test_only_a_published_version_is_retired(cast: Cast, draft: TreeVersion) -> None:
    with pytest.raises(WrongState, match="Version 1 is now: draft"):
        retire(draft, by=cast.cora, reason="No")


def test_an_interview_keeps_the_version_it_pinned_for_ever(cast: Cast, sent: TreeVersion) -> None:
    publish(sent, by=cast.ada)
    interview = make_interview(make_application(make_position(cast.mara)), lead=cast.ana, versions=[sent])
    before = queries.whole(sent).outline

    second = new_draft(sent.tree, cast.cora)
    lock_draft(second)
    Probe.objects.filter(version=second, key="clock-root").update(prompt={"en": "Another question?"})
    send_for_review(second, reviewer=cast.ada, by=cast.cora)
    publish(second, by=cast.ada)
    retire(sent, by=cast.cora, reason="Replaced")

    pinned = PinnedTree.objects.get(interview=interview).version
    assert (pinned.number, queries.whole(pinned).outline) == (1, before)
    assert [version.number for version in newest_published()] == [2]


# --- comments


def test_comments_are_resolved_and_opened_again(cast: Cast, sent: TreeVersion) -> None:
    comment = add_comment(sent, by=cast.ada, text=" Which clocks? ", probe_key="clock-root")
    assert (comment.text, comment.probe_key, comment.resolved_at) == ("Which clocks?", "clock-root", None)

    settle_comment(comment, by=cast.cora, resolved=True)
    assert ReviewComment.objects.get().resolved_by == cast.cora

    settle_comment(comment, by=cast.ada, resolved=False)
    assert ReviewComment.objects.get().resolved_at is None
    told = AuditEntry.objects.filter(object_kind="questionbank.reviewcomment").order_by("pk")
    assert list(told.values_list("action", flat=True)) == ["comment.added", "comment.resolved", "comment.reopened"]


@pytest.mark.parametrize(
    ("values", "field"),
    [({"text": "  "}, "text"), ({"text": "Hm", "probe_key": "no-such"}, "probe_key")],
)
def test_a_comment_without_words_or_place_is_refused(
    cast: Cast, draft: TreeVersion, values: dict[str, Any], field: str
) -> None:
    with pytest.raises(Refused) as refused:
        add_comment(draft, by=cast.ada, **values)

    assert refused.value.field == field
    assert not ReviewComment.objects.exists()


def test_nothing_is_said_about_a_published_version(cast: Cast, sent: TreeVersion) -> None:
    comment = add_comment(sent, by=cast.ada, text="Good")
    settle_comment(comment, by=cast.ada, resolved=True)
    publish(sent, by=cast.ada)

    with pytest.raises(ReviewOver, match="review is over"):
        add_comment(sent, by=cast.ada, text="One more")
    with pytest.raises(ReviewOver, match="review is over"):
        settle_comment(comment, by=cast.ada, resolved=False)


def test_every_step_has_its_kind() -> None:
    steps = {"sent", "taken_back", "returned", "published", "published_unreviewed", "retired"}
    assert {kind.value for kind in ReviewStepKind} == steps


@pytest.mark.django_db(transaction=True)
def test_two_retire_versions_of_one_tree_at_once(cast: Cast) -> None:
    """Each locks the tree before its version: the other way round they would wait for each other."""
    first, second = make_tree("zero"), make_tree("zero", number=2)

    results = in_threads(
        lambda: retire(first, by=cast.cora, reason="Old"),
        lambda: retire(second, by=cast.ada, reason="All", whole_tree=True),
    )

    assert sum(result for result in results if isinstance(result, int)) == 2
    assert newest_published() == []
