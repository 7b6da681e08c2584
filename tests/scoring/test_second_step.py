"""The second step of a run: shadows and trial probes get their figures and move nobody, exactly."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone

from interviews.enums import Outcome
from interviews.models import Interview, Seat, Void
from questionbank.enums import Scoring, VersionState
from questionbank.models import Probe, VersionStatus
from scoring.models import CalibrationRun
from scoring.services.calibration import calibrate_closed
from scoring.services.panels import compile_application
from tests.cast import Cast
from tests.scoring.test_calibration_runs import Shop
from tests.support.factories import make_probe, make_tree
from tests.support.judging import ask, judge, submit

pytestmark = pytest.mark.db

FIGURES = {"id", "estimate", "se", "infit", "outfit", "n"}


class Learning(Shop):
    """The same, with a probe on trial, on which everybody rates depth; and Dee hands her shadow's card in."""

    def __init__(self, cast: Cast) -> None:
        super().__init__(cast)
        draft = make_tree("learning", state=VersionState.DRAFT)
        root = Probe.objects.get(version=draft, key="root")
        self.trial = make_probe(draft, "trial", level=2, parent=root, scoring=Scoring.TRIAL)
        VersionStatus.objects.filter(version=draft).update(state=VersionState.PUBLISHED, published_at=timezone.now())

    def close(self, interview: Interview) -> None:
        lead, dee = (interview.seats.get(person=person) for person in (self.cast.ana, self.cast.dee))
        asked = ask(lead, self.trial)
        for seat in interview.seats.filter(person__isnull=False):
            judge(seat, asked, Outcome.PARTIAL, depth=1)
        submit(dee)
        for seat in Seat.objects.filter(interview=interview, card_owed=True):
            submit(seat)
        compile_application(interview.application_id)


@pytest.fixture
def shop(cast: Cast) -> Learning:
    return Learning(cast)


def fixed(run: CalibrationRun) -> dict[str, Any]:
    """All of a run that the second step must not move, to the last bit."""
    content = {key: value for key, value in run.content.items() if key != "second_step"}
    return {"content": content, "held": bytes(CalibrationRun.objects.get(pk=run.pk).held)}


def calibrated() -> CalibrationRun:
    run = calibrate_closed()
    assert run is not None
    return run


def test_shadows_and_trial_probes_get_figures_and_move_nobody(shop: Learning) -> None:
    interviews = [shop.apply() for _ in range(5)]
    run = calibrated()
    told = run.content["second_step"]

    (shadow,) = told["interviewers"]
    assert shadow["id"] == str(shop.cast.dee.pk)
    assert (shadow["n"], shadow["candidates"]) == (25, 5)
    assert set(shadow) > FIGURES
    # Dee marked as Bo did, and Ana one lower.
    severity = {row["id"]: row["estimate"] for row in run.content["interviewers"]}
    assert shadow["estimate"] < severity[str(shop.cast.ana.pk)]
    (trial,) = told["items"]
    assert trial["id"].startswith(f"{shop.trial.version.tree_id}/trial/")
    assert (trial["dimension"], trial["n"]) == ("depth", 10)  # the shadow's is not among them
    assert trial["se"] > 0
    assert not [row for row in run.content["items"] if "/trial/" in row["id"]]

    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL sounding.eraser = 'on'")
        for table in ("revisionmark", "revisionboundary", "revisionstatement", "revision"):
            of_shadows = "seat_id IN (SELECT id FROM interviews_seat WHERE role = 'shadow')"
            cursor.execute(f"DELETE FROM scoring_{table} WHERE {of_shadows}")  # noqa: S608 - our own names
    without = calibrated()
    assert without.number == run.number + 1
    assert without.content["second_step"]["interviewers"] == []
    assert without.content["second_step"]["items"] == told["items"]
    assert fixed(without) == fixed(run)

    Void.objects.create(
        position=shop.position, tree=shop.trial.version.tree, probe_key="trial", by=shop.cast.mara, reason="Leaked."
    )
    for interview in interviews:
        compile_application(interview.application_id)
    voided = calibrated()
    assert voided.content["second_step"]["items"] == []
    assert fixed(voided) == fixed(run)
