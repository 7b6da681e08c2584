"""The probes of a position that can be voided, and those that are."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, OuterRef, Q, QuerySet

from interviews.models import Asked, PinnedTree, Position, Void
from people.fields import words_in
from people.models import Person
from questionbank.enums import VersionState
from questionbank.models import PlanTree, Probe, Tree

Words = tuple[str, str]
"""Text and the language it is in."""


@dataclass(frozen=True, slots=True)
class KnownProbe:
    tree: Tree
    key: str
    title: Words
    tree_title: Words
    level: int

    @property
    def name(self) -> str:
        """As forms and addresses name it."""
        return f"{self.tree.key}/{self.key}"


@dataclass(frozen=True, slots=True)
class Voided:
    probe: KnownProbe
    by: Person
    at: datetime
    reason: str


def known_probes(position: Position) -> list[KnownProbe]:
    """List the probes of the position, tree by tree: of the plan's trees and of those its interviews pinned.

    Not of those that were asked: what earlier interviewers asked is nothing that a manager who still has to judge
    somebody may read out of a form. A probe keeps the words of the newest version that has it.
    """
    found: dict[tuple[str, str], KnownProbe] = {}
    for row in _probes(position).select_related("version__tree").order_by("version__number"):
        tree = row.version.tree
        found[tree.key, row.key] = KnownProbe(
            tree, row.key, words_in(row.title), words_in(row.version.title), row.level
        )
    return sorted(found.values(), key=lambda probe: (probe.tree.key, probe.level, probe.key))


def is_known(position: Position, tree: Tree, key: str) -> bool:
    return _probes(position).filter(version__tree=tree, key=key).exists()


def _probes(position: Position) -> QuerySet[Probe]:
    pinned = PinnedTree.objects.filter(interview__application__position=position).values("version")
    planned = PlanTree.objects.filter(plan=position.plan_id).values("tree")
    return Probe.objects.filter(
        Q(version__in=pinned) | Q(version__tree__in=planned, version__status__state=VersionState.PUBLISHED)
    )


def voided_probes(position: Position, known: list[KnownProbe]) -> list[Voided]:
    """List what was voided, newest first, among the known ones (or by its key, once no version has it any more)."""
    names = {(probe.tree.pk, probe.key): probe for probe in known}
    rows = Void.objects.filter(position=position).select_related("tree", "by").order_by("-at", "-pk")
    return [
        Voided(
            names.get((row.tree_id, row.probe_key))
            or KnownProbe(row.tree, row.probe_key, (row.probe_key, ""), (row.tree.key, ""), 0),
            row.by,
            row.at,
            row.reason,
        )
        for row in rows
    ]


def not_voided() -> Q:
    """The condition on askings that their probe is not voided for the position."""
    void = Void.objects.filter(
        position=OuterRef("interview__application__position"),
        tree=OuterRef("probe__version__tree"),
        probe_key=OuterRef("probe__key"),
    )
    return ~Q(Exists(void))


def applications_asked(position: Position, tree: Tree, key: str) -> list[int]:
    """Return the applications of the position whose interviews asked the probe, in whatever version."""
    asked = Asked.objects.filter(interview__application__position=position, probe__version__tree=tree, probe__key=key)
    return sorted(set(asked.values_list("interview__application", flat=True)))
