"""Puts a tree where it is drawn: levels are columns, a follow-up stands right of its parent or, on its level, below.

The page nests lists and lets the style sheet lay them out, so there are no coordinates here: only which follow-ups go
on to the next level (`onward`), which stay and end there (`beside`: they fit under the card), and which stay and go on
from there themselves (`below`: they need rows of their own).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from questionbank.enums import Aim, BranchOutcome, ProbeKind, Scoring, SignalKind
from questionbank.models import Probe
from questionbank.wording import AIMS, KINDS, OUTCOMES, one_of

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(slots=True)
class DrawnProbe:
    probe: Probe
    onward: list[DrawnProbe] = field(default_factory=list)
    beside: list[DrawnProbe] = field(default_factory=list)
    below: list[DrawnProbe] = field(default_factory=list)

    @property
    def kind(self) -> _StrPromise:
        return KINDS[ProbeKind(self.probe.kind)]

    @property
    def aims(self) -> list[_StrPromise]:
        return [AIMS[aim] for aim in Aim if aim.value in self.probe.aims]

    @property
    def signals(self) -> dict[SignalKind, list[dict[str, str]]]:
        """The texts of each kind that has some, in the order of the kinds."""
        texts: dict[str, list[dict[str, str]]] = {}
        for signal in self.probe.signals.all():
            texts.setdefault(signal.kind, []).append(signal.text)
        return {kind: texts[kind] for kind in SignalKind if kind in texts}

    @property
    def anchors(self) -> dict[Aim, list[tuple[int, dict[str, str]]]]:
        """Rating and text for each aim that has some, in the order of the aims."""
        texts: dict[str, list[tuple[int, dict[str, str]]]] = {}
        for anchor in self.probe.anchors.all():
            texts.setdefault(anchor.aim, []).append((anchor.rating, anchor.text))
        return {aim: texts[aim] for aim in Aim if aim in texts}

    @property
    def trial(self) -> bool:
        return Scoring(self.probe.scoring) is Scoring.TRIAL

    @property
    def outcomes(self) -> list[BranchOutcome]:
        return [outcome for outcome in BranchOutcome if outcome.value in self.probe.on_outcomes]

    @property
    def condition(self) -> str:
        """The outcomes on which this follow-up is asked, as "a or b"; "" means any."""
        return one_of(OUTCOMES[outcome] for outcome in self.outcomes)


def draw(probes: Sequence[Probe]) -> DrawnProbe | None:
    """Nest the probes of one version, given in reading order (parents first). None for a version without probes."""
    nodes = {probe.pk: DrawnProbe(probe) for probe in probes}
    root = None
    # From the last to the first: a node's own follow-ups are then complete when it is hung below its parent.
    for probe in reversed(probes):
        node = nodes[probe.pk]
        parent = nodes.get(probe.parent_id or 0)
        if parent is None:
            root = node
        elif probe.level > parent.probe.level:
            parent.onward.insert(0, node)
        elif node.onward or node.below:
            parent.below.insert(0, node)
        else:
            parent.beside.insert(0, node)
    return root
