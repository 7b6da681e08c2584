"""Plans: which trees, in which order, for how long. A plan knows no position; positions point at plans."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from people import audit
from people.models import Person
from questionbank.enums import Aim
from questionbank.models import Plan, PlanTree, Tree
from questionbank.outline import OutlinePlan, OutlinePlanTree


class UnknownTrees(Exception):
    """A plan names trees that the bank doesn't have; holds their keys."""

    def __init__(self, keys: Sequence[str]) -> None:
        super().__init__(", ".join(keys))
        self.keys = tuple(keys)


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
    audit.record(by, "plan.set", plan, trees=len(new.trees))
