"""Celery's way into the bank."""

from __future__ import annotations

from celery import shared_task

from questionbank.services.duplicates import compare_waiting


@shared_task(name="questionbank.compare_prompts", expires=60)
def compare_prompts() -> None:
    compare_waiting()
