"""What is said about a version before it is published, and the rule about who may review."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from people import audit
from people.models import Person
from people.refusal import Refused
from questionbank.models import BankRules, ReviewComment, TreeVersion
from questionbank.rules import UNPUBLISHED
from questionbank.services.drafting import lock_status


class ReviewOver(Refused):
    """The version is published or retired: nothing is said about it here any more."""


@transaction.atomic
def add_comment(version: TreeVersion, *, by: Person, text: str, probe_key: str = "") -> ReviewComment:
    """Say something about a probe of the version, or about the tree. Raises NotADraft, ReviewOver, Refused."""
    _require_open(version)
    if not text.strip():
        raise Refused(_("Write something first."), field="text")
    if probe_key and not version.probes.filter(key=probe_key).exists():
        raise Refused(_("This version has no such probe any more."), field="probe_key")
    comment = ReviewComment.objects.create(version=version, probe_key=probe_key, author=by, text=text.strip())
    audit.record(by, "comment.added", comment, version=version.pk)
    return comment


@transaction.atomic
def settle_comment(comment: ReviewComment, *, by: Person, resolved: bool) -> None:
    """Say that a comment is dealt with, or that it isn't after all. Raises NotADraft, ReviewOver."""
    _require_open(comment.version)
    changed = ReviewComment.objects.filter(pk=comment.pk, resolved_at__isnull=resolved).update(
        resolved_at=timezone.now() if resolved else None, resolved_by=by if resolved else None
    )
    if changed:
        audit.record(by, "comment.resolved" if resolved else "comment.reopened", comment, version=comment.version_id)


def _require_open(version: TreeVersion) -> None:
    if lock_status(version).state not in UNPUBLISHED:
        raise ReviewOver(_("This version is published; its review is over. Begin a new draft."))


@transaction.atomic
def change_rules(*, by: Person, own_review: bool, reason: str) -> BankRules:
    """Allow authors to review their own versions, or forbid it again. Only administrators come here."""
    values = {"own_review": own_review, "reason": reason, "changed_by": by, "changed_at": timezone.now()}
    rules, _created = BankRules.objects.update_or_create(pk=1, defaults=values)
    audit.record(by, "bank.rules_changed", rules, own_review=own_review)
    return rules
