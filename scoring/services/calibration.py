"""The nightly calibration: one stored run for one set of ratings, and what it writes down for lower apps."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime
from itertools import chain
from typing import Any

import numpy as np
from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from people.locks import Lock, queue_on
from questionbank.models import ProbeFigures
from scoring.calibration.beside import Beside, look_beside
from scoring.calibration.fitting import Choice, Fitted, fit_sheet
from scoring.calibration.kept import pack
from scoring.calibration.problems import BadInput
from scoring.calibration.report import report
from scoring.calibration.rows import JUDGE, item_name, ratings_of
from scoring.calibration.scales import ScaleRange
from scoring.calibration.second_step import second_step
from scoring.calibration.sheet import Sheet
from scoring.models import CalibrationRun, PanelScorecard
from scoring.queries.aside import load_sources
from scoring.queries.calibration import load_panels
from scoring.queries.figures import closed_applications, not_erased
from scoring.queries.runs import load_askings, load_wordings, newest_run
from scoring.rules.aside import applications_of, as_judge, taken_by_fives
from scoring.rules.figures import STEP
from scoring.rules.linked import TOP, RatingRow, digest_of, rating_rows
from scoring.services.interviewer_figures import write_calibrated
from scoring.services.panels import ask_for_panels
from scoring.stats.rescore import Stored

logger = logging.getLogger("sounding.calibration")

CODE_VERSION = "calibration-4"
"""Changes whenever the same ratings would give other estimates, or a run would say more of them."""


@transaction.atomic
def calibrate_closed() -> CalibrationRun | None:
    """Calibrate what closed applications say, and return the run in use; None as long as there can be none.

    New applications come in five or more at a time, or not yet, and what is measured aside five or more for each source
    of it; those that are closed no more leave by five or more too, and until then stand as the run in use has them.
    What was erased leaves at once. The ratings of the run in use make no other, however often this is asked for, and
    by whomever at once.
    """
    queue_on(Lock.CALIBRATION)
    last = newest_run()
    known = set(last.applications) if last else set()
    closed = set(closed_applications().values_list("pk", flat=True))
    taken, reopened = _taken(closed, known)
    now, as_of = timezone.now(), _as_of(reopened, last)
    panels = load_panels(sorted(taken - reopened))
    for moment in sorted(set(as_of.values())):
        panels += load_panels([pk for pk in sorted(reopened) if as_of[pk] == moment], by=datetime.fromisoformat(moment))
    sources = load_sources(panels)
    before = last.content.get("second_step", {}) if last else {}
    aside = taken_by_fives(sources.aside, before.get("taken", {}))
    judges = taken_by_fives(sources.counted, before.get("counted", {}))
    rows = [row for inputs in panels for row in rating_rows(inputs)]
    rows += [as_judge(row) for own in judges.values() for row in own]
    wordings = load_wordings(row.asked for row in chain(rows, *aside.values()))
    digest = digest_of(rows, wordings.items(), ((str(source), own) for source, own in aside.items()))
    if last is not None and (last.digest, last.code_version) == (digest, CODE_VERSION):
        return last
    try:
        fitted = fit_sheet(_sheet(rows, wordings), Choice())
    except BadInput as reason:
        logger.info("no calibration yet: %s", reason)
        return last
    beside = look_beside(fitted, sorted(rows), load_askings(row.asked for row in rows))
    measured = second_step(fitted.found, aside, wordings)
    run = CalibrationRun.objects.create(
        number=(CalibrationRun.objects.aggregate(last=Max("number"))["last"] or 0) + 1,
        digest=digest,
        code_version=CODE_VERSION,
        applications=sorted(taken),
        content={
            **_content(fitted),
            **beside.house,
            "second_step": {**measured, "taken": applications_of(aside), "counted": applications_of(judges)},
            "reopened": {str(pk): moment for pk, moment in as_of.items()},
        },
        ran_at=now,
        held=pack(Stored.of(fitted.found)),
    )
    _write_probes(run, beside)
    write_calibrated(beside.people)
    ask_for_panels(PanelScorecard.objects.order_by("application").values_list("application", flat=True).distinct())
    return run


def _taken(closed: Collection[int], known: Collection[int]) -> tuple[set[int], set[int]]:
    """Which applications go in, and which of them are closed no more. One that came or left alone would say in every
    figure's difference what was judged there; what was erased must leave, whatever that shows."""
    fresh, gone = set(closed) - set(known), set(known) - set(closed)
    kept = set(not_erased(gone)) if gone else set()
    reopened = kept if len(kept) < STEP else set()
    return (set(closed) & set(known)) | reopened | (fresh if len(fresh) >= STEP else set()), reopened


def _as_of(reopened: Collection[int], last: CalibrationRun | None) -> dict[int, str]:
    """Since when the cards of applications that are closed no more stand as they are in the run in use."""
    if last is None:
        return {}
    before = last.content.get("reopened", {})
    return {pk: before.get(str(pk), last.ran_at.isoformat()) for pk in reopened}


def _content(fitted: Fitted) -> dict[str, Any]:
    """The run's JSON, with judges that count apart from people."""
    content = report(fitted)
    people = [row for row in content["interviewers"] if not row["id"].startswith(JUDGE)]
    judges = [row for row in content["interviewers"] if row["id"].startswith(JUDGE)]
    content["interviewers"] = people
    content["judges"] = [{**row, "id": row["id"].removeprefix(JUDGE)} for row in judges]
    return content


def _sheet(rows: Sequence[RatingRow], wordings: dict[str, str]) -> Sheet:
    if not rows:
        raise BadInput("No closed application has a rating that counts.")
    ordered = sorted(rows)
    return Sheet(ratings_of(ordered, wordings), np.arange(len(ordered)), (ScaleRange("", 0, TOP),), None, ())


def _write_probes(run: CalibrationRun, beside: Beside) -> None:
    """Write difficulties and agreement down to the bank, each only where its own snapshot moved: that goes by five
    applications at a time too, and a difficulty that moved by one would say what that one answered."""
    queue_on(Lock.FIGURES)
    found: dict[str, dict[str, list[float]]] = defaultdict(dict)
    for item in run.content["items"]:
        found[item["id"]][item["dimension"]] = [round(item["estimate"], 4), round(item["se"], 4)]
    moved = []
    for figures in ProbeFigures.objects.filter(moved=True):
        name = item_name(figures.tree_id, figures.probe_key, figures.content_hash)
        difficulty = found.get(name)
        if difficulty:
            figures.difficulty = difficulty
            figures.agreement = beside.probes.get(name, {})
            figures.moved = False
            moved.append(figures)
    ProbeFigures.objects.bulk_update(moved, ["difficulty", "agreement", "moved"])
