"""Ratings sorted by candidate and cut into chunks, with every index the sums of a fit need.

A candidate's own effects are numbered within the candidate: effect 0 the candidate's, then the dimensions rated, then
the sessions held (together "core" effects), and the answers given apart from them. Chunks are padded to their longest
candidate. Inside a chunk the candidate is the last axis of core arrays, (q, m), so that small systems are solved for
all candidates by one vector operation each; chunks are small enough to stay in a processor's cache.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from scoring.stats.arrays import Bools, Floats, Ints
from scoring.stats.ratings import NO_ANSWER, Ratings

ROWS_IN_A_CHUNK = 16_384
CROSSED_CELLS_IN_A_CHUNK = 3_000_000
MOST_CROSSED = 12_000


@dataclass(frozen=True)
class Terms:
    """Which random effects of a candidate the model has beside capability itself."""

    dimension: bool = True
    halo: bool = True
    answer: bool = True


@dataclass(frozen=True, eq=False)
class Chunk:
    """The rows `rows` of the layout and the m candidates `first`..`first`+m-1 of it that they belong to.

    D, S, A: most dimensions, sessions and answers of a candidate here, 0 where the term is off. D1, S1 are at least 1.
    `cell` (n,) indexes (D1, S1, m); `heard` indexes (A, m), `heard_dimension` (A, D1, m), `heard_session` (A, S1, m);
    the last answer slot of a chunk with rows that have no answer is a null slot whose effect stays 0.
    `dimension_code`, `session_code`, `answer_code` say which effect a padded place is, -1 for none.
    """

    rows: slice
    first: int
    m: int
    D: int
    S: int
    A: int
    null_slot: bool
    person: Ints
    rating: Floats
    cell: Ints
    heard: Ints
    heard_dimension: Ints
    heard_session: Ints
    dimension_rank: Ints
    session_rank: Ints
    answer_rank: Ints
    interviewer: Ints
    column: Ints
    scale_rows: tuple[Ints | slice | None, ...]
    dimension_code: Ints
    session_code: Ints
    answer_code: Ints

    @property
    def D1(self) -> int:
        return max(self.D, 1)

    @property
    def S1(self) -> int:
        return max(self.S, 1)

    @property
    def q(self) -> int:
        """Core effects of a candidate: itself, dimensions, sessions."""
        return 1 + self.D + self.S


@dataclass(frozen=True, eq=False)
class Layout:
    """All chunks, `order` (n,) from layout rows to the rows given, `people` (C,) from places to candidates."""

    ratings: Ratings
    terms: Terms
    order: Ints
    people: Ints
    chunks: tuple[Chunk, ...]
    effects: dict[str, int]

    def __iter__(self) -> Iterator[Chunk]:
        return iter(self.chunks)


def useful_terms(ratings: Ratings, terms: Terms) -> Terms:
    """Switch off effects that the ratings cannot tell from others: dimensions where each candidate was rated on one,
    answers where each was rated once, or where an answer is the only one of its session and the session of it."""
    pairs = np.unique(ratings.candidate * len(ratings.labels.dimension) + ratings.dimension)
    seen = len(np.unique(ratings.candidate))
    heard = ratings.answer != NO_ANSWER
    per_answer = np.bincount(ratings.answer[heard]) if heard.any() else np.zeros(0, np.int64)
    several = bool((per_answer > 1).any())
    if several and terms.halo:
        both = np.unique(ratings.session[heard] * len(per_answer) + ratings.answer[heard])
        sessions = np.bincount(both // len(per_answer))
        answers = np.bincount(both % len(per_answer))
        several = bool((sessions > 1).any() or (answers > 1).any())
    return Terms(dimension=terms.dimension and len(pairs) > seen, halo=terms.halo, answer=terms.answer and several)


def lay_out(ratings: Ratings, terms: Terms, rows_in_a_chunk: int = ROWS_IN_A_CHUNK) -> Layout:
    """Sort and cut `ratings`. Raises ValueError for more crossed parameters than a dense system can hold."""
    crossed = ratings.interviewers + ratings.columns
    if crossed > MOST_CROSSED:
        raise ValueError(
            f"{ratings.interviewers} interviewers and {ratings.columns} difficulties make {crossed} parameters; "
            f"{MOST_CROSSED} is the most one calibration holds. Split the file by scale or by year."
        )
    people = ratings.candidates
    rows_of = np.bincount(ratings.candidate, minlength=people)
    sessions_of = np.bincount(ratings.session_candidate, minlength=people)
    answers_of = np.bincount(ratings.answer_candidate, minlength=people)
    places = np.lexsort((rows_of, sessions_of, answers_of if terms.answer else rows_of))
    place_of = np.empty(people, np.int64)
    place_of[places] = np.arange(people)
    place = place_of[ratings.candidate]
    # Keys of 16 bits are sorted by radix, an order of magnitude faster.
    order = np.argsort(place.astype(np.uint16) if people < 1 << 16 else place, kind="stable")
    session_rank, session_starts, sessions = _ranks(place_of[ratings.session_candidate], people)
    answer_rank, answer_starts, answers = _ranks(place_of[ratings.answer_candidate], people)
    sorted_rows = rows_of[places]
    ends = np.cumsum(sorted_rows)
    cutter = _Cutter(ratings, terms, order, place_of, place[order], session_rank, answer_rank)
    chunks = []
    for start, stop in _cuts(sorted_rows, sessions_of[places], rows_in_a_chunk):
        rows = slice(int(ends[start - 1]) if start else 0, int(ends[stop - 1]))
        own_sessions = sessions[session_starts[start] : session_starts[stop]]
        own_answers = answers[answer_starts[start] : answer_starts[stop]]
        chunks.append(cutter.cut(rows, start, stop - start, own_sessions, own_answers))
    pairs = int(sum((chunk.dimension_code >= 0).sum() for chunk in chunks))
    effects = {
        "candidate": people,
        "dimension": pairs if terms.dimension else 0,
        "halo": len(session_rank) if terms.halo else 0,
        "answer": len(answer_rank) if terms.answer else 0,
    }
    return Layout(ratings=ratings, terms=terms, order=order, people=places, chunks=tuple(chunks), effects=effects)


def _ranks(owner: Ints, owners: int) -> tuple[Ints, Ints, Ints]:
    """Number codes within their owner: the rank of each code, where each owner's begin, and the codes by owner."""
    by_owner = np.argsort(owner, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=owners))]).astype(np.int64)
    rank = np.empty(len(owner), np.int64)
    rank[by_owner] = np.arange(len(owner)) - starts[owner[by_owner]]
    return rank, starts, by_owner


def _cuts(rows: Ints, sessions: Ints, most_rows: int) -> Iterator[tuple[int, int]]:
    """Cut places so that no chunk has too many rows or too many crossed cells, a candidate at least."""
    upto = np.concatenate([[0], np.cumsum(rows)])
    cells = np.concatenate([[0], np.cumsum((rows + sessions + 8) ** 2)])
    start = 0
    while start < len(rows):
        stop = min(
            int(np.searchsorted(upto, upto[start] + most_rows, "right")) - 1,
            int(np.searchsorted(cells, cells[start] + CROSSED_CELLS_IN_A_CHUNK, "right")) - 1,
        )
        stop = max(stop, start + 1)
        yield start, stop
        start = stop


@dataclass(frozen=True, eq=False)
class _Cutter:
    ratings: Ratings
    terms: Terms
    order: Ints
    place_of: Ints
    place: Ints
    session_rank: Ints
    answer_rank: Ints

    def cut(self, rows: slice, first: int, m: int, sessions: Ints, answers: Ints) -> Chunk:
        ratings, picked = self.ratings, self.order[rows]
        person = self.place[rows] - first
        nothing = np.zeros(len(picked), np.int64)
        empty = np.full((0, m), -1, np.int64)
        dimension_rank, dimension_code = nothing, empty
        if self.terms.dimension:
            dimension_rank, dimension_code = dense_ranks(
                person, ratings.dimension[picked], m, len(ratings.labels.dimension)
            )
        session_rank, session_code = nothing, empty
        if self.terms.halo:
            session_rank = self.session_rank[ratings.session[picked]]
            session_code = self._table(sessions, self.session_rank, ratings.session_candidate, first, m)
        heard, answer_code, null_slot = nothing, empty, False
        if self.terms.answer:
            heard, answer_code, null_slot = self._answers(picked, answers, first, m)
        d1, s1 = max(len(dimension_code), 1), max(len(session_code), 1)
        return Chunk(
            rows=rows,
            first=first,
            m=m,
            D=len(dimension_code),
            S=len(session_code),
            A=len(answer_code),
            null_slot=null_slot,
            person=person,
            rating=ratings.rating[picked].astype(np.float64),
            cell=(dimension_rank * s1 + session_rank) * m + person,
            heard=heard * m + person,
            heard_dimension=(heard * d1 + dimension_rank) * m + person,
            heard_session=(heard * s1 + session_rank) * m + person,
            dimension_rank=dimension_rank,
            session_rank=session_rank,
            answer_rank=heard,
            interviewer=ratings.interviewer[picked],
            column=ratings.column[picked],
            scale_rows=_rows_by_scale(ratings.scale[picked], len(ratings.top)),
            dimension_code=dimension_code,
            session_code=session_code,
            answer_code=answer_code,
        )

    def _answers(self, picked: Ints, answers: Ints, first: int, m: int) -> tuple[Ints, Ints, bool]:
        code = self.ratings.answer[picked]
        table = self._table(answers, self.answer_rank, self.ratings.answer_candidate, first, m)
        none = code == NO_ANSWER
        if not none.any():
            return self.answer_rank[code], table, False
        rank = np.full(len(code), len(table), np.int64)
        rank[~none] = self.answer_rank[code[~none]]
        return rank, np.vstack([table, np.full((1, m), -1, np.int64)]), True

    def _table(self, codes: Ints, rank: Ints, owner: Ints, first: int, m: int) -> Ints:
        """Lay `codes` out as (most of one candidate, m), -1 where a candidate has fewer."""
        if not len(codes):
            return np.full((0, m), -1, np.int64)
        table = np.full((int(rank[codes].max()) + 1, m), -1, np.int64)
        table[rank[codes], self.place_of[owner[codes]] - first] = codes
        return table


def _rows_by_scale(scale: Ints, scales: int) -> tuple[Ints | slice | None, ...]:
    if scales == 1:
        return (slice(None),)
    return tuple(found if len(found := np.flatnonzero(scale == number)) else None for number in range(scales))


def dense_ranks(person: Ints, code: Ints, m: int, codes: int) -> tuple[Ints, Ints]:
    """Number the codes that occur with each of m persons from 0: the rank of each row (n,), and the code of each
    (rank, person) as (most of one person, m), -1 where a person has fewer."""
    present: Bools = np.zeros((m, codes), bool)
    present[person, code] = True
    ranks = np.cumsum(present, axis=1, dtype=np.int32) - 1
    who, what = np.nonzero(present)
    table = np.full((int(ranks[:, -1].max()) + 1, m), -1, np.int64)
    table[ranks[who, what], who] = what
    return ranks[person, code].astype(np.int64), table
