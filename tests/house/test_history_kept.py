"""History stays as it was written: each table that may only be added to, with rows in it.

The rows are made once for the module, in a transaction around its tests: each changes them in one of its own.
"""

from __future__ import annotations

import pytest
from django.db import transaction
from django.db.utils import IntegrityError

from interviews.enums import InterviewStatus
from interviews.models import Consent, Reveal, Void
from people import audit, grants
from scoring.models import CalibrationRun, MarkingDraw
from scoring.services.judging import take_ratings
from scoring.services.panels import compile_application
from tests.cast import make_cast
from tests.house.acting import do
from tests.house.test_guards import DELETE, UPDATE, execute, rows
from tests.support.debriefs import Talk
from tests.support.factories import make_scene
from tests.support.judges import judged
from tests.support.judging import judged_scene, submit

pytestmark = [pytest.mark.db, pytest.mark.usefixtures("history", "db")]


@pytest.fixture(scope="module")
def history(module_database: None) -> None:
    """At least one row in every append-only table."""
    cast = make_cast()
    scene = make_scene(cast, status=InterviewStatus.LIVE)
    do(scene.ana, "interview.pause")
    judged_scene(scene)
    for seat in (scene.ana, scene.bo, scene.chen):
        submit(seat)
    compile_application(scene.application.pk)
    talk = Talk(scene).to("discussing")
    talk.do("ana", "note.post", text="Said")
    talk.do("mara", "decision.record", decision="offer", rationale="Because")
    CalibrationRun.objects.create(number=1, digest="-", code_version="-", applications=[], content={}, held=b"")
    rated = judged(scene)
    take_ratings(judge=rated.judge, key="one", said=rated.said)
    MarkingDraw.objects.create(application=scene.application, number=50, percent=5, seed="-", disagrees=False)
    audit.record(cast.mara, "test", scene.interview)
    Consent.objects.create(seat=scene.candidate, notice="1", language="en")
    Reveal.objects.create(application=scene.application, viewer=cast.mara, what="panel", rule="all_in")
    Void.objects.create(
        position=scene.position, tree=scene.versions[0].tree, probe_key="l3", by=cast.mara, reason="Ambiguous"
    )


@pytest.mark.parametrize("table", grants.append_only_tables())
@pytest.mark.parametrize("statement", [UPDATE, DELETE])
def test_not_even_the_owner_rewrites_history(table: str, statement: str) -> None:
    before = rows(table)

    with pytest.raises(IntegrityError, match=f"{table} is append-only: rows are added"), transaction.atomic():
        execute(statement.format(table))

    assert before
    assert rows(table) == before


@pytest.mark.parametrize("table", grants.append_only_tables())
def test_the_eraser_alone_may_rewrite_history(table: str) -> None:
    with transaction.atomic():
        execute("SET LOCAL sounding.eraser = 'on'")
        execute(UPDATE.format(table))
