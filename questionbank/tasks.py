"""Celery's way into the question bank."""

from __future__ import annotations

from collections.abc import Callable

from celery import shared_task
from celery.exceptions import SoftTimeLimitExceeded
from django.db import OperationalError
from django.utils import timezone

from people.jobs import claimed
from questionbank.enums import UploadFailure
from questionbank.services import uploads
from questionbank.services.duplicates import compare_waiting
from questionbank.services.suggestions import release


@shared_task(name=uploads.READ_JOB)
def read_upload(job: str) -> None:
    """Read the files of the upload named in the job (people.jobs), and say what their import would do."""
    _work(job, uploads.read_upload_watched)


@shared_task(name=uploads.IMPORT_JOB)
def import_upload(job: str) -> None:
    """Import the upload named in the job, as its preview says."""
    _work(job, uploads.import_upload)


@shared_task(name="questionbank.sweep_uploads", expires=3600)
def sweep_uploads() -> None:
    uploads.sweep_uploads()


def _work(job: str, do: Callable[[int], None]) -> None:
    """Do it to the upload of the job. Somebody waits for the end, so only a lost database is tried again."""
    with claimed(job) as ids:
        if ids is None:
            return
        upload = int(ids["upload"])
        try:
            uploads.work_on(upload, do, let_through=(OperationalError, SoftTimeLimitExceeded))
        except SoftTimeLimitExceeded:
            uploads.give_up(upload, UploadFailure.TOO_LONG)


@shared_task(name="questionbank.release_suggestions", expires=3600)
def release_suggestions() -> None:
    """Show curators what live rooms suggested since last night. A night that is missed is made up for."""
    release(timezone.now().date())


@shared_task(name="questionbank.compare_prompts", expires=60)
def compare_prompts() -> None:
    compare_waiting()
