"""Reads of the bank. A tree comes whole: its probes, their signals and their anchors in one query each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from django.core.exceptions import PermissionDenied
from django.db.models import Count, Exists, F, Func, Max, OuterRef, Q, QuerySet, Sum, TextField

from people.models import Person
from questionbank.enums import Aim, BranchOutcome, ProbeKind, Purpose, Scoring, SignalKind, VersionState
from questionbank.models import Plan, PlanTree, Probe, Tree, TreeVersion
from questionbank.ordering import english_first
from questionbank.outline import (
    OutlineBranch,
    OutlineProbe,
    OutlineTopic,
    OutlineTree,
    Text,
    complete_languages,
    walk,
)
from questionbank.rules import OPEN_STATES, may_read, may_write


@dataclass(frozen=True, slots=True)
class WholeTree:
    """A version with all its probes in reading order; their `signals` and `anchors` are fetched."""

    version: TreeVersion
    probes: tuple[Probe, ...]
    outline: OutlineTree

    def probe(self, key: str) -> Probe | None:
        return next((probe for probe in self.probes if probe.key == key), None)


# --- versions


def _newest(versions: QuerySet[TreeVersion], **same: Collection[str]) -> QuerySet[TreeVersion]:
    newer = TreeVersion.objects.filter(tree=OuterRef("tree"), number__gt=OuterRef("number"), **same)
    return versions.filter(~Exists(newer), **same)


def _with_tree(versions: QuerySet[TreeVersion]) -> QuerySet[TreeVersion]:
    return versions.select_related("tree__topic", "tree__owner", "status").order_by(
        "tree__topic__position", "tree__topic__key", "tree__position", "tree__key"
    )


def published_trees() -> QuerySet[TreeVersion]:
    """Return the newest published version of every tree, by topic: what a position or an interview can choose from."""
    return _with_tree(_newest(TreeVersion.objects.all(), status__state__in=[VersionState.PUBLISHED.value]))


def bank_for(person: Person) -> QuerySet[TreeVersion]:
    """Return one version of each tree as the person may read it, or raise PermissionDenied.

    Curators and administrators get the newest of all, everyone else the newest published.
    """
    if not may_read(person.roles):
        raise PermissionDenied
    if may_write(person.roles):
        return newest_of_all()
    return published_trees()


def bank_in(person: Person, state: VersionState) -> QuerySet[TreeVersion]:
    """Return of each tree the newest version that stands there and that the person may read, or raise PermissionDenied.

    A draft beside it hides no published version from curators; others have the newest published and nothing else.
    """
    shown = bank_for(person)
    if may_write(person.roles):
        return _with_tree(_newest(TreeVersion.objects.all(), status__state__in=[state.value]))
    return shown.filter(status__state=state)


def version_for(person: Person, key: str, number: int | None = None) -> TreeVersion:
    """Return one version, without a number the one that `bank_for` shows.

    Raises PermissionDenied for people without the bank, TreeVersion.DoesNotExist for an unknown key or number, or for
    a draft that isn't theirs to read.
    """
    shown = bank_for(person)
    if number is None:
        return shown.get(tree__key=key)
    versions = TreeVersion.objects.filter(tree__key=key).select_related("tree__topic", "tree__owner", "status")
    if not may_write(person.roles):
        versions = versions.filter(status__state__in=[state.value for state in OPEN_STATES])
    return versions.get(number=number)


def versions_of(person: Person, tree: Tree) -> QuerySet[TreeVersion]:
    """Return the versions of a tree that the person may read, newest first."""
    versions = TreeVersion.objects.filter(tree=tree).select_related("status").order_by("-number")
    if may_write(person.roles):
        return versions
    return versions.filter(status__state__in=[state.value for state in OPEN_STATES])


def tree_version(key: str, number: int) -> WholeTree:
    """Return one version whole, whoever asks. Raises TreeVersion.DoesNotExist."""
    return whole(TreeVersion.objects.select_related("tree__topic", "status").get(tree__key=key, number=number))


def newest_of_all() -> QuerySet[TreeVersion]:
    return _with_tree(_newest(TreeVersion.objects.all()))


def numbered(number: int) -> QuerySet[TreeVersion]:
    """Return version `number` of every tree that has one."""
    return _with_tree(TreeVersion.objects.filter(number=number))


def newest_versions(
    keys: Iterable[str], states: Collection[VersionState] = tuple(VersionState)
) -> dict[str, TreeVersion]:
    """Return the newest version of each of these trees that stands in one of these states, by key."""
    wanted = [state.value for state in states]
    versions = _newest(TreeVersion.objects.filter(tree__key__in=list(keys)), status__state__in=wanted)
    return {version.tree.key: version for version in versions.select_related("tree__topic", "status")}


# --- whole trees


def whole(version: TreeVersion) -> WholeTree:
    return whole_trees([version])[0]


def whole_trees(versions: Iterable[TreeVersion]) -> list[WholeTree]:
    """Return versions whole, in their order, in three queries however many they are. Wants tree and topic selected."""
    versions = list(versions)
    by_version: dict[int, list[Probe]] = {version.pk: [] for version in versions}
    probes = Probe.objects.filter(version__in=versions).order_by("version_id", "position", "pk")
    for probe in probes.prefetch_related("signals", "anchors"):
        by_version[probe.version_id].append(probe)
    return [_whole(version, by_version[version.pk]) for version in versions]


def _whole(version: TreeVersion, probes: list[Probe]) -> WholeTree:
    by_key = {probe.key: probe for probe in probes}
    signals: dict[int, dict[SignalKind, list[Text]]] = {}
    anchors: dict[int, dict[Aim, dict[int, Text]]] = {}
    for probe in probes:
        probe.version = version
        for signal in probe.signals.all():
            signals.setdefault(probe.pk, {}).setdefault(SignalKind(signal.kind), []).append(signal.text)
        for anchor in probe.anchors.all():
            anchors.setdefault(probe.pk, {}).setdefault(Aim(anchor.aim), {})[anchor.rating] = anchor.text
    outline = outline_of(version, probes, signals, anchors)
    ordered = tuple(by_key[placed.probe.key] for placed in walk(outline))
    return WholeTree(version, ordered, replace(outline, languages=complete_languages(outline)))


def outline_of(
    version: TreeVersion,
    probes: Collection[Probe],
    signals: Mapping[int, Mapping[SignalKind, Sequence[Text]]],
    anchors: Mapping[int, Mapping[Aim, Mapping[int, Text]]],
) -> OutlineTree:
    """Return a version's outline from its rows; signals and anchors by the probe's pk. `languages` stay empty."""
    keys = {probe.pk: probe.key for probe in probes}
    return OutlineTree(
        key=version.tree.key,
        title=version.title,
        topic=OutlineTopic(version.tree.topic.key, version.tree.topic.title),
        languages=(),
        minutes=version.minutes,
        purpose=Purpose(version.purpose),
        misses=version.misses_to_end,
        second_try=version.retry_when_unclear,
        probes=tuple(
            _outline_probe(probe, keys, signals.get(probe.pk, {}), anchors.get(probe.pk, {})) for probe in probes
        ),
    )


def _outline_probe(
    probe: Probe,
    keys: Mapping[int, str],
    signals: Mapping[SignalKind, Sequence[Text]],
    anchors: Mapping[Aim, Mapping[int, Text]],
) -> OutlineProbe:
    branch = None
    if probe.parent_id is not None:
        outcomes = tuple(outcome for outcome in BranchOutcome if outcome.value in probe.on_outcomes)
        branch = OutlineBranch(keys[probe.parent_id], outcomes, probe.heard)
    return OutlineProbe(
        key=probe.key,
        title=probe.title,
        prompt=probe.prompt,
        kind=ProbeKind(probe.kind),
        aims=tuple(aim for aim in Aim if aim.value in probe.aims),
        minutes=probe.minutes,
        branch=branch,
        same_level=probe.same_level,
        scored=probe.scoring == Scoring.SCORED,
        signals={kind: tuple(signals[kind]) for kind in SignalKind if kind in signals},
        anchors={aim: anchors[aim] for aim in Aim if aim in anchors},
    )


# --- what the list shows


@dataclass(frozen=True, slots=True)
class TreeSummary:
    """Counts over one version: probes, deepest level, probes per aim, languages that all prompts have."""

    version: TreeVersion
    probes: int
    levels: int
    aims: Mapping[Aim, int]
    languages: tuple[str, ...]


def summaries(versions: QuerySet[TreeVersion]) -> list[TreeSummary]:
    """Return a summary of each version, in two queries."""
    per_aim = {f"n_{aim}": Count("probes", filter=Q(probes__aims__contains=[aim.value])) for aim in Aim}
    counted = versions.annotate(n_probes=Count("probes"), n_levels=Max("probes__level"), **per_aim)
    rows = list(counted)
    tags = (
        Probe.objects.filter(version__in=[version.pk for version in rows])
        .order_by()
        .annotate(tag=Func(F("prompt"), function="jsonb_object_keys", output_field=TextField()))
        .values_list("version_id", "tag")
        .annotate(n=Count("pk"))
    )
    prompts: dict[int, dict[str, int]] = {}
    for version_id, tag, count in tags:
        prompts.setdefault(version_id, {})[tag] = count
    return [_summary(version, prompts.get(version.pk, {})) for version in rows]


def _summary(version: TreeVersion, prompts: Mapping[str, int]) -> TreeSummary:
    number = getattr(version, "n_probes", 0)
    complete = [tag for tag, count in prompts.items() if count == number and tag in version.title]
    return TreeSummary(
        version=version,
        probes=number,
        levels=getattr(version, "n_levels", None) or 0,
        aims={aim: getattr(version, f"n_{aim}", 0) for aim in Aim},
        languages=tuple(sorted(complete, key=english_first)),
    )


# --- plans


def plans() -> QuerySet[Plan]:
    """Return every plan with `n_trees` and `total_minutes`, its entries and their trees fetched, in order."""
    return (
        Plan.objects.annotate(n_trees=Count("entries"), total_minutes=Sum("entries__minutes"))
        .prefetch_related("entries__tree")
        .order_by("name", "key")
    )


def plan_trees(plan: Plan) -> list[tuple[PlanTree, TreeVersion | None]]:
    """Return a plan's entries in order, each with the newest published version of its tree, None while it has none."""
    entries = list(plan.entries.select_related("tree").order_by("position"))
    published = published_trees().filter(tree__in=[entry.tree_id for entry in entries])
    by_tree = {version.tree_id: version for version in published}
    return [(entry, by_tree.get(entry.tree_id)) for entry in entries]
