"""Whom to seat beside whom, and which tree to share, by the calibration in use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from scoring.queries.runs import newest_run_id, read_run
from scoring.stats.pairing import Gain, Pairing, Prospect

OF_A_TREE, TREES = 3, 2
"""An interview to come is taken to ask so many probes of so many trees."""


@dataclass(frozen=True, slots=True)
class Advice:
    """`anchor`: a tree's id and what sharing it would tell. Both are None where nothing stands out."""

    pairing: Pairing | None
    anchor: tuple[int, Gain] | None


def pairing_advice(seated: Sequence[int], free: Sequence[int], trees: Collection[int]) -> Advice | None:
    """Return what would tell most of how strict interviewers are; None before there is a calibration. At most two
    queries, of which one is kept by the process.

    The run is of closed applications, and so is all that is said here.
    """
    newest = newest_run_id()
    if newest is None:
        return None
    run = read_run(newest)
    if run.noise is None:
        return None
    prospect = Prospect(run.stored, run.noise, {name: row["group"] for name, row in run.raters.items()})
    by_tree = _items(run.rated)
    offered = {tree: by_tree[tree] for tree in trees if tree in by_tree}
    asked = [item for items in list(offered.values() or by_tree.values())[:TREES] for item in items]
    pairing = prospect.pairing([str(pk) for pk in seated], [str(pk) for pk in free], asked)
    if pairing is not None:
        together, unsure = (*pairing.beside, pairing.who), pairing.gain.who
    else:
        together = tuple(str(pk) for pk in seated)
        unsure = max(together, key=prospect.sd, default="")
    anchor = prospect.anchor(unsure, together, offered) if len(together) > 1 and len(offered) > 1 else None
    return Advice(pairing, anchor)


def _items(rated: Mapping[str, int]) -> dict[int, list[str]]:
    """The probes of each tree that were rated most, the best known trees first."""
    found: dict[int, list[str]] = defaultdict(list)
    for item in sorted(rated, key=lambda name: (-rated[name], name)):
        tree = int(item.partition("/")[0])
        if len(found[tree]) < OF_A_TREE:
            found[tree].append(item)
    return dict(found)
