from __future__ import annotations
import pytest, asyncio
from tests.support.factories import make_scene
from tests.cast import PASSWORD
from scoring.simulation.reading import load
from scoring.simulation.play import Stage, play
from scoring.management.commands.simulate import CODE
from scoring.simulation.pages import Places
from django.urls import reverse
from scoring.simulation.report import report
from uuid import UUID

pytestmark = pytest.mark.db


def test_x(web, transactional_db, cast):
    scene = make_scene(cast)
    u = UUID(CODE)
    places = Places(
        reverse("account_login"),
        reverse("people:preferences"),
        "",
        "",
        "",
        reverse("interviews:interview-detail", args=[u]),
        "",
        "",
        "",
        f"/ws/interviews/{CODE}/",
    )
    import time

    t = time.time()
    outcome = asyncio.run(
        play(load("/tmp/s1.yaml"), Stage(web.url, places, PASSWORD, interview=str(scene.interview.code), patience=8))
    )
    print(time.time() - t)
    print(report(outcome))
    assert not outcome.failures
