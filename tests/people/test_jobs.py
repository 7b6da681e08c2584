"""The outbox of jobs: asked for twice it waits once, and what was asked for is never lost between two askings."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
import redis
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from people.jobs import NotInTransaction, claimed, enqueue
from people.models import Job
from tests.support.servers import on_database

pytestmark = pytest.mark.db

NAME = "tests.nothing"


def messages() -> int:
    """How many messages of our task wait in the broker, delayed ones included."""
    with redis.Redis.from_url(settings.BROKER_URL) as broker:
        return sum(NAME.encode() in message for message in broker.lrange("celery", 0, -1))


@pytest.fixture(autouse=True)
def _empty_queue() -> None:
    with redis.Redis.from_url(settings.BROKER_URL) as broker:
        broker.delete("celery")


def test_a_job_is_refused_outside_a_transaction(transactional_db: None) -> None:
    with pytest.raises(NotInTransaction):
        enqueue(NAME, key="panel:1", application=1)


def test_asking_again_waits_once_and_is_sent_again(transactional_db: None) -> None:
    for _ in range(2):
        with transaction.atomic():
            enqueue(NAME, key="panel:1", delay=1, application=1)

    job = Job.objects.get()
    assert (job.key, job.data, job.started_at) == ("panel:1", {"application": 1}, None)
    assert messages() == 2  # the first comes before it is due, and is thrown away


def test_a_message_that_comes_too_early_does_nothing(transactional_db: None) -> None:
    with transaction.atomic():
        enqueue(NAME, key="panel:1", delay=60, application=1)
    job = Job.objects.get()

    with claimed(str(job.id)) as ids:
        assert ids is None

    job.refresh_from_db()
    assert job.started_at is None


def test_what_is_asked_while_the_waiting_job_starts_gets_a_job_of_its_own(transactional_db: None) -> None:
    with transaction.atomic():
        enqueue(NAME, key="panel:1", application=1)
    started: list[bool] = []

    def start_it_first(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        """Let a worker claim the job just after we saw that it waits, and before we can touch it."""
        if not started and ("FOR UPDATE" in sql or sql.startswith("UPDATE")):
            started.append(True)
            url = on_database(os.environ["DATABASE_OWNER_URL"], connection.settings_dict["NAME"])
            with psycopg.connect(url, autocommit=True) as worker:
                worker.execute("UPDATE people_job SET started_at = %s", [timezone.now()])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(start_it_first), transaction.atomic():
        enqueue(NAME, key="panel:1", application=2)

    assert started == [True]
    jobs = [(job.data["application"], job.started_at is None) for job in Job.objects.order_by("created_at")]
    assert jobs == [(1, False), (2, True)]
