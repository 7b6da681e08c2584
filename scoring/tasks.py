"""Celery's way into scoring."""

from __future__ import annotations

from celery import shared_task

from people.jobs import claimed
from scoring.services.panels import compile_application


@shared_task(name="scoring.compile_panel")
def compile_panel(job: str) -> None:
    """Compile the panel card of the application named in the job (people.jobs)."""
    with claimed(job) as ids:
        if ids is not None:
            compile_application(int(ids["application"]))
