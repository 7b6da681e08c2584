"""Jobs happen at least once and their work once: whatever the broker loses, doubles or delays."""

from __future__ import annotations

import threading
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, DjangoCaptureOnCommitCallbacks

from people import jobs
from people.models import Job

pytestmark = pytest.mark.db


def ask(delay: float = 0, **ids: int) -> None:
    with transaction.atomic():
        jobs.enqueue("scoring.compile_panel", key="panel:7", delay=delay, **(ids or {"application": 7}))


def test_enqueue_refuses_to_run_outside_a_transaction(transactional_db: None) -> None:
    with pytest.raises(jobs.NotInTransaction):
        jobs.enqueue("scoring.compile_panel", key="panel:7", application=7)
    assert not Job.objects.exists()


def test_a_rolled_back_request_leaves_no_job(db: None) -> None:
    with transaction.atomic():
        jobs.enqueue("scoring.compile_panel", key="panel:7", application=7)
        transaction.set_rollback(True)
    assert not Job.objects.exists()


def test_asking_again_while_one_waits_adds_none_and_sends_it_for_the_later_time(
    db: None, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    ask(delay=1)
    first = Job.objects.get()
    with django_capture_on_commit_callbacks() as callbacks:
        ask(delay=5)
    assert Job.objects.get().due_at > first.due_at
    assert len(callbacks) == 1  # the message of the first asking comes too early and finds nothing to do


def ask_for_many(*numbers: int) -> None:
    wanted = {f"panel:{number}": {"application": number} for number in numbers}
    with transaction.atomic():
        jobs.enqueue_many("scoring.compile_panel", wanted, delay=1, each=0.5)


def test_many_jobs_take_as_many_queries_as_one(db: None, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    with django_assert_num_queries(5):
        ask_for_many(1)
    with django_assert_num_queries(5):
        ask_for_many(*range(100, 400))
    assert Job.objects.count() == 301
    assert Job.objects.get(key="panel:399").data == {"application": 399}
    due = list(Job.objects.exclude(key="panel:1").order_by("due_at").values_list("due_at", flat=True))
    assert due[-1] - due[0] == timedelta(seconds=149.5)


def test_many_jobs_double_none_that_waits_and_follow_those_that_were_started(db: None) -> None:
    ask()
    waiting = Job.objects.get()
    ask_for_many(6, 7, 8)
    assert Job.objects.count() == 3
    assert Job.objects.get(key="panel:7").id == waiting.id
    assert Job.objects.get(key="panel:7").due_at > waiting.due_at  # not before what it is to read is committed
    Job.objects.filter(key="panel:7").update(started_at=timezone.now())
    ask_for_many(7)
    assert Job.objects.filter(key="panel:7", started_at=None).count() == 1


def test_many_jobs_are_refused_outside_a_transaction(transactional_db: None) -> None:
    with pytest.raises(jobs.NotInTransaction):
        jobs.enqueue_many("scoring.compile_panel", {"panel:7": {"application": 7}})


def test_asking_after_the_job_was_started_adds_another(db: None) -> None:
    ask()
    Job.objects.update(started_at=timezone.now())
    ask()
    assert Job.objects.count() == 2


def test_a_job_started_while_it_is_asked_for_is_asked_for_again(transactional_db: None) -> None:
    """The worker takes the waiting job between the collision and the look at it: the new request must not vanish."""
    ask()
    waiting = Job.objects.get()
    found = jobs._postpone

    def started_first(*args: Any) -> Any:
        thread = threading.Thread(target=start_elsewhere)
        thread.start()
        thread.join()
        return found(*args)

    def start_elsewhere() -> None:
        Job.objects.filter(id=waiting.id).update(started_at=timezone.now())
        connection.close()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs, "_postpone", started_first)
        ask()
    assert Job.objects.filter(started_at__isnull=True).count() == 1


def test_a_message_that_comes_twice_is_done_once(db: None) -> None:
    ask()
    job = str(Job.objects.get().id)
    with jobs.claimed(job) as ids:
        assert ids == {"application": 7}
        with jobs.claimed(job) as twin:
            assert twin is None
    with jobs.claimed(job) as again:
        assert again is None
    assert Job.objects.get().done_at is not None


def test_a_message_that_comes_too_early_is_left_alone(db: None) -> None:
    ask(delay=60)
    with jobs.claimed(str(Job.objects.get().id)) as ids:
        assert ids is None
    assert Job.objects.get().started_at is None


def test_a_failure_is_written_down_and_swept_later(db: None) -> None:
    ask()
    Job.objects.update(sent_at=timezone.now())
    job = Job.objects.get()
    with pytest.raises(ZeroDivisionError), jobs.claimed(str(job.id)):
        raise ZeroDivisionError
    job.refresh_from_db()
    assert (job.done_at, job.attempts, job.error) == (None, 1, "ZeroDivisionError()")
    assert job.due_at > timezone.now()
    assert jobs.sweep() == 0
    Job.objects.update(due_at=timezone.now())
    assert jobs.sweep() == 1
    with jobs.claimed(str(job.id)) as ids:
        assert ids == {"application": 7}


def ask_and_fail() -> None:
    ask()
    raise ZeroDivisionError


def test_a_failed_job_gives_way_to_one_that_waits_for_the_same(db: None) -> None:
    ask()
    first = Job.objects.get()
    with pytest.raises(ZeroDivisionError), jobs.claimed(str(first.id)):
        ask_and_fail()
    first.refresh_from_db()
    assert first.done_at is not None
    assert Job.objects.filter(done_at__isnull=True).count() == 1


@pytest.mark.parametrize(
    ("sent", "started", "swept"),
    [
        (None, None, 1),  # the process died between commit and sending
        (timedelta(seconds=5), None, 0),  # on its way
        (timedelta(seconds=60), None, 1),  # lost by the broker
        (timedelta(seconds=60), timedelta(seconds=30), 0),  # running
        (timedelta(seconds=300), timedelta(seconds=200), 1),  # its worker was killed
    ],
)
def test_sweep_sends_what_was_lost_and_nothing_else(
    db: None, sent: timedelta | None, started: timedelta | None, swept: int
) -> None:
    ask()
    now = timezone.now()
    Job.objects.update(sent_at=now - sent if sent else None, started_at=now - started if started else None)
    assert jobs.sweep() == swept


def test_a_broker_that_is_away_fails_nothing(transactional_db: None, settings: Any) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(jobs.current_app.conf, "broker_url", "redis://127.0.0.1:1/0")
        ask()
    assert Job.objects.get().done_at is None
