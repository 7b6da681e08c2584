"""What a pinned tree version says. It is frozen, so each process reads it once and keeps it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar
from uuid import UUID

from questionbank.enums import Scoring
from questionbank.models import Anchor, Probe, Signal, TreeVersion

Texts = dict[str, str]


@dataclass(frozen=True, slots=True)
class ProbeSays:
    """A probe of a pinned version. `id` is its name on the wire, "<tree key>/<probe key>"; texts are by language.

    `own`: a question of the lead's own, which no version has (interviews.queries.own_trees); its `pk` is 0.
    """

    pk: int
    id: str
    parent: str
    level: int
    kind: str
    aims: tuple[str, ...]
    scored: bool
    minutes: int
    title: Texts
    prompt: Texts
    outcomes: tuple[str, ...]
    heard: Texts
    signals: dict[str, list[Texts]]
    anchors: list[tuple[str, int, Texts]]
    own: UUID | None = None

    @property
    def source(self) -> int | UUID:
        """What an asking of it points at: the bank's row, or the own question."""
        return self.own or self.pk


@dataclass(frozen=True, slots=True)
class TreeSays:
    """A pinned version: its rule, and its probes in the order a reader walks the tree (depth first).

    `top_level`: the deepest with a scored probe, as the boundary's rule has it. `deepest`: of all, trial probes too.
    """

    tree: int
    version: int
    key: str
    title: Texts
    misses_to_end: int
    retry_unclear: bool
    top_level: int
    deepest: int
    probes: tuple[ProbeSays, ...]


@lru_cache(maxsize=512)
def tree_says(version: int) -> TreeSays:
    """Read one published version, in four queries the first time and none after."""
    row = TreeVersion.objects.select_related("tree").get(pk=version)
    probes = list(Probe.objects.filter(version=row).order_by("position", "id"))
    signals: dict[int, dict[str, list[Texts]]] = {probe.pk: {} for probe in probes}
    for signal in Signal.objects.filter(probe__version=row).order_by("position", "id"):
        signals[signal.probe_id].setdefault(signal.kind, []).append(signal.text)
    anchors: dict[int, list[tuple[str, int, Texts]]] = {probe.pk: [] for probe in probes}
    for anchor in Anchor.objects.filter(probe__version=row).order_by("aim", "rating"):
        anchors[anchor.probe_id].append((anchor.aim, anchor.rating, anchor.text))
    keys = {probe.pk: f"{row.tree.key}/{probe.key}" for probe in probes}
    says = {
        probe.pk: ProbeSays(
            pk=probe.pk,
            id=keys[probe.pk],
            parent=keys[probe.parent_id] if probe.parent_id else "",
            level=probe.level,
            kind=probe.kind,
            aims=tuple(probe.aims),
            scored=probe.scoring == Scoring.SCORED,
            minutes=probe.minutes,
            title=probe.title,
            prompt=probe.prompt,
            outcomes=tuple(probe.on_outcomes),
            heard=probe.heard,
            signals=signals[probe.pk],
            anchors=anchors[probe.pk],
        )
        for probe in probes
    }
    return TreeSays(
        tree=row.tree_id,
        version=row.pk,
        key=row.tree.key,
        title=row.title,
        misses_to_end=row.misses_to_end,
        retry_unclear=row.retry_when_unclear,
        top_level=max((probe.level for probe in probes if probe.scoring == Scoring.SCORED), default=1),
        deepest=max((probe.level for probe in probes), default=1),
        probes=tuple(says[pk] for pk in _walk(probes)),
    )


def _walk(probes: list[Probe]) -> list[int]:
    below: dict[int | None, list[int]] = {}
    for probe in probes:
        below.setdefault(probe.parent_id, []).append(probe.pk)
    return depth_first(below, None)


Node = TypeVar("Node")


def depth_first(below: Mapping[Node | None, Sequence[Node]], root: Node | None) -> list[Node]:
    """Everything below a node, each before its follow-ups, siblings in their order."""
    order: list[Node] = []
    waiting = list(reversed(below.get(root, [])))
    while waiting:
        node = waiting.pop()
        order.append(node)
        waiting.extend(reversed(below.get(node, [])))
    return order
