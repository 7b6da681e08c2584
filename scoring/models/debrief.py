"""The debrief of an application: a room of its own kind, its seats, two votes, notes and decisions.

Votes, notes, decisions and commands are append-only; what is changed is written again under the next number.
"""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.db import models
from django.db.models import Q
from django.utils import timezone

from interviews.enums import Decision
from interviews.sealed import SealedManager, all_in, readable
from people.fields import enum_field, one_of
from people.models import Person
from scoring.enums import DebriefPhase, Recommendation, VoteRound

OPEN_ROUNDS = (DebriefPhase.GATHERING, DebriefPhase.READING, DebriefPhase.VOTING)
"""Phases in which the second votes are sealed."""


class Debrief(models.Model):
    """One debrief; its room has the same code. An application may have another one after it was decided."""

    code = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    application = models.ForeignKey("interviews.Application", on_delete=models.PROTECT, related_name="+")
    room = models.OneToOneField("interviews.Room", on_delete=models.PROTECT, related_name="+")
    phase = enum_field(DebriefPhase, default=DebriefPhase.GATHERING)
    phase_since = models.DateTimeField(default=timezone.now)
    opened_at = models.DateTimeField(default=timezone.now)
    opened_by = models.ForeignKey("people.Person", on_delete=models.PROTECT, related_name="+")
    started_at = models.DateTimeField(null=True)
    closed_at = models.DateTimeField(null=True, help_text="when the second vote was closed and shown")
    decided_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["application_id", "id"]
        constraints = [
            one_of("phase", DebriefPhase, table="debrief"),
            models.UniqueConstraint(
                fields=["application"], condition=~Q(phase=DebriefPhase.DECIDED), name="debrief_open_once"
            ),
        ]

    def __str__(self) -> str:
        return f"debrief {self.code}"


class DebriefSeat(models.Model):
    """Somebody's place in a debrief. What it may do is read anew for every command (queries.debriefs)."""

    code = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    debrief = models.ForeignKey(Debrief, on_delete=models.PROTECT, related_name="seats")
    person = models.ForeignKey("people.Person", on_delete=models.PROTECT, related_name="+")

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["debrief", "person"], name="debrief_seat_once")]

    def __str__(self) -> str:
        return f"seat {self.code}"


class VoteManager(SealedManager[Any]):
    """Hands out one's own votes, and everybody's of a round that is closed. `seat` is a DebriefSeat here."""

    def visible_to(self, viewer: Person) -> models.QuerySet[Any]:
        """One's own, and the shown ones of debriefs that the seal lets `viewer` be in now, with a seat there."""
        path = "seat__debrief__application"
        here = Q(seat__debrief__in=DebriefSeat.objects.filter(person=viewer).values("debrief"))
        held = all_in(path) | Q(**{f"{path}__opened_at__isnull": False})
        closed = ~Q(seat__debrief__phase__in=OPEN_ROUNDS)
        return self._rows().filter(Q(seat__person=viewer) | closed & here & held & readable(viewer, path))

    def written_by(self, seat: Any) -> models.QuerySet[Any]:
        """What this seat of a debrief (or its pk) itself wrote."""
        return self._rows().filter(seat=seat)

    def shown_in(self, debrief: Debrief) -> models.QuerySet[Any]:
        """The votes that everybody in the debrief is shown: none before the round is closed."""
        return self._rows().filter(seat__debrief=debrief).exclude(seat__debrief__phase__in=OPEN_ROUNDS)

    def who_voted(self, debrief: Debrief) -> set[int]:
        """Seats (pk) that gave a second vote, and nothing of what it says. For who closes the round."""
        cast = self._rows().filter(seat__debrief=debrief, round=VoteRound.AFTER)
        return set(cast.values_list("seat", flat=True))


class DebriefVote(models.Model):
    """One writing of a vote. The highest version of a seat's second vote counts; `before` is copied from each card."""

    seat = models.ForeignKey(DebriefSeat, on_delete=models.PROTECT, related_name="+")
    round = enum_field(VoteRound)
    version = models.PositiveIntegerField()
    recommendation = enum_field(Recommendation)
    reason = models.ForeignKey("interviews.Text", on_delete=models.PROTECT, null=True, related_name="+")
    revision = models.ForeignKey(
        "scoring.Revision", on_delete=models.PROTECT, null=True, related_name="+", help_text="what a first vote copies"
    )
    at = models.DateTimeField(default=timezone.now)

    objects: ClassVar[VoteManager] = VoteManager()

    class Meta:
        ordering = ["seat_id", "round", "version"]
        constraints = [
            models.UniqueConstraint(fields=["seat", "round", "version"], name="debrief_vote_once"),
            models.CheckConstraint(
                condition=Q(round=VoteRound.BEFORE, revision__isnull=False)
                | Q(round=VoteRound.AFTER, revision__isnull=True),
                name="debrief_vote_first_from_card",
            ),
            one_of("round", VoteRound, table="debriefvote"),
            one_of("recommendation", Recommendation, table="debriefvote"),
        ]

    def __str__(self) -> str:
        return f"vote {self.pk}"


class DebriefNote(models.Model):
    """A line of the discussion. The id is the id of the command that posted it."""

    id = models.UUIDField(primary_key=True)
    seat = models.ForeignKey(DebriefSeat, on_delete=models.PROTECT, related_name="+")
    seq = models.PositiveBigIntegerField(help_text="the panel stream's")
    text = models.ForeignKey("interviews.Text", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["seq"]

    def __str__(self) -> str:
        return f"note {self.pk}"


class DebriefDecision(models.Model):
    """A decision with its rationale. The highest number stands; the ones before it are kept and shown."""

    debrief = models.ForeignKey(Debrief, on_delete=models.PROTECT, related_name="+")
    seat = models.ForeignKey(DebriefSeat, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveSmallIntegerField()
    decision = enum_field(Decision)
    rationale = models.ForeignKey("interviews.Text", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["debrief_id", "number"]
        constraints = [
            models.UniqueConstraint(fields=["debrief", "number"], name="debrief_decision_once"),
            one_of("decision", Decision, table="debriefdecision"),
        ]

    def __str__(self) -> str:
        return f"decision {self.number} of debrief {self.debrief_id}"


class DebriefCommand(models.Model):
    """An accepted command: a repeat gets the first ack, the same id with other content is refused."""

    seat = models.ForeignKey(DebriefSeat, on_delete=models.PROTECT, related_name="+")
    command = models.UUIDField()
    digest = models.CharField(max_length=64)
    stream = models.CharField(max_length=60)
    seq = models.PositiveBigIntegerField()
    version = models.PositiveIntegerField(null=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["seat", "command"], name="debrief_command_once")]

    def __str__(self) -> str:
        return str(self.command)


class DebriefLine(models.Model):
    """When a seat had a line to the room: who was there when the votes were shown saw them."""

    seat = models.ForeignKey(DebriefSeat, on_delete=models.CASCADE, related_name="lines")
    started_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes = [models.Index(fields=["seat", "ended_at"], name="debrief_line_open")]

    def __str__(self) -> str:
        return f"line {self.pk}"
