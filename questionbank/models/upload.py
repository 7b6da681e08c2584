"""Files on their way into the bank: what was sent, what they would do, how far their import is.

Nothing here lasts: the files' bytes go as soon as nothing needs them, the rows after a day.
"""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from people.fields import enum_field, one_of
from questionbank.enums import UploadFailure, UploadState


class Upload(models.Model):
    """Files that one person sent together. They go in together or not at all.

    `done` of `total` trees are compared or written; a total of 0 says that the files are still being read. `report` is
    what the page shows (questionbank.services.previews), `digest` stands for everything that the import would change.
    """

    code = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    by = models.ForeignKey("people.Person", on_delete=models.PROTECT, related_name="+")
    state = enum_field(UploadState, default=UploadState.UPLOADED)
    failure = enum_field(UploadFailure, blank=True)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    report = models.JSONField(default=dict)
    digest = models.CharField(max_length=64, blank=True)
    # The bank changed between preview and import, so nothing was written and this preview is a new one.
    changed_meanwhile = models.BooleanField(default=False)
    created_at = models.DateTimeField(default=timezone.now)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-created_at", "-id"]
        constraints = [
            one_of("state", UploadState, table="upload"),
            models.CheckConstraint(
                condition=models.Q(failure__in=["", *(one.value for one in UploadFailure)]),
                name="upload_failure_known",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["done", "failed", "cancelled"], finished_at__isnull=False)
                | models.Q(state__in=["uploaded", "reading", "preview", "importing"], finished_at__isnull=True),
                name="upload_finished_when",
            ),
        ]

    def __str__(self) -> str:
        return f"upload {self.pk}"


class UploadFile(models.Model):
    upload = models.ForeignKey(Upload, on_delete=models.CASCADE, related_name="files")
    position = models.PositiveSmallIntegerField(default=0)
    name = models.CharField(max_length=160)
    size = models.PositiveIntegerField()
    # None once the upload is finished.
    content = models.BinaryField(null=True)
    # What the columns of a table hold, where somebody said so: {name of a column: exchange.outlines.columns.Role}.
    columns = models.JSONField(default=dict)

    class Meta:
        ordering = ["upload_id", "position"]
        constraints = [models.UniqueConstraint(fields=["upload", "position"], name="upload_file_place_once")]

    def __str__(self) -> str:
        return self.name
