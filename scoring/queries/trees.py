"""Trees as scoring reads them: by the newest version that the interviews in question pinned."""

from __future__ import annotations

from collections.abc import Iterable

from interviews.enums import Aim
from interviews.models import Application, PinnedTree
from questionbank.enums import Scoring
from questionbank.models import PlanTree, Probe, TreeVersion
from scoring.rules import ProbeIn, TreeIn


def pinned_versions(interviews: Iterable[int]) -> dict[int, TreeVersion]:
    """Return {tree: newest pinned version}, in the order of pinning; one query."""
    pinned = PinnedTree.objects.filter(interview__in=list(interviews)).select_related("version__tree")
    newest: dict[int, TreeVersion] = {}
    for row in pinned:
        known = newest.get(row.version.tree_id)
        if known is None or row.version.number > known.number:
            newest[row.version.tree_id] = row.version
    return newest


def probes_of(versions: Iterable[TreeVersion]) -> dict[int, list[Probe]]:
    """Return {tree: probes}, level by level; one query."""
    by_version = {version.pk: version.tree_id for version in versions}
    probes: dict[int, list[Probe]] = {tree: [] for tree in by_version.values()}
    for probe in Probe.objects.filter(version__in=by_version):
        probes[by_version[probe.version_id]].append(probe)
    return probes


def optional_trees(application: Application) -> set[int]:
    """Return the trees that may be *not expected* in this application: the position's, less those lifted for it."""
    optional = set(application.position.optional_trees.values_list("pk", flat=True))
    return optional - set(application.lifted_trees.values_list("pk", flat=True)) if optional else optional


def load_trees(application: Application, interviews: Iterable[int]) -> tuple[TreeIn, ...]:
    """Load the trees of the plan, then those pinned besides it. Without a plan the pinned ones are the plan.

    A tree of the plan that no interview pinned has no version to be read by: its `top_level` is 0.
    """
    versions = pinned_versions(interviews)
    probes = probes_of(versions.values())
    plan = list(PlanTree.objects.filter(plan=application.position.plan_id).select_related("tree"))
    optional = optional_trees(application)
    topics = {entry.tree_id: entry.tree.topic_id for entry in plan}
    topics |= {tree: version.tree.topic_id for tree, version in versions.items()}
    required = {entry.tree_id for entry in plan if entry.required} if plan else set(versions)
    return tuple(
        _tree(tree, topic, order, versions.get(tree), probes.get(tree, []), tree in optional, tree in required)
        for order, (tree, topic) in enumerate(topics.items())
    )


def _tree(
    tree: int, topic: int, order: int, version: TreeVersion | None, probes: list[Probe], optional: bool, required: bool
) -> TreeIn:
    scored = [probe.level for probe in probes if probe.scoring == Scoring.SCORED]
    return TreeIn(
        id=tree,
        topic=topic,
        order=order,
        top_level=max(scored, default=1 if version else 0),
        misses_to_end=version.misses_to_end if version else 2,
        retry_unclear=version.retry_when_unclear if version else True,
        optional=optional,
        required=required,
        probes=tuple(
            ProbeIn(
                key=probe.key,
                level=probe.level,
                aims=tuple(Aim(aim) for aim in probe.aims),
                minutes=probe.minutes,
                scored=probe.scoring == Scoring.SCORED,
            )
            for probe in probes
        ),
    )
