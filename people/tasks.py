"""Celery's way into people: heartbeats and the sweeper."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from people import jobs
from people.models import Heartbeat


@shared_task(name="people.heartbeat", expires=30)
def heartbeat() -> None:
    """Prove, through the queue, that beat sends and a worker works: only both together write these rows."""
    now = timezone.now()
    for name in ("worker", "beat"):
        Heartbeat.objects.update_or_create(name=name, defaults={"at": now})


@shared_task(name="people.sweep_jobs", expires=30)
def sweep_jobs() -> None:
    jobs.sweep()
