"""What is looked through when somebody searches the bank, or asks whether a question is asked already.

A side table of the probes: versions are frozen, and nobody who reads a probe should carry its index along. Triggers
keep it (migration 0010): whoever writes a probe, its signals or its tree's title, and by whatever way, is found.
"""

from __future__ import annotations

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import F, Func, Q

from questionbank.models.probe import Probe


class ProbeText(models.Model):
    """The words of one probe in one language, folded (NFKC, lower case). Written by triggers only.

    `prompt` is the question alone, "" where the language has none: near-duplicates are told by it. `words` adds the
    title and the signals, and at a root the title of the tree. `grams` are the single Han letters and the pairs with
    one in them, and the first and the first two letters of each word of other scripts: what trigrams can't find.
    `compared_at` is empty until the prompt, as it stands, was compared with the rest of the bank.
    """

    # The triggers remove these rows with their probe; Django needs no query to know of them.
    probe = models.ForeignKey(Probe, on_delete=models.DO_NOTHING, related_name="texts")
    language = models.CharField(max_length=40)
    prompt = models.TextField()
    words = models.TextField()
    grams = models.GeneratedField(
        expression=Func(F("words"), function="questionbank_grams"),
        output_field=ArrayField(models.TextField()),
        db_persist=True,
    )
    compared_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["probe", "language"], name="probetext_once")]
        # A short list of what is still to be indexed: each answer looks through it, and without one each write is five
        # times as slow. In kilobytes.
        indexes = [
            GinIndex(fields=["grams"], gin_pending_list_limit=256, name="probetext_grams"),
            GinIndex(fields=["words"], opclasses=["gin_trgm_ops"], gin_pending_list_limit=256, name="probetext_words"),
            GinIndex(
                fields=["prompt"], opclasses=["gin_trgm_ops"], gin_pending_list_limit=256, name="probetext_prompt"
            ),
            models.Index(fields=["language"], name="probetext_language"),
            models.Index(fields=["id"], condition=Q(compared_at__isnull=True), name="probetext_not_compared"),
        ]

    def __str__(self) -> str:
        return f"{self.probe_id} {self.language}"
