"""Reads for the page of suggestions: what waits, what was decided, and what the bank says now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from uuid import UUID

from django.db.models import QuerySet

from questionbank.enums import SuggestionState, VersionState
from questionbank.models import Probe, Suggestion, TreeVersion
from questionbank.rules import UNPUBLISHED

LAST_DECIDED = 20


@dataclass(frozen=True, slots=True)
class SuggestionLine:
    """A suggestion with the version that curators work on, and its probe there; None where that is gone."""

    suggestion: Suggestion
    version: TreeVersion
    probe: Probe | None


def waiting() -> list[SuggestionLine]:
    """Return the suggestions that wait, tree by tree, in three queries."""
    rows = _released().filter(state=SuggestionState.OPEN)
    return _lines(rows.order_by("tree__topic__position", "tree__position", "tree__key", "probe_key", "pk"))


def decided() -> list[SuggestionLine]:
    """Return the latest decisions, the last one first, in three queries."""
    return _lines(_released().exclude(state=SuggestionState.OPEN).order_by("-decided_at", "pk")[:LAST_DECIDED])


def suggestion_line(code: UUID) -> SuggestionLine:
    """Return one suggestion. Raises Suggestion.DoesNotExist, also for one that isn't shown yet."""
    return _lines([_released().get(pk=code)])[0]


def _released() -> QuerySet[Suggestion]:
    return Suggestion.objects.filter(released=True).select_related("tree", "decided_by")


def _lines(suggestions: Iterable[Suggestion]) -> list[SuggestionLine]:
    rows = list(suggestions)
    versions = _worked_on(row.tree_id for row in rows)
    probes = {
        (probe.version_id, probe.key): probe
        for probe in Probe.objects.filter(
            version__in=[version.pk for version in versions.values()], key__in={row.probe_key for row in rows}
        )
    }
    return [
        SuggestionLine(row, versions[row.tree_id], probes.get((versions[row.tree_id].pk, row.probe_key)))
        for row in rows
    ]


def _worked_on(trees: Iterable[int]) -> Mapping[int, TreeVersion]:
    """Return, by tree, its open version, else the newest published, else the newest: what a suggestion goes into."""
    found: dict[int, TreeVersion] = {}
    versions = TreeVersion.objects.filter(tree__in=set(trees)).select_related("tree", "status").order_by("number")
    for version in sorted(versions, key=_rank):
        found[version.tree_id] = version
    return found


def _rank(version: TreeVersion) -> tuple[int, int]:
    state = VersionState(version.status.state)
    return (2 if state in UNPUBLISHED else int(state is VersionState.PUBLISHED), version.number)
