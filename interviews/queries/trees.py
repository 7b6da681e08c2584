"""Which trees an interview can pin: the newest published version of each, those of the plan first."""

from __future__ import annotations

from dataclasses import dataclass

from interviews.models import Application
from people.fields import words_in
from questionbank.enums import VersionState
from questionbank.models import PlanTree, TreeVersion


@dataclass(slots=True)
class TreeChoice:
    """A tree that can be asked. `planned`: it is in the position's plan and not one of its optional trees."""

    version: TreeVersion
    key: str
    title: str
    lang: str
    minutes: int
    planned: bool


def newest_published() -> list[TreeVersion]:
    """The newest published version of every tree, in the bank's order."""
    newest = (
        TreeVersion.objects.filter(status__state=VersionState.PUBLISHED)
        .order_by("tree_id", "-number")
        .distinct("tree_id")
        .values("pk")
    )
    return list(
        TreeVersion.objects.filter(pk__in=newest)
        .select_related("tree__topic")
        .order_by("tree__topic__position", "tree__position", "tree__key")
    )


def tree_choices(application: Application) -> list[TreeChoice]:
    """Every tree that can be pinned for this application: the plan's in their order, then the rest of the bank.

    Optional trees of the position are offered but not chosen, unless they are lifted for this application. A locked
    plan has no rest: its own trees are offered, and what was lifted.
    """
    position = application.position
    planned = PlanTree.objects.filter(plan=position.plan_id).select_related("plan").order_by("position")
    entries = {entry.tree_id: entry for entry in planned}
    locked = any(entry.plan.locked for entry in entries.values())
    optional = set(position.optional_trees.values_list("pk", flat=True))
    lifted = set(application.lifted_trees.values_list("pk", flat=True))
    versions = {version.tree_id: version for version in newest_published()}
    rest = [tree for tree in versions if tree not in entries and (tree in lifted or not locked)]
    ordered = [tree for tree in entries if tree in versions] + rest
    choices = []
    for tree in ordered:
        version, entry = versions[tree], entries.get(tree)
        title, lang = words_in(version.title)
        choices.append(
            TreeChoice(
                version=version,
                key=version.tree.key,
                title=title,
                lang=lang,
                minutes=entry.minutes if entry else version.minutes,
                planned=(entry is not None and tree not in optional) or tree in lifted,
            )
        )
    return choices
