"""The calibration in use, and how what was asked was worded."""

from __future__ import annotations

from collections.abc import Iterable

from interviews.models import Asked
from scoring.models import CalibrationRun


def newest_run() -> CalibrationRun | None:
    """Return the calibration in use, without what re-scoring needs of it."""
    return CalibrationRun.objects.defer("held").order_by("number").last()


def newest_run_id() -> int | None:
    """Return which calibration is in use, and nothing of it."""
    return CalibrationRun.objects.order_by("number").values_list("pk", flat=True).last()


def load_wordings(asked: Iterable[str]) -> dict[str, str]:
    """Return {asking: hash of its probe's wording}; an own question of a lead's has none."""
    rows = Asked.objects.filter(pk__in=set(asked), probe__isnull=False)
    return {str(pk): content for pk, content in rows.values_list("pk", "probe__content_hash")}
