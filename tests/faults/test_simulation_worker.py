"""Killing the Celery worker while it compiles a panel card: the card still appears, and once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.utils import timezone

from people import jobs
from people.models import Job
from scoring.models import PanelScorecard
from tests.cast import Cast
from tests.support.factories import Scene, make_scene
from tests.support.judging import judged_scene, submit
from tests.support.worker import running_worker, sweep, until

pytestmark = pytest.mark.faults

COMPILES = "scoring.compile_panel"


@pytest.fixture
def scene(transactional_db: None, cast: Cast) -> Scene:
    scene = make_scene(cast)
    judged_scene(scene)
    return scene


@contextmanager
def held_application(scene: Scene, holder: psycopg.Connection[Any]) -> Iterator[Callable[[], bool]]:
    """Hold the row that compiling starts with, so that a worker stops in the middle of its job.

    Yields a function that tells whether somebody waits for it.
    """
    with holder.transaction():
        row = holder.execute(
            "SELECT pg_current_xact_id()::xid::text FROM interviews_application WHERE id = %s FOR NO KEY UPDATE",
            [scene.application.pk],
        ).fetchone()
        assert row is not None

        def waited_for() -> bool:
            with connection.cursor() as cursor:
                cursor.execute("SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid::text = %s", row)
                return cursor.fetchone() is not None

        yield waited_for


def newest_card() -> PanelScorecard | None:
    return PanelScorecard.objects.order_by("number").last()


@pytest.mark.long
def test_a_worker_killed_while_compiling_leaves_a_card_that_appears_once(
    worked_environment: dict[str, str], scene: Scene, as_application: psycopg.Connection[Any]
) -> None:
    for seat in (scene.ana, scene.bo, scene.chen):
        submit(seat)
    with running_worker(worked_environment) as worker:
        with held_application(scene, as_application) as waited_for:
            Job.objects.update(sent_at=None)  # what was sent went to the queue that all other tests use
            sweep(worked_environment)
            until(waited_for, "the worker to begin", again=lambda: sweep(worked_environment))
            worker.kill()
        job = Job.objects.get(name=COMPILES)
        assert (job.started_at is not None, job.done_at, newest_card()) == (True, None, None)

        # The sweeper finds it when it has been at work for longer than any task may; that time is moved, not waited.
        Job.objects.update(started_at=timezone.now() - jobs.RESTART_AFTER - timedelta(seconds=1))
        worker.start()
        sweep(worked_environment)
        until(lambda: newest_card() is not None, "the panel card", again=lambda: sweep(worked_environment))
        until(lambda: Job.objects.get(name=COMPILES).done_at is not None, "the job to be done")

    card = newest_card()
    assert card is not None
    assert (PanelScorecard.objects.count(), card.number, len(card.content["raters"])) == (1, 1, 3)


@pytest.mark.long
def test_two_workers_and_a_message_delivered_again_and_again_make_one_card(
    worked_environment: dict[str, str], scene: Scene
) -> None:
    for seat in (scene.ana, scene.bo, scene.chen):
        submit(seat)
    with running_worker(worked_environment), running_worker(worked_environment):
        for _ in range(5):
            Job.objects.filter(name=COMPILES).update(sent_at=None)  # as if the broker had lost it
            sweep(worked_environment)
        until(
            lambda: Job.objects.get(name=COMPILES).done_at is not None,
            "the job",
            again=lambda: sweep(worked_environment),
        )
        Job.objects.filter(name=COMPILES).update(done_at=None, started_at=None, sent_at=None)  # never acknowledged
        sweep(worked_environment)
        until(lambda: Job.objects.get(name=COMPILES).done_at is not None, "the job again")

    assert PanelScorecard.objects.count() == 1
