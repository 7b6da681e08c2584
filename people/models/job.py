"""The outbox of jobs that must happen, and the heartbeats of the processes that do them."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone


class Job(models.Model):
    """One piece of background work, written in the transaction that needs it.

    `key` names the work ("panel:17"): while a job with that key waits, asking again adds none; it may only
    move `due_at`.
    `data` holds ids only. The state is claimed by conditional update, so a redelivered message finds nothing to do.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=80)
    key = models.CharField(max_length=120)
    data = models.JSONField(default=dict)
    created_at = models.DateTimeField(default=timezone.now)
    due_at = models.DateTimeField(default=timezone.now)
    sent_at = models.DateTimeField(null=True)
    started_at = models.DateTimeField(null=True)
    done_at = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    error = models.TextField(blank=True)

    class Meta:
        constraints = [
            # One waiting job a key: what started may have read old data, so a started one doesn't count as waiting.
            models.UniqueConstraint(
                fields=["name", "key"], condition=models.Q(started_at__isnull=True), name="job_waits_once"
            ),
        ]
        indexes = [models.Index(fields=["due_at"], condition=models.Q(done_at__isnull=True), name="job_open")]

    def __str__(self) -> str:
        return f"{self.name} {self.key}"


class Heartbeat(models.Model):
    """When a part of the system last showed, through the queue, that it works: `worker` and `beat`."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
