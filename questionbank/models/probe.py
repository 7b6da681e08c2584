"""Probes: one node of a tree version each, with the branch that leads to it, its signals and its anchors."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models

from people.fields import LanguageMap, enum_array, enum_field, one_of, words_in
from questionbank.enums import Aim, ProbeKind, Scoring, SignalKind
from questionbank.models.tree import TreeVersion, key_validator


class Probe(models.Model):
    """A node. Each follow-up has one parent, so the branch that leads here is part of the node itself.

    `level` is derived from the kinds above it (questionbank.outline) and stored, because everything reads it.
    `on_outcomes` empty = on any outcome. `heard` are the words of the branch condition, {} = none.
    """

    version = models.ForeignKey(TreeVersion, on_delete=models.CASCADE, related_name="probes")
    key = models.SlugField(max_length=80, validators=[key_validator])
    parent = models.ForeignKey("self", on_delete=models.CASCADE, null=True, related_name="follow_ups")
    position = models.PositiveIntegerField(default=0)
    level = models.PositiveSmallIntegerField(validators=[MinValueValidator(1)])
    kind = enum_field(ProbeKind, default=ProbeKind.PROBE)
    same_level = models.BooleanField(default=False)
    aims = enum_array(Aim)
    title = LanguageMap(help_text="A few words for lists and the rail")
    prompt = LanguageMap()
    on_outcomes = models.JSONField(default=list, blank=True)
    heard = LanguageMap(default=dict, blank=True, validators=[])
    minutes = models.PositiveSmallIntegerField(default=3)
    scoring = enum_field(Scoring, default=Scoring.SCORED)
    content_hash = models.CharField(max_length=64)

    class Meta:
        ordering = ["version_id", "level", "position"]
        constraints = [
            models.UniqueConstraint(fields=["version", "key"], name="probe_key_once"),
            models.UniqueConstraint(fields=["version"], condition=models.Q(parent__isnull=True), name="probe_one_root"),
            models.CheckConstraint(condition=models.Q(aims__len__gte=1), name="probe_has_an_aim"),
            models.CheckConstraint(
                condition=models.Q(parent__isnull=False) | models.Q(level=1), name="probe_root_is_level_1"
            ),
            one_of("kind", ProbeKind, table="probe"),
            one_of("scoring", Scoring, table="probe"),
        ]

    def __str__(self) -> str:
        return words_in(self.title)[0] or self.key


class Signal(models.Model):
    """What a strong, a recited or a weak answer contains."""

    probe = models.ForeignKey(Probe, on_delete=models.CASCADE, related_name="signals")
    kind = enum_field(SignalKind)
    position = models.PositiveIntegerField(default=0)
    text = LanguageMap()

    class Meta:
        ordering = ["probe_id", "kind", "position"]
        constraints = [one_of("kind", SignalKind, table="signal")]

    def __str__(self) -> str:
        return words_in(self.text)[0]


class Anchor(models.Model):
    """The behaviour that earns one rating of one aim."""

    probe = models.ForeignKey(Probe, on_delete=models.CASCADE, related_name="anchors")
    aim = enum_field(Aim)
    rating = models.PositiveSmallIntegerField(validators=[MaxValueValidator(4)])
    text = LanguageMap()

    class Meta:
        ordering = ["probe_id", "aim", "rating"]
        constraints = [
            models.UniqueConstraint(fields=["probe", "aim", "rating"], name="anchor_once"),
            models.CheckConstraint(condition=models.Q(rating__lte=4), name="anchor_rating_0_to_4"),
            one_of("aim", Aim, table="anchor"),
        ]

    def __str__(self) -> str:
        return f"{self.aim} {self.rating}: {words_in(self.text)[0]}"
