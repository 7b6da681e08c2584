"""Plans: an ordered set of trees with minutes. A plan knows no position; positions point at plans."""

from __future__ import annotations

from django.db import models

from people.fields import enum_array
from questionbank.enums import Aim
from questionbank.models.tree import Tree, key_validator


class Plan(models.Model):
    key = models.SlugField(max_length=80, unique=True, validators=[key_validator])
    name = models.CharField(max_length=120)
    required_aims = enum_array(Aim, default=list, blank=True)
    # How long an interview by this plan is to last; None: nobody said. The trees' minutes should fit in.
    minutes = models.PositiveSmallIntegerField(null=True)
    # The lead keeps to the plan in the room; else it is a start that they may leave.
    locked = models.BooleanField(default=False)

    class Meta:
        ordering = ["name"]

    def __str__(self) -> str:
        return self.name


class PlanTree(models.Model):
    plan = models.ForeignKey(Plan, on_delete=models.CASCADE, related_name="entries")
    tree = models.ForeignKey(Tree, on_delete=models.PROTECT, related_name="+")
    position = models.PositiveIntegerField(default=0)
    minutes = models.PositiveSmallIntegerField(default=10)
    required = models.BooleanField(default=True)

    class Meta:
        ordering = ["plan_id", "position"]
        constraints = [models.UniqueConstraint(fields=["plan", "tree"], name="plan_tree_once")]

    def __str__(self) -> str:
        return f"{self.plan_id}: {self.tree_id}"
