"""Celery's way into interviews."""

from __future__ import annotations

from celery import shared_task

from interviews.services.conduct import end_quiet_interviews


@shared_task(name="interviews.end_quiet", expires=60)
def end_quiet() -> None:
    end_quiet_interviews()
