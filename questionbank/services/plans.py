"""Plans: which trees, in which order, for how long. A plan knows no position; positions point at plans."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import ProtectedError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from people import audit
from people.jobs import enqueue
from people.models import Person
from people.refusal import Refused
from questionbank.enums import Aim
from questionbank.limits import NO_PLAN_KEYS
from questionbank.models import Plan, PlanTree, Tree
from questionbank.outline import OutlinePlan, OutlinePlanTree
from questionbank.plan_reading import fingerprint
from questionbank.services.drafting import with_free_key


class UnknownTrees(Exception):
    """A plan names trees that the bank doesn't have; holds their keys."""

    def __init__(self, keys: Sequence[str]) -> None:
        super().__init__(", ".join(keys))
        self.keys = tuple(keys)


class PlanChanged(Refused):
    """Somebody else changed the plan since the page was drawn."""


class PlanInUse(Refused):
    """Positions point at the plan."""


@dataclass(frozen=True, slots=True)
class PlanTerms:
    """What a curator says of a plan. `minutes` is how long an interview by it lasts, None where nobody says."""

    name: str
    minutes: int | None
    locked: bool
    required_aims: Sequence[Aim]
    trees: Sequence[OutlinePlanTree]


@transaction.atomic
def make_plan(*, by: Person, terms: PlanTerms) -> Plan:
    """Make a plan; its key comes from its name. Raises UnknownTrees."""
    plan = with_free_key(
        {"en": terms.name},
        "plan",
        lambda key: Plan.objects.create(key=key, name=terms.name),
        reserved=NO_PLAN_KEYS,
    )
    return _write_terms(plan, terms, by=by)


@transaction.atomic
def change_plan(plan: Plan, *, by: Person, terms: PlanTerms, seen: str) -> Plan:
    """Change a plan. New interviews start from it; those that are made keep what they pinned.

    `seen` is the fingerprint of what the page showed. Raises PlanChanged, UnknownTrees.
    """
    found = Plan.objects.select_for_update(no_key=True).filter(pk=plan.pk).first()
    if found is None or fingerprint(found) != seen:
        raise PlanChanged(_("Somebody else changed this plan meanwhile. Open it again beside this page and compare."))
    return _write_terms(found, terms, by=by)


def _write_terms(plan: Plan, terms: PlanTerms, *, by: Person) -> Plan:
    plan.minutes, plan.locked = terms.minutes, terms.locked
    _write(plan, OutlinePlan(plan.key, terms.name, tuple(terms.required_aims), tuple(terms.trees)), by=by)
    return plan


@transaction.atomic
def delete_plan(plan: Plan, *, by: Person, seen: str) -> None:
    """Delete a plan that no position points at. `seen` is the fingerprint of what the page showed.

    Raises PlanChanged, PlanInUse.
    """
    found = Plan.objects.select_for_update().filter(pk=plan.pk).first()
    if found is None or fingerprint(found) != seen:
        raise PlanChanged(_("Somebody else changed this plan since you opened it. Look at it again first."))
    audit.record(by, "plan.deleted", plan)
    try:
        with transaction.atomic():
            plan.delete()
    except ProtectedError as error:
        n = len(error.protected_objects)
        words = ngettext(
            "%(n)d position points at this plan. Give it another plan first.",
            "%(n)d positions point at this plan. Give them another plan first.",
            n,
        )
        raise PlanInUse(words % {"n": n}) from None


def create_plan(
    *,
    key: str,
    name: str,
    trees: Sequence[tuple[str, int]],
    required_aims: Sequence[Aim] = tuple(Aim),
    by: Person | None = None,
) -> Plan:
    """Create a plan of (tree key, minutes) in this order, or bring the one with this key to it. Raises UnknownTrees."""
    entries = tuple(OutlinePlanTree(tree, minutes) for tree, minutes in trees)
    set_plan(OutlinePlan(key, name, tuple(required_aims), entries), by=by)
    return Plan.objects.get(key=key)


@transaction.atomic
def set_plan(new: OutlinePlan, *, by: Person | None = None, dry_run: bool = False) -> str:
    """Bring the plan with this key to what is given; return added, changed or left. Raises UnknownTrees."""
    plan = Plan.objects.filter(key=new.key).first()
    if plan and as_outline(plan) == new:
        return "left"
    if not dry_run:
        _write(plan or Plan(key=new.key), new, by=by)
    return "changed" if plan else "added"


def as_outline(plan: Plan) -> OutlinePlan:
    entries = plan.entries.select_related("tree").order_by("position")
    return OutlinePlan(
        key=plan.key,
        name=plan.name,
        required_aims=tuple(aim for aim in Aim if aim.value in plan.required_aims),
        trees=tuple(OutlinePlanTree(entry.tree.key, entry.minutes, entry.required) for entry in entries),
    )


def _write(plan: Plan, new: OutlinePlan, *, by: Person | None) -> None:
    trees = Tree.objects.in_bulk([entry.tree for entry in new.trees], field_name="key")
    if missing := [entry.tree for entry in new.trees if entry.tree not in trees]:
        raise UnknownTrees(missing)
    plan.name = new.name
    plan.required_aims = [aim.value for aim in new.required_aims]
    plan.save()
    # Nothing points at an entry (positions point at the plan, interviews pin versions), so they are written anew.
    plan.entries.all().delete()
    PlanTree.objects.bulk_create(
        PlanTree(plan=plan, tree=trees[entry.tree], position=place, minutes=entry.minutes, required=entry.required)
        for place, entry in enumerate(new.trees)
    )
    # What is compiled of the positions that point here reads it; which those are, the bank does not know.
    enqueue("scoring.compile_after_plan", key=f"plan:{plan.pk}", delay=1, plan=plan.pk)
    audit.record(by, "plan.set", plan, trees=len(new.trees))
