"""Killing the Celery worker in the middle of an import: the import still happens, once; cancelled, it never does."""

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
from people.models import AuditEntry, Job
from questionbank.enums import UploadState
from questionbank.models import Probe, Topic, Tree, TreeVersion, Upload
from questionbank.services.uploads import IMPORT_JOB, Sent, cancel_upload, confirm_upload, start_upload
from tests.cast import Cast
from tests.questionbank.outlines import SOURCE
from tests.support.worker import running_worker, sweep, until

pytestmark = pytest.mark.faults

TREES = 3


@pytest.fixture
def upload(transactional_db: None, cast: Cast) -> Upload:
    """An import of three trees that is confirmed and waits for a worker."""
    files = [Sent(f"{n}.yaml", SOURCE.replace("tree: clocks", f"tree: clocks-{n}").encode()) for n in range(TREES)]
    upload = start_upload(by=cast.cora, files=files)
    upload.refresh_from_db()
    confirm_upload(upload, digest=upload.digest)
    Job.objects.update(sent_at=None)  # what was sent went to the queue that all other tests use
    return upload


@contextmanager
def held_key(holder: psycopg.Connection[Any]) -> Iterator[Callable[[], bool]]:
    """Hold the key of a tree that the import makes, so that its worker stops with its topic written already.

    Yields a function that tells whether somebody waits for it. Nothing of the tree stays.
    """
    elsewhere = Topic.objects.create(key="elsewhere", title={"en": "Elsewhere"})
    row = holder.execute("SELECT pg_current_xact_id()::xid::text").fetchone()
    assert row is not None
    holder.execute("INSERT INTO questionbank_tree (key, topic_id, position) VALUES ('clocks-2', %s, 0)", [elsewhere.pk])

    def waited_for() -> bool:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid::text = %s", row)
            return cursor.fetchone() is not None

    try:
        yield waited_for
    finally:
        holder.rollback()


def state(upload: Upload) -> str:
    return Upload.objects.values_list("state", flat=True).get(pk=upload.pk)


def written() -> tuple[int, ...]:
    topics = Topic.objects.exclude(key="elsewhere")
    imported = AuditEntry.objects.filter(action="tree.imported")
    return tuple(rows.count() for rows in (topics, Tree.objects, TreeVersion.objects, Probe.objects, imported))


@pytest.mark.long
def test_a_worker_killed_in_the_middle_leaves_an_import_that_happens_once(
    worked_environment: dict[str, str], upload: Upload, as_application: psycopg.Connection[Any]
) -> None:
    as_application.autocommit = False
    with running_worker(worked_environment) as worker:
        with held_key(as_application) as waited_for:
            sweep(worked_environment)
            until(waited_for, "the worker to write", again=lambda: sweep(worked_environment))
            worker.kill()
        assert (state(upload), written()) == (UploadState.IMPORTING, (0, 0, 0, 0, 0))

        # The sweeper finds it when it has been at work for longer than any task may; that time is moved, not waited.
        Job.objects.update(started_at=timezone.now() - jobs.RESTART_AFTER - timedelta(seconds=1))
        worker.start()
        sweep(worked_environment)
        until(lambda: state(upload) == UploadState.DONE, "the import", again=lambda: sweep(worked_environment))
        until(lambda: Job.objects.get(name=IMPORT_JOB).done_at is not None, "the job to be done")

    assert written() == (1, TREES, TREES, 2 * TREES, TREES)


@pytest.mark.long
def test_cancelled_while_a_worker_writes_leaves_nothing(
    worked_environment: dict[str, str], upload: Upload, as_application: psycopg.Connection[Any]
) -> None:
    as_application.autocommit = False
    with running_worker(worked_environment):
        with held_key(as_application) as waited_for:
            sweep(worked_environment)
            until(waited_for, "the worker to write", again=lambda: sweep(worked_environment))
            cancel_upload(upload)
        until(lambda: Job.objects.get(name=IMPORT_JOB).done_at is not None, "the job to end")

    assert (state(upload), written()) == (UploadState.CANCELLED, (0, 0, 0, 0, 0))
