"""What was asked, shared by the panel; and how it was answered, each person's own and sealed.

Every judgement table has `objects` (LiveManager, a SealedManager), whose one public read is `visible_to(viewer)`.
"""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from django.core.validators import MaxValueValidator
from django.db import models
from django.utils import timezone

from interviews.enums import Aid, Confidence, Ended, EvidenceType, Outcome, ProbeKind, ReasonType, StatementAid
from interviews.sealed import LiveManager
from people.fields import enum_array, enum_field, one_of
from questionbank.enums import Aim


class AdHocProbe(models.Model):
    """A question of the lead's own: kind and aims from the lead, level from what it follows. Id: its command's.

    `parent` is the bank's probe above it, for its tree; `under` another own question, where it follows one directly.
    `planned`: added to the tree to be asked later; else it was asked at once.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    interview = models.ForeignKey("interviews.Interview", on_delete=models.CASCADE, related_name="adhoc_probes")
    parent = models.ForeignKey("questionbank.Probe", on_delete=models.PROTECT, related_name="+")
    under = models.ForeignKey("self", on_delete=models.PROTECT, null=True, related_name="+")
    kind = enum_field(ProbeKind)
    aims = enum_array(Aim)
    level = models.PositiveSmallIntegerField()
    text = models.ForeignKey("interviews.Text", on_delete=models.PROTECT, related_name="+")
    language = models.CharField(max_length=16, blank=True, help_text="the tag of the language it is asked in")
    planned = models.BooleanField(default=False)

    def __str__(self) -> str:
        return f"own question {self.pk}"


class Asked(models.Model):
    """One asking of a probe. The id is the id of the command that asked; asking again makes another row."""

    id = models.UUIDField(primary_key=True)
    interview = models.ForeignKey("interviews.Interview", on_delete=models.CASCADE, related_name="asked")
    probe = models.ForeignKey("questionbank.Probe", on_delete=models.PROTECT, null=True, related_name="+")
    adhoc = models.ForeignKey(AdHocProbe, on_delete=models.PROTECT, null=True, related_name="asked")
    by = models.ForeignKey("interviews.Seat", on_delete=models.PROTECT, related_name="asked")
    seq = models.PositiveBigIntegerField(help_text="the panel stream's: the asked order")
    made_at = models.DateTimeField()
    late = models.BooleanField(default=False)
    retracted_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["interview_id", "seq"]
        constraints = [
            models.UniqueConstraint(fields=["interview", "seq"], name="asked_seq_once"),
            models.CheckConstraint(
                condition=models.Q(probe__isnull=False, adhoc__isnull=True)
                | models.Q(probe__isnull=True, adhoc__isnull=False),
                name="asked_probe_or_adhoc",
            ),
        ]

    def __str__(self) -> str:
        return f"asked {self.id}"

    @property
    def source(self) -> int | uuid.UUID:
        """What was asked, as ProbeSays.source has it: the bank's row, or the own question."""
        return self.adhoc_id or self.probe_id or 0


class Judgement(models.Model):
    """What every judgement has: its author's seat and the count of its accepted writes (0 = never written)."""

    seat = models.ForeignKey("interviews.Seat", on_delete=models.PROTECT, related_name="+")
    version = models.PositiveIntegerField(default=0)
    made_at = models.DateTimeField()
    written_at = models.DateTimeField(default=timezone.now)

    objects: ClassVar[LiveManager[Any]] = LiveManager()

    class Meta:
        abstract = True


def rating() -> models.PositiveSmallIntegerField[int | None, int | None]:
    return models.PositiveSmallIntegerField(null=True, validators=[MaxValueValidator(4)])


class Mark(Judgement):
    """How one person heard one answer. NULL = not said: never a zero."""

    asked = models.ForeignKey(Asked, on_delete=models.PROTECT, related_name="+")
    outcome = enum_field(Outcome, null=True)
    aid = enum_field(Aid, null=True)
    depth = rating()
    why = rating()
    hands_on = rating()
    confidence = enum_field(Confidence, null=True)
    # When an outcome was last said (`made_at` of that command), whatever else was changed later.
    judged_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["seat", "asked"], name="mark_once"),
            one_of("outcome", Outcome, table="mark", null=True),
            one_of("aid", Aid, table="mark", null=True),
            one_of("confidence", Confidence, table="mark", null=True),
            *(
                models.CheckConstraint(
                    condition=models.Q(**{f"{aim}__isnull": True}) | models.Q(**{f"{aim}__lte": 4}),
                    name=f"mark_{aim}_0_to_4",
                )
                for aim in ("depth", "why", "hands_on")
            ),
        ]

    def __str__(self) -> str:
        return f"mark {self.pk}"


class Boundary(Judgement):
    """What a person says about where a tree ended; floor and ceiling are derived (interviews.rules), never stored."""

    tree = models.ForeignKey("questionbank.Tree", on_delete=models.PROTECT, related_name="+")
    asked = models.ForeignKey(Asked, on_delete=models.PROTECT, null=True, related_name="+")
    ended = enum_field(Ended, null=True)
    override_floor = models.PositiveSmallIntegerField(null=True)
    override_ceiling = models.PositiveSmallIntegerField(null=True)
    override_reason = models.ForeignKey("interviews.Text", on_delete=models.PROTECT, null=True, related_name="+")
    # The panel's head when the ending was said: an ask of this tree beyond it reopens the ending.
    said_at_seq = models.PositiveBigIntegerField(default=0)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["seat", "tree"], name="boundary_once"),
            one_of("ended", Ended, table="boundary", null=True),
        ]

    def __str__(self) -> str:
        return f"boundary {self.pk}"


class Statement(Judgement):
    """Evidence or a reason that a person heard: typed, with its detail in words."""

    id = models.UUIDField(primary_key=True)
    asked = models.ForeignKey(Asked, on_delete=models.PROTECT, related_name="+")
    aid = enum_field(StatementAid)
    text = models.ForeignKey("interviews.Text", on_delete=models.PROTECT, related_name="+")
    removed_at = models.DateTimeField(null=True)

    class Meta:
        abstract = True


class Evidence(Statement):
    type = enum_field(EvidenceType)

    class Meta:
        constraints = [
            one_of("type", EvidenceType, table="evidence"),
            one_of("aid", StatementAid, table="evidence"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.pk}"


class Reason(Statement):
    type = enum_field(ReasonType)

    class Meta:
        constraints = [
            one_of("type", ReasonType, table="reason"),
            one_of("aid", StatementAid, table="reason"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.pk}"


class Note(Judgement):
    """Free notes, one text per asked probe, and one for the whole interview (asked NULL)."""

    interview = models.ForeignKey("interviews.Interview", on_delete=models.PROTECT, related_name="+")
    asked = models.ForeignKey(Asked, on_delete=models.PROTECT, null=True, related_name="+")
    text = models.ForeignKey("interviews.Text", on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["seat", "asked"], nulls_distinct=False, name="note_once"),
        ]

    def __str__(self) -> str:
        return f"note {self.pk}"


class Void(models.Model):
    """Takes a probe's marks out of values, boundary and model for a position, afterwards, for everyone."""

    position = models.ForeignKey("interviews.Position", on_delete=models.PROTECT, related_name="voids")
    tree = models.ForeignKey("questionbank.Tree", on_delete=models.PROTECT, related_name="+")
    probe_key = models.SlugField(max_length=80)
    by = models.ForeignKey("people.Person", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    reason = models.TextField(max_length=2000)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["position", "tree", "probe_key"], name="void_once")]

    def __str__(self) -> str:
        return self.probe_key


class Reveal(models.Model):
    """The ledger: who first saw whose judgements, when, and under which rule. Append-only.

    It names the panel's chat too: whose lines a person could read first when. That is no judgement seen.
    """

    application = models.ForeignKey("interviews.Application", on_delete=models.PROTECT, related_name="reveals")
    viewer = models.ForeignKey("people.Person", on_delete=models.PROTECT, related_name="+")
    seat = models.ForeignKey("interviews.Seat", on_delete=models.PROTECT, null=True, related_name="+")
    what = models.CharField(max_length=24, help_text="card, panel, timeline, votes or chat")
    rule = models.CharField(max_length=24, help_text="after_own, all_in, opened, or seat (chat)")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["application", "viewer", "seat", "what"], nulls_distinct=False, name="reveal_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.viewer_id} saw {self.what}"


class Unsealed(models.Model):
    """Since when a person could first read another's judgements of an application, looked or not. Append-only.

    The seal closes again: with a further interview, a late mark. What is judged from this moment on is not independent.
    """

    application = models.ForeignKey("interviews.Application", on_delete=models.PROTECT, related_name="+")
    person = models.ForeignKey("people.Person", on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["application", "person"], name="unsealed_once")]

    def __str__(self) -> str:
        return f"{self.person_id} from {self.at:%Y-%m-%d %H:%M:%S}"
