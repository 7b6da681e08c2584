"""The way of a version: draft, in review (and back), published, retired.

Each step locks where the version stands (`drafting.lock_status`), as each change of a draft does; before that the tree,
where other versions matter. What is in review or published doesn't change: triggers hold it (migration 0005).
"""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from people import audit
from people.jobs import enqueue
from people.models import Person
from people.refusal import Refused
from questionbank import queries
from questionbank.enums import ReviewStepKind, VersionState
from questionbank.models import PlanTree, ReviewStep, TreeVersion, VersionStatus
from questionbank.rules import UNPUBLISHED, may_write
from questionbank.services.drafting import check_seen, lock_draft, lock_status, lock_tree
from questionbank.services.readiness import Blocker, blockers
from questionbank.services.writing import settle
from questionbank.versions import is_author, own_review_allowed
from questionbank.wording import STATES


class BadReviewer(Refused):
    """This person can't review this version."""


class WrongState(Refused):
    """The version stands elsewhere by now."""


class NotReady(Refused):
    """Something stops publishing; holds all of it."""

    def __init__(self, message: str, found: list[Blocker]) -> None:
        super().__init__(message)
        self.blockers = found


# --- who may review


def check_reviewer(version: TreeVersion, person: Person) -> None:
    """Refuse who may not review this version. Raises BadReviewer."""
    name = {"name": person.name}
    if not person.is_active:
        raise BadReviewer(_("%(name)s's account is closed.") % name, field="reviewer")
    if not may_write(person.roles):
        raise BadReviewer(_("%(name)s is neither curator nor administrator.") % name, field="reviewer")
    if is_author(version, person) and not own_review_allowed():
        words = _("%(name)s wrote on this version, and somebody else reviews it. An administrator can allow otherwise.")
        raise BadReviewer(words % name, field="reviewer")


# --- the steps


@transaction.atomic
def send_for_review(version: TreeVersion, *, reviewer: Person, by: Person) -> VersionStatus:
    """Hand a draft to its reviewer; it doesn't change until it comes back. Raises NotADraft, BadReviewer."""
    status = lock_draft(version)
    check_reviewer(version, reviewer)
    settle(version)
    status.state, status.reviewer = VersionState.IN_REVIEW, reviewer
    status.save(update_fields=["state", "reviewer"])
    _step(version, ReviewStepKind.SENT, by, reviewer=reviewer)
    audit.record(by, "tree.sent", version, number=version.number, reviewer=reviewer.pk)
    return status


@transaction.atomic
def take_back(version: TreeVersion, *, by: Person) -> VersionStatus:
    """Make a version in review a draft again, on its curators' side. Raises WrongState."""
    status = _lock_in_review(version)
    _make_draft(status)
    _step(version, ReviewStepKind.TAKEN_BACK, by)
    audit.record(by, "tree.taken_back", version, number=version.number)
    return status


@transaction.atomic
def return_to_draft(version: TreeVersion, *, by: Person, reason: str, seen: str | None = None) -> VersionStatus:
    """Give a version back to its authors, with what is to be done.

    `seen` is the content hash of what the reviewer read, None where no page stands between. Raises WrongState,
    BadReviewer, Changed.
    """
    status = _lock_in_review(version)
    _require_reviewer(status, by)
    if seen is not None:
        check_seen(version, seen)
    _make_draft(status)
    _step(version, ReviewStepKind.RETURNED, by, reason=reason)
    audit.record(by, "tree.returned", version, number=version.number)
    return status


@transaction.atomic
def publish(version: TreeVersion, *, by: Person, seen: str | None = None) -> VersionStatus:
    """Publish what was reviewed; from then on it never changes, and new interviews are offered it.

    `seen` is the content hash of what the reviewer read: it may have been taken back, changed and sent again since.
    None where no page stands between. Raises WrongState (also when a later version is published already),
    BadReviewer, Changed, NotReady.
    """
    lock_tree(version)
    status = _lock_in_review(version)
    _require_reviewer(status, by)
    check_reviewer(version, by)
    if seen is not None:
        check_seen(version, seen)
    later = version.tree.versions.filter(number__gt=version.number, status__state=VersionState.PUBLISHED).first()
    if later:
        raise WrongState(_("Version %(n)d is published already, and is the later one.") % {"n": later.number})
    if found := blockers(queries.whole(version).outline):
        words = ngettext(
            "%(n)d thing keeps it from being published.", "%(n)d things keep it from being published.", len(found)
        )
        raise NotReady(words % {"n": len(found)}, found)
    if n := version.comments.filter(resolved_at__isnull=True).count():
        words = ngettext("%(n)d comment isn't resolved yet.", "%(n)d comments aren't resolved yet.", n)
        raise NotReady(words % {"n": n}, [])
    return _publish(status, by)


@transaction.atomic
def retire(version: TreeVersion, *, by: Person, reason: str, whole_tree: bool = False) -> int:
    """Offer a published version to no new interview or plan; those that pinned it go on. Return how many are retired.

    Earlier published versions come to the fore again, unless `whole_tree` retires them too. Raises WrongState.
    """
    lock_tree(version)
    status = lock_status(version)
    if status.state != VersionState.PUBLISHED:
        raise _wrong(version, status)
    going = [version]
    if whole_tree:
        others = version.tree.versions.filter(status__state=VersionState.PUBLISHED).exclude(pk=version.pk)
        going += others.order_by("number")
    for one in going:
        VersionStatus.objects.filter(version=one).update(state=VersionState.RETIRED, retired_at=timezone.now())
        _step(one, ReviewStepKind.RETIRED, by, reason=reason)
        audit.record(by, "tree.retired", one, number=one.number)
    return len(going)


def publish_unreviewed(version: TreeVersion, *, by: Person | None) -> None:
    """Publish a version that isn't published yet, on the word of whoever runs the server; its history says so."""
    status = VersionStatus.objects.select_for_update(no_key=True).get(version=version)
    if status.state in UNPUBLISHED:
        _publish(status, by, ReviewStepKind.PUBLISHED_UNREVIEWED)


# --- parts of the steps


def _publish(
    status: VersionStatus, by: Person | None, step: ReviewStepKind = ReviewStepKind.PUBLISHED
) -> VersionStatus:
    status.state, status.published_at, status.published_by = VersionState.PUBLISHED, timezone.now(), by
    status.save(update_fields=["state", "published_at", "published_by"])
    _step(status.version, step, by)
    # Calibrated values stand on the probes of a plan as they are published: of all its candidates, or of none.
    for plan in PlanTree.objects.filter(tree=status.version.tree_id).order_by("plan").values_list("plan", flat=True):
        enqueue("scoring.compile_after_plan", key=f"plan:{plan}", delay=1, plan=plan)
    audit.record(by, "tree.published", status.version, number=status.version.number)
    return status


def _lock_in_review(version: TreeVersion) -> VersionStatus:
    status = lock_status(version)
    if status.state != VersionState.IN_REVIEW:
        raise _wrong(version, status)
    return status


def _wrong(version: TreeVersion, status: VersionStatus) -> WrongState:
    words = {"n": version.number, "state": STATES[VersionState(status.state)]}
    return WrongState(_("Version %(n)d is now: %(state)s. Look at it again first.") % words)


def _require_reviewer(status: VersionStatus, by: Person) -> None:
    if status.reviewer_id != by.pk:
        raise BadReviewer(_("Only the reviewer of this version can do that."))


def _make_draft(status: VersionStatus) -> None:
    status.state, status.reviewer = VersionState.DRAFT, None
    status.save(update_fields=["state", "reviewer"])


def _step(
    version: TreeVersion, kind: ReviewStepKind, by: Person | None, *, reviewer: Person | None = None, reason: str = ""
) -> None:
    ReviewStep.objects.create(version=version, kind=kind, by=by, reviewer=reviewer, reason=reason)
