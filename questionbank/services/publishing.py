"""The way of a version: draft, in review, published, retired."""

from __future__ import annotations

from django.utils import timezone

from people import audit
from people.models import Person
from questionbank.enums import ReviewStepKind, VersionState
from questionbank.models import ReviewStep, TreeVersion, VersionStatus
from questionbank.rules import UNPUBLISHED


def publish_unreviewed(version: TreeVersion, *, by: Person | None) -> None:
    """Publish a version that isn't published yet, on the word of whoever runs the server."""
    published = VersionStatus.objects.filter(version=version, state__in=UNPUBLISHED).update(
        state=VersionState.PUBLISHED, published_at=timezone.now(), published_by=by
    )
    if published:
        ReviewStep.objects.create(version=version, kind=ReviewStepKind.PUBLISHED, by=by)
        audit.record(by, "tree.published", version, number=version.number)
