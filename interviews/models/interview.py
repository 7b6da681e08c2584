"""Interviews, their seats, the trees they pin, and who may come in."""

from __future__ import annotations

import uuid

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from interviews.enums import InterviewStatus, Role, Shape
from people.fields import enum_field, one_of
from people.models.person import validate_time_zone


class Interview(models.Model):
    code = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    application = models.ForeignKey("interviews.Application", on_delete=models.PROTECT, related_name="interviews")
    room = models.OneToOneField("interviews.Room", on_delete=models.PROTECT, related_name="interview")
    shape = enum_field(Shape, default=Shape.PANEL)
    status = enum_field(InterviewStatus, default=InterviewStatus.SCHEDULED)
    starts_at = models.DateTimeField(_("starts"))
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC", validators=[validate_time_zone])
    minutes = models.PositiveSmallIntegerField(
        _("minutes"), default=60, validators=[MinValueValidator(5), MaxValueValidator(480)]
    )
    meeting_link = models.URLField(_("meeting link"), blank=True, max_length=500)
    created_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    ended_by_itself = models.BooleanField(default=False)
    last_command_at = models.DateTimeField(null=True)
    # Who did not come: a role (the candidate's, or a seat's); only with status no_show.
    no_show_role = models.CharField(max_length=24, blank=True, choices=[(role.value, role.name) for role in Role])
    current = models.ForeignKey("interviews.Asked", on_delete=models.PROTECT, null=True, related_name="+")
    shared = models.ForeignKey("interviews.Asked", on_delete=models.PROTECT, null=True, related_name="+")
    shared_text = models.ForeignKey("interviews.Text", on_delete=models.PROTECT, null=True, related_name="+")

    # Whether the lead asked or changed something that the pinned trees don't have: then they are read with TreeEdit.
    has_own = models.BooleanField(default=False)

    class Meta:
        ordering = ["starts_at"]
        constraints = [
            one_of("status", InterviewStatus, table="interview"),
            one_of("shape", Shape, table="interview"),
            models.CheckConstraint(
                condition=~models.Q(status__in=["live", "paused", "ended"]) | models.Q(started_at__isnull=False),
                name="interview_started_when",
            ),
            models.CheckConstraint(
                condition=models.Q(status="ended", ended_at__isnull=False)
                | models.Q(ended_at__isnull=True) & ~models.Q(status="ended"),
                name="interview_ended_when",
            ),
        ]
        indexes = [models.Index(fields=["status", "starts_at"], name="interview_status")]

    def __str__(self) -> str:
        return f"interview {self.code}"


class PinnedTree(models.Model):
    """A published version that this interview uses, for ever."""

    interview = models.ForeignKey(Interview, on_delete=models.CASCADE, related_name="pinned")
    version = models.ForeignKey("questionbank.TreeVersion", on_delete=models.PROTECT, related_name="+")
    position = models.PositiveIntegerField(default=0)
    minutes = models.PositiveSmallIntegerField(default=10)

    class Meta:
        ordering = ["interview_id", "position"]
        constraints = [models.UniqueConstraint(fields=["interview", "version"], name="pinned_once")]

    def __str__(self) -> str:
        return f"{self.interview_id}: {self.version_id}"


class Seat(models.Model):
    """What everything in a room is done by. A person has at most one seat in an interview; the candidate's has none.

    `card_*` and `opened_at` are written down by scoring's services, in the transaction that makes them true.
    """

    code = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    interview = models.ForeignKey(Interview, on_delete=models.CASCADE, related_name="seats")
    person = models.ForeignKey("people.Person", on_delete=models.PROTECT, null=True, related_name="seats")
    role = enum_field(Role)
    added_at = models.DateTimeField(default=timezone.now)
    removed_at = models.DateTimeField(null=True)
    replaces = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="replaced_by")
    # The candidate waits in the lobby until the lead lets them in.
    admitted_at = models.DateTimeField(null=True)
    card_owed = models.BooleanField(default=False)
    card_submitted_at = models.DateTimeField(null=True)
    card_excused_at = models.DateTimeField(null=True)
    # Since when the author amends the submitted card: their marks are open again until the amendment is in.
    card_amending_at = models.DateTimeField(null=True)
    opened_at = models.DateTimeField(null=True)
    # The panel's seq at which the hand went up, NULL: it is down; and the name on the wire of the probe wished for.
    hand_seq = models.PositiveBigIntegerField(null=True)
    hand_probe = models.CharField(max_length=200, blank=True, default="")

    class Meta:
        ordering = ["id"]
        constraints = [
            one_of("role", Role, table="seat"),
            models.UniqueConstraint(
                fields=["interview", "person"], condition=models.Q(removed_at__isnull=True), name="seat_person_once"
            ),
            models.UniqueConstraint(
                fields=["interview"],
                condition=models.Q(role="lead", removed_at__isnull=True),
                name="seat_one_lead",
            ),
            models.UniqueConstraint(
                fields=["interview"],
                condition=models.Q(role="candidate", removed_at__isnull=True),
                name="seat_one_candidate",
            ),
            models.CheckConstraint(
                condition=models.Q(role="candidate", person__isnull=True)
                | ~models.Q(role="candidate") & models.Q(person__isnull=False),
                name="seat_candidate_has_no_person",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.pk}"


class PlannedSeat(models.Model):
    """Who asks which tree."""

    pinned = models.OneToOneField(PinnedTree, on_delete=models.CASCADE, related_name="planned")
    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="planned")

    def __str__(self) -> str:
        return f"{self.pinned_id}: {self.seat_id}"


class Attendance(models.Model):
    """One connection of one seat. Open rows whose `seen_at` is old ended with their process."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="attendance")
    started_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now)
    ended_at = models.DateTimeField(null=True)
    # The browser's own name for itself: a seat may be open on several, and each keeps its own marks. "": not said.
    device = models.CharField(max_length=64, blank=True)
    browser = models.CharField(max_length=40, blank=True, help_text='a name for it, as "Firefox, Android"')
    unsent = models.PositiveIntegerField(default=0, help_text="Marks the device last reported as not yet sent")

    class Meta:
        indexes = [models.Index(fields=["seat", "started_at"], name="attendance_seat")]

    def __str__(self) -> str:
        return f"{self.seat_id} from {self.started_at:%H:%M:%S}"


class CandidateLink(models.Model):
    """The secret address for the candidate's seat. Only its hash is kept; re-issuing revokes the one before."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="links")
    token_hash = models.CharField(max_length=64, unique=True)
    issued_at = models.DateTimeField(default=timezone.now)
    issued_by = models.ForeignKey("people.Person", on_delete=models.PROTECT, null=True, related_name="+")
    expires_at = models.DateTimeField()
    revoked_at = models.DateTimeField(null=True)
    # The browser that joined: another one with the same link must be let in by the lead, and closes this one.
    browser = models.UUIDField(null=True)
    joined_at = models.DateTimeField(null=True)
    pending_browser = models.UUIDField(null=True)
    pending_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["seat"], condition=models.Q(revoked_at__isnull=True), name="link_one_open_a_seat"
            )
        ]

    def __str__(self) -> str:
        return f"link {self.pk}"


class Consent(models.Model):
    """What the candidate accepted being recorded, when, and in which language it was shown."""

    seat = models.ForeignKey(Seat, on_delete=models.CASCADE, related_name="consents")
    notice = models.CharField(max_length=20, help_text="version of the notice")
    language = models.CharField(max_length=16)
    given_at = models.DateTimeField(default=timezone.now)
    # The lead who told them and heard them accept; null: they accepted themselves, at their link.
    heard_by = models.ForeignKey(Seat, on_delete=models.PROTECT, null=True, related_name="+")

    def __str__(self) -> str:
        return f"{self.seat_id} {self.notice}"
