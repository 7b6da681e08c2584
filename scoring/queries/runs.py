"""The calibration in use, and how what was asked was worded."""

from __future__ import annotations

from collections.abc import Iterable

from interviews.models import Asked
from scoring.calibration.answers import Asking
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


def load_askings(asked: Iterable[str]) -> dict[str, Asking]:
    """Return {asking: who asked, and when}."""
    rows = Asked.objects.filter(pk__in=set(asked), by__person__isnull=False)
    found = rows.values_list("pk", "by__person", "made_at")
    return {str(pk): Asking(person, made_at.date()) for pk, person, made_at in found}
