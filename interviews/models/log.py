"""The log of a room: append-only events in streams by audience, each stream with its own gapless `seq`."""

from __future__ import annotations

import uuid

from django.db import models
from django.utils import timezone

from interviews.models.judgement import Mark, Note


class Room(models.Model):
    """Where a stream of events belongs: (kind, code). Its row is the first lock of every command.

    `epoch` rises when the past is rewritten (anonymising); pages and off-line caches then start over.
    """

    kind = models.CharField(max_length=20)
    code = models.UUIDField(default=uuid.uuid4)
    epoch = models.PositiveIntegerField(default=1)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["kind", "code"], name="room_once")]

    def __str__(self) -> str:
        return f"{self.kind} {self.code}"


class Stream(models.Model):
    """The head of one stream: `all`, `panel` or `mine:<seat>`. The next event is head + 1, taken under its row lock."""

    room = models.ForeignKey(Room, on_delete=models.CASCADE, related_name="streams")
    name = models.CharField(max_length=60)
    head = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["room", "name"], name="stream_once")]

    def __str__(self) -> str:
        return f"{self.name}:{self.head}"


class Event(models.Model):
    """One fact, append-only. `data` holds ids, enumerations and numbers; words are read from text rows when drawn.

    The streams `mine:<seat>` hold figures that are sealed, so rooms have no way back to their events.
    """

    room = models.ForeignKey(Room, on_delete=models.PROTECT, related_name="+")
    stream = models.CharField(max_length=60)
    seq = models.PositiveBigIntegerField()
    name = models.CharField(max_length=40)
    seat = models.ForeignKey("interviews.Seat", on_delete=models.PROTECT, null=True, related_name="+")
    cause = models.UUIDField(null=True, help_text="the command's id")
    at = models.DateTimeField(default=timezone.now)
    made_at = models.DateTimeField()
    data = models.JSONField(default=dict)

    # Of a judgement's event, in the process that wrote it and until its frame is drawn: the row as it was written,
    # words and all, so that the author's frame need not read it back (interviews.live.feeds).
    wrote: Mark | Note | None = None

    class Meta:
        ordering = ["room_id", "stream", "seq"]
        constraints = [models.UniqueConstraint(fields=["room", "stream", "seq"], name="event_seq_once")]

    def __str__(self) -> str:
        return f"{self.stream}#{self.seq} {self.name}"


class Command(models.Model):
    """An accepted command, so that a repeat gets the first ack and the same id with other content is refused."""

    seat = models.ForeignKey("interviews.Seat", on_delete=models.PROTECT, related_name="+")
    command = models.UUIDField()
    digest = models.CharField(max_length=64, help_text="of name and data")
    stream = models.CharField(max_length=60)
    seq = models.PositiveBigIntegerField()
    version = models.PositiveIntegerField(null=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["seat", "command"], name="command_once")]

    def __str__(self) -> str:
        return str(self.command)
