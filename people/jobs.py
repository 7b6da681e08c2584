"""Work that must happen, whatever the broker does.

`enqueue` writes a row in the transaction that needs the work; after the commit the task is sent by name with the row's
id. What was not sent, or not finished, is sent again by the sweeper (people.tasks.sweep_jobs), so a lost message or a
killed worker costs seconds. A task claims its row by conditional update: a message delivered twice finds nothing to do.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime, timedelta
from uuid import UUID

from celery import current_app
from django.db import IntegrityError, connection, transaction
from django.db.models import Q, Value
from django.db.models.functions import Greatest
from django.utils import timezone

from people.models import Job

logger = logging.getLogger("sounding.jobs")

# A job sent but not started after this long was lost by the broker; one started but not done, by its worker.
RESEND_AFTER = timedelta(seconds=20)
RESTART_AFTER = timedelta(seconds=110)  # above the tasks' hard time limit
GIVE_UP_AFTER = 12


class NotInTransaction(Exception):
    """A job was asked for outside a transaction: it could be lost between the commit and the row."""


def enqueue(name: str, *, key: str, delay: float = 0, **ids: int | str) -> None:
    """Ask for the task `name` to run with `ids`, `delay` seconds from now (the time others have to ask for the same).

    While a job with this name and key waits to be started, asking again adds nothing. Raises NotInTransaction.
    """
    if not connection.in_atomic_block:
        raise NotInTransaction(f"enqueue({name!r}) needs transaction.atomic()")
    due_at = timezone.now() + timedelta(seconds=delay)
    job = None
    while job is None:
        job = _create(name, key, ids, due_at) or _postpone(name, key, due_at)
    transaction.on_commit(lambda: send(job, name, due_at), robust=True)


def _create(name: str, key: str, ids: dict[str, int | str], due_at: datetime) -> UUID | None:
    try:
        with transaction.atomic():
            return Job.objects.create(name=name, key=key, data=ids, due_at=due_at).id
    except IntegrityError:
        return None


def _postpone(name: str, key: str, due_at: datetime) -> UUID | None:
    """Move the job that waits, so that it can't start before this transaction's data is committed.

    None if it was started meanwhile: it may have read the data from before, so another one must follow.
    """
    waiting = Job.objects.select_for_update().filter(name=name, key=key, started_at__isnull=True).first()
    if waiting is None:
        return None
    Job.objects.filter(id=waiting.id).update(due_at=max(due_at, waiting.due_at))
    return waiting.id


def enqueue_many(name: str, jobs: Mapping[str, Mapping[str, int | str]], *, delay: float = 0, each: float = 0) -> None:
    """Ask for the task `name` once for every key of `jobs`, with its ids: the first `delay` seconds from now, the next
    `each` seconds later. As many queries for ten thousand as for one: the sweeper sends them as they fall due.

    A job that waits already is only put off, as by `enqueue`. Raises NotInTransaction.
    """
    if not connection.in_atomic_block:
        raise NotInTransaction(f"enqueue_many({name!r}) needs transaction.atomic()")
    first = timezone.now() + timedelta(seconds=delay)
    left = {key: first + timedelta(seconds=each * place) for place, key in enumerate(jobs)}
    while left:
        waiting = Job.objects.select_for_update().filter(name=name, key__in=list(left), started_at__isnull=True)
        held = dict(waiting.order_by("id").values_list("key", "id"))
        Job.objects.filter(id__in=list(held.values())).update(due_at=Greatest("due_at", Value(first)))
        missing = [key for key in left if key not in held]
        rows = [Job(name=name, key=key, data=dict(jobs[key]), due_at=left[key]) for key in missing]
        Job.objects.bulk_create(rows, ignore_conflicts=True)
        made = set(Job.objects.filter(id__in=[row.id for row in rows]).values_list("key", flat=True))
        # Whoever asked for one meanwhile has its row in our way: it is put off in the next round, or asked for again.
        left = {key: left[key] for key in missing if key not in made}


def send(job: UUID, name: str, due_at: datetime) -> None:
    """Hand the job to the broker. A broker that is down is no error: the sweeper sends it again."""
    countdown = max(0.0, (due_at - timezone.now()).total_seconds())
    try:
        current_app.send_task(name, kwargs={"job": str(job)}, countdown=countdown, retry=False)
    except Exception:  # brokers fail in many classes, and none of them may undo a transaction that is committed
        logger.warning("could not send job %s %s; the sweeper will", name, job, exc_info=True)
        return
    Job.objects.filter(id=job).update(sent_at=timezone.now())


@contextmanager
def claimed(job: str) -> Iterator[dict[str, int | str] | None]:
    """Yield the job's ids if this caller is the one to do it, else None; mark it done when the block succeeds.

    A failure is written to the row and raised again; the sweeper tries later.
    """
    now = timezone.now()
    waiting = Q(started_at__isnull=True) | Q(started_at__lt=now - RESTART_AFTER)
    taken = Job.objects.filter(waiting, id=job, done_at__isnull=True, due_at__lte=now + timedelta(seconds=0.2)).update(
        started_at=now
    )
    if taken != 1:
        yield None
        return
    row = Job.objects.get(id=job)
    try:
        yield row.data
    except Exception as error:
        _put_back(row, error)
        raise
    Job.objects.filter(id=job).update(done_at=timezone.now(), attempts=row.attempts + 1, error="")


def _put_back(row: Job, error: Exception) -> None:
    """Let a failed job wait again, longer each time; if another with its key waits already, that one does the work."""
    row.attempts += 1
    row.error = repr(error)[:2000]
    tried = Job.objects.filter(id=row.id)
    tried.update(attempts=row.attempts, error=row.error)
    try:
        with transaction.atomic():
            tried.update(started_at=None, sent_at=None, due_at=timezone.now() + timedelta(seconds=2**row.attempts))
    except IntegrityError:
        tried.update(done_at=timezone.now())


def sweep() -> int:
    """Send again what is due and was not sent, not started or not finished in time. Return how many."""
    now = timezone.now()
    unsent = Q(sent_at__isnull=True) | Q(sent_at__lt=now - RESEND_AFTER, started_at__isnull=True)
    stuck = Q(started_at__lt=now - RESTART_AFTER)
    due = Job.objects.filter(unsent | stuck, done_at__isnull=True, due_at__lte=now, attempts__lt=GIVE_UP_AFTER)
    jobs = list(due.values_list("id", "name", "due_at")[:500])
    for job, name, due_at in jobs:
        send(job, name, due_at)
    return len(jobs)
