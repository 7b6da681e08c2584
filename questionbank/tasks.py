"""Celery's way into the question bank."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from questionbank.services.duplicates import compare_waiting
from questionbank.services.suggestions import release


@shared_task(name="questionbank.release_suggestions", expires=3600)
def release_suggestions() -> None:
    """Show curators what live rooms suggested since last night. A night that is missed is made up for."""
    release(timezone.now().date())


@shared_task(name="questionbank.compare_prompts", expires=60)
def compare_prompts() -> None:
    compare_waiting()
