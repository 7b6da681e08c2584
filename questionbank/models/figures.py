"""What is known of a probe from the interviews it was asked in: written down here by scoring, never computed here."""

from __future__ import annotations

from django.db import models


class ProbeFigures(models.Model):
    """Figures of one probe as it was worded. A row exists once five closed applications had it, and then moves only by
    five or more at a time, so that nobody's answer can be read from a difference.

    Keyed by tree, probe key and content hash: what is known follows the wording, not the number of the version.
    """

    tree = models.ForeignKey("questionbank.Tree", on_delete=models.CASCADE, related_name="figures")
    probe_key = models.SlugField(max_length=80)
    content_hash = models.CharField(max_length=64)
    asked = models.PositiveIntegerField(default=0, help_text="applications in which it was asked")
    stopped = models.PositiveIntegerField(default=0, help_text="of these, how many had no further probe of its tree")
    minutes = models.PositiveSmallIntegerField(null=True, help_text="mean time to the next probe, whole minutes")
    outcomes = models.JSONField(default=dict, help_text="outcome -> interviewers' marks")
    aids = models.JSONField(default=dict, help_text="aid -> interviewers' marks")
    last_used_on = models.DateField(null=True, help_text="the first day of the month in which it was last asked")
    counted_on = models.DateField(null=True, help_text="the day of the snapshot that these figures are from")
    # The calibration writes these; empty until it does. `leak` is {"own": points, "error": points, "follow_ups":
    # points}, written with the figures; whether it is an alarm is questionbank.health's to say.
    difficulty = models.JSONField(default=dict, help_text="aim -> [logits, standard error]")
    agreement = models.JSONField(default=dict, help_text="aim -> Krippendorff's alpha")
    leak = models.JSONField(default=dict, help_text="rise of its sustained rate, and of its follow-ups', in points")
    moved = models.BooleanField(default=True, help_text="since the calibration last wrote beside these figures")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["tree", "probe_key", "content_hash"], name="figures_once"),
        ]

    def __str__(self) -> str:
        return f"{self.probe_key}: {self.asked}"
