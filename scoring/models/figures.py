"""Which applications stand behind the bank's figures."""

from __future__ import annotations

from django.db import models


class CountedApplication(models.Model):
    """A closed application that the figures of one probe, as it was worded, include from some snapshot on."""

    application = models.ForeignKey("interviews.Application", on_delete=models.CASCADE, related_name="+")
    tree = models.ForeignKey("questionbank.Tree", on_delete=models.CASCADE, related_name="+")
    probe_key = models.SlugField(max_length=80)
    content_hash = models.CharField(max_length=64)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["tree", "probe_key", "content_hash", "application"], name="counted_application_once"
            )
        ]

    def __str__(self) -> str:
        return f"{self.probe_key}: application {self.application_id}"


class CountedForPerson(models.Model):
    """A closed application that an interviewer's own figures include from some snapshot on."""

    application = models.ForeignKey("interviews.Application", on_delete=models.CASCADE, related_name="+")
    person = models.ForeignKey("people.Person", on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "application"], name="counted_for_person_once"),
        ]

    def __str__(self) -> str:
        return f"person {self.person_id}: application {self.application_id}"


class InterviewerFigures(models.Model):
    """What closed applications say about one interviewer, as of some night. `content`: scoring.rules.interviewer."""

    person = models.OneToOneField("people.Person", on_delete=models.CASCADE, primary_key=True, related_name="+")
    applications = models.PositiveIntegerField()
    content = models.JSONField()
    counted_on = models.DateField()

    def __str__(self) -> str:
        return f"figures of person {self.person_id}"
