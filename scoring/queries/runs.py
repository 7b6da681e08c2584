"""The calibration in use, and how what was asked was worded."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from interviews.models import Asked
from scoring.calibration.answers import Asking
from scoring.calibration.kept import unpack
from scoring.calibration.rows import JUDGE
from scoring.models import CalibrationRun
from scoring.stats.rescore import Stored


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


@dataclass(frozen=True, slots=True)
class Run:
    """What of a calibration single pages and cards ask: raters' rows by name, how often each item was rated, and the
    variance of a single rating, None where the run does not tell."""

    stored: Stored
    raters: Mapping[str, Mapping[str, int]]
    rated: Mapping[str, int]
    noise: float | None


@lru_cache(maxsize=1)
def read_run(run: int) -> Run:
    """Runs never change: the one in use is read once a process, since all of it is far more than one card needs."""
    row = CalibrationRun.objects.get(pk=run)
    rated: dict[str, int] = defaultdict(int)
    for item in row.content["items"]:
        rated[item["id"]] += item["n"]
    raters = {one["id"]: one for one in row.content["interviewers"]}
    raters |= {f"{JUDGE}{one['id']}": one for one in row.content.get("judges", ())}
    noise = next((one["variance"] for one in row.content.get("components", ()) if one["kind"] == "rating"), None)
    return Run(unpack(bytes(row.held)), raters, dict(rated), noise)
