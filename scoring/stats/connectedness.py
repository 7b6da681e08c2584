"""Which comparisons the design supports, by the rank of the design once candidates are eliminated.

Severities and difficulties are identified up to one constant each. Whatever else the design leaves free is an
unidentified contrast: a direction in which severities, difficulties and capabilities may shift without changing one
expected rating. A graph of who met whom finds disconnected blocks but not confounding: where each interviewer asks
questions of their own, the graph hangs together and no severity can be told from the difficulty of its questions.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import scipy

from scoring.stats.arrays import Floats, Ints
from scoring.stats.ratings import Ratings

TOLERANCE = 1e-8
MOST_CONTRASTS = 50
"""How many groups of a facet are set against its largest."""
TRIVIAL = 2
"""Severities may all shift, and difficulties may all shift: capability takes it up and nothing is lost."""


class Facet(StrEnum):
    INTERVIEWER = "interviewer"
    ITEM = "item"
    CANDIDATE = "candidate"


@dataclass(frozen=True)
class Contrast:
    """Two groups of one facet, by code, whose members can be compared inside a group but not across.

    `shares_candidates`, `shares_items`: whether a member of one group has any in common with one of the other. For
    candidates the first says whether they share interviewers; for items the second does. Items are difficulty columns.
    """

    facet: Facet
    left: tuple[int, ...]
    right: tuple[int, ...]
    shares_candidates: bool
    shares_items: bool


@dataclass(frozen=True, eq=False)
class Connectedness:
    """What is not identified. Groups are codes from 0, largest group first; one group means all can be compared.

    `unidentified` counts the contrasts that the design leaves free, `contrasts` names those of the larger groups;
    `blocks` counts the blocks of the graph of candidates, interviewers and difficulty columns. `null_space`
    (R+I, unidentified+2) spans the free directions.
    """

    unidentified: int
    blocks: int
    block_of_candidate: Ints
    block_of_interviewer: Ints
    block_of_column: Ints
    candidate_group: Ints
    interviewer_group: Ints
    column_group: Ints
    contrasts: tuple[Contrast, ...]
    null_space: Floats

    def comparable(self, facet: Facet, one: int, other: int) -> bool:
        """Whether the difference between two codes of a facet is identified."""
        groups = {
            Facet.CANDIDATE: self.candidate_group,
            Facet.INTERVIEWER: self.interviewer_group,
            Facet.ITEM: self.column_group,
        }[facet]
        return bool(groups[one] == groups[other])


def sentence(contrast: Contrast, names: tuple[str, ...], most_named: int = 3) -> str:
    """Say a contrast in plain English, `names` being the facet's labels. The product words it from the fields."""
    left, right = _named(contrast.left, names, most_named), _named(contrast.right, names, most_named)
    links = ("interviewer" if contrast.facet == Facet.CANDIDATE else "candidate", "probe")
    if contrast.facet == Facet.ITEM:
        links = ("candidate", "interviewer")
    shared = (contrast.shares_candidates, contrast.shares_items)
    missing = [link for link, has in zip(links, shared, strict=True) if not has]
    if missing:
        return f"{left} and {right} share no {' and no '.join(missing)}."
    return f"{left} and {right} cannot be told apart by what they share."


def _named(codes: tuple[int, ...], names: tuple[str, ...], most: int) -> str:
    shown = ", ".join(names[code] for code in codes[:most])
    return shown if len(codes) <= most else f"{shown} and {len(codes) - most} more"


def connectedness(ratings: Ratings) -> Connectedness:
    """Find what the design of `ratings` cannot tell apart."""
    cells = _cells(ratings)
    null_space = free_directions(ratings)
    shift = null_space @ np.random.default_rng(0).normal(size=null_space.shape[1])
    raters = ratings.interviewers
    candidate, interviewer, column = cells.T
    used_raters, used_columns = np.unique(interviewer), np.unique(column)
    by_row = shift[interviewer] + shift[raters + column]
    counts = np.bincount(candidate, minlength=ratings.candidates)
    by_candidate = np.bincount(candidate, by_row, ratings.candidates) / np.maximum(counts, 1)
    blocks, block_of = _blocks(cells, ratings)
    interviewer_group = _grouped(shift[:raters], used_raters)
    column_group = _grouped(shift[raters:], used_columns)
    candidate_group = _grouped(by_candidate, np.unique(candidate))
    contrasts = [
        *_contrasts(Facet.INTERVIEWER, interviewer_group, interviewer, candidate, column),
        *_contrasts(Facet.ITEM, column_group, column, candidate, interviewer),
        *_contrasts(Facet.CANDIDATE, candidate_group, candidate, interviewer, column),
    ]
    split = ratings.candidates + raters
    return Connectedness(
        unidentified=null_space.shape[1] - TRIVIAL,
        blocks=blocks,
        block_of_candidate=block_of[: ratings.candidates],
        block_of_interviewer=block_of[ratings.candidates : split],
        block_of_column=block_of[split:],
        candidate_group=candidate_group,
        interviewer_group=interviewer_group,
        column_group=column_group,
        contrasts=tuple(contrasts),
        null_space=null_space,
    )


def free_directions(ratings: Ratings) -> Floats:
    """A basis of the directions of (severities, difficulties) that capabilities can take up, (R+I, k).

    Interviewers and columns without a rating are left out: they are no contrast of the design.
    """
    cells = _cells(ratings)
    candidate, interviewer, column = cells.T
    size = ratings.interviewers + ratings.columns
    row = np.arange(len(cells))
    places = np.concatenate([interviewer, ratings.interviewers + column])
    ones = np.ones(2 * len(cells))
    design = scipy.sparse.csr_array((ones, (np.concatenate([row, row]), places)), shape=(len(cells), size))
    by_candidate = scipy.sparse.csr_array(
        (ones, (np.concatenate([candidate, candidate]), places)), shape=(ratings.candidates, size)
    )
    counts = np.maximum(np.bincount(candidate, minlength=ratings.candidates), 1)
    shared = scipy.sparse.csr_array(design.T @ design) - scipy.sparse.csr_array(
        by_candidate.T @ (by_candidate / counts[:, None])
    )
    gram = scipy.sparse.csr_array(shared).toarray()
    used = np.flatnonzero(np.bincount(places, minlength=size))
    return _null_space(gram[np.ix_(used, used)], used, size)


def _null_space(gram: Floats, used: Ints, size: int) -> Floats:
    """The null space of a positive semi-definite matrix over `used`, by pivoted Cholesky, embedded in `size`."""
    tolerance = TOLERANCE * max(float(np.diag(gram).max()), 1.0)
    upper, pivots, rank, _ = scipy.linalg.lapack.dpstrf(gram, tol=tolerance)
    order = np.asarray(pivots, np.int64) - 1
    free = len(gram) - int(rank)
    basis = np.zeros((len(gram), free))
    basis[order[rank:]] = np.eye(free)
    if rank:
        basis[order[:rank]] = -scipy.linalg.solve_triangular(upper[:rank, :rank], upper[:rank, rank:])
    whole = np.zeros((size, free))
    whole[used] = np.linalg.qr(basis)[0] if free else basis
    return whole


def _cells(ratings: Ratings) -> Ints:
    """Each candidate, interviewer and column that occur together, once, (cells, 3)."""
    key = (ratings.candidate * ratings.interviewers + ratings.interviewer) * ratings.columns + ratings.column
    key = np.unique(key)
    pair, column = np.divmod(key, ratings.columns)
    candidate, interviewer = np.divmod(pair, ratings.interviewers)
    return np.stack([candidate, interviewer, column], axis=1)


def _blocks(cells: Ints, ratings: Ratings) -> tuple[int, Ints]:
    """Blocks of the graph, numbered from the largest; -1 for codes that occur nowhere."""
    split = ratings.candidates + ratings.interviewers
    nodes = split + ratings.columns
    candidate, interviewer, column = cells[:, 0], ratings.candidates + cells[:, 1], split + cells[:, 2]
    links = (np.concatenate([candidate, candidate]), np.concatenate([interviewer, column]))
    graph = scipy.sparse.csr_array((np.ones(2 * len(cells)), links), shape=(nodes, nodes))
    _, block = scipy.sparse.csgraph.connected_components(graph, directed=False)
    used = np.unique(np.concatenate([candidate, interviewer, column]))
    numbered = np.full(nodes, -1, np.int64)
    numbered[used] = _by_size(np.asarray(block, np.int64)[used])
    return int(numbered.max()) + 1, numbered


def _grouped(shift: Floats, used: Ints) -> Ints:
    """Codes whose shifts under a random free direction agree, as groups numbered from the largest; -1 for unused."""
    order = used[np.argsort(shift[used], kind="stable")]
    apart = np.diff(shift[order], prepend=shift[order[:1]]) > TOLERANCE * max(float(np.abs(shift).max()), 1.0) * 10
    group = np.full(len(shift), -1, np.int64)
    group[order] = np.cumsum(apart)
    group[used] = _by_size(group[used])
    return group


def _by_size(group: Ints) -> Ints:
    """Number groups from the largest, the one with the first member before an equally large one."""
    codes, first, where, counts = np.unique(group, return_index=True, return_inverse=True, return_counts=True)
    number = np.empty(len(codes), np.int64)
    number[np.lexsort((first, -counts))] = np.arange(len(codes))
    return number[where]


def _contrasts(facet: Facet, group: Ints, members: Ints, candidates: Ints, items: Ints) -> list[Contrast]:
    """Set the largest of the further groups against the largest of all; the groups themselves are all there."""
    found = []
    most = np.flatnonzero(group == 0)
    with_most = group[members] == 0
    for number in range(1, min(int(group.max()), MOST_CONTRASTS) + 1):
        mine = group[members] == number
        found.append(
            Contrast(
                facet,
                tuple(most.tolist()),
                tuple(np.flatnonzero(group == number).tolist()),
                bool(np.isin(candidates[mine], candidates[with_most]).any()),
                bool(np.isin(items[mine], items[with_most]).any()),
            )
        )
    return found
