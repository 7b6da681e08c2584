from __future__ import annotations

import numpy as np
import pytest

from scoring.stats import elimination
from scoring.stats.arrays import Floats
from scoring.stats.elimination import Own, Precisions
from scoring.stats.layout import Chunk, Layout, Terms, lay_out
from scoring.stats.ratings import Ratings

pytestmark = pytest.mark.unit

PRECISIONS = Precisions(candidate=1.3, dimension=4.0, halo=6.0, answer=5.0, severity=2.0, difficulty=2.0)


def ratings_of_a_panel(seed: int = 0, rows: int = 400) -> Ratings:
    draw = np.random.default_rng(seed)
    item = draw.integers(0, 6, rows)
    return Ratings.from_codes(
        draw.integers(0, 12, rows),
        draw.integers(0, 5, rows),
        item,
        draw.integers(0, 5, rows),
        dimension=draw.integers(0, 3, rows),
        answer=np.where(item < 4, item, -1),
    )


def chunk_of(layout: Layout) -> Chunk:
    (chunk,) = layout.chunks
    return chunk


def dense(chunk: Chunk, person: int) -> Floats:
    """Z of one candidate, effects in the order core, answers."""
    design = np.zeros((len(chunk.person), chunk.q + chunk.A))
    for row in np.flatnonzero(chunk.person == person):
        design[row, 0] = 1.0
        if chunk.D:
            design[row, 1 + chunk.dimension_rank[row]] = 1.0
        if chunk.S:
            design[row, 1 + chunk.D + chunk.session_rank[row]] = 1.0
        if chunk.A and not (chunk.null_slot and chunk.answer_rank[row] == chunk.A - 1):
            design[row, chunk.q + chunk.answer_rank[row]] = 1.0
    return design[chunk.person == person]


@pytest.mark.parametrize(
    "terms", [Terms(), Terms(answer=False), Terms(halo=False), Terms(dimension=False), Terms(False, False, False)]
)
@pytest.mark.parametrize("by_vectors", [0, 30])
def test_elimination_solves_each_candidates_whole_system(
    terms: Terms, by_vectors: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(elimination, "BY_VECTORS_UP_TO", by_vectors)
    chunk = chunk_of(lay_out(ratings_of_a_panel(), terms))
    draw = np.random.default_rng(1)
    weights = draw.uniform(0.2, 1.2, len(chunk.person))
    score = elimination.sum_rows(chunk, draw.normal(size=len(chunk.person)))

    factor = elimination.factorise(chunk, weights, PRECISIONS)
    solved = factor.solve(score)
    values = elimination.row_values(chunk, solved)
    spread = elimination.row_variances(chunk, factor)
    variances = elimination.effect_variances(chunk, factor)

    log_determinant = 0.0
    for person in range(chunk.m):
        design = dense(chunk, person)
        rows = chunk.person == person
        precision = np.concatenate([elimination.own_precisions(chunk, PRECISIONS), np.full(chunk.A, PRECISIONS.answer)])
        information = design.T @ (weights[rows, None] * design) + np.diag(precision)
        right = np.concatenate([score.core[:, person], score.answer[:, person]])
        exact = np.linalg.solve(information, right)
        covariance = np.linalg.inv(information)
        real = chunk.q + chunk.A - chunk.null_slot
        log_determinant += np.linalg.slogdet(information[:real, :real])[1]
        np.testing.assert_allclose(solved.core[:, person], exact[: chunk.q], atol=1e-10)
        np.testing.assert_allclose(values[rows], design @ exact, atol=1e-10)
        np.testing.assert_allclose(spread[rows], np.einsum("ni,ij,nj->n", design, covariance, design), atol=1e-10)
        np.testing.assert_allclose(variances.core[:, person], np.diag(covariance)[: chunk.q], atol=1e-10)
        np.testing.assert_allclose(
            variances.answer[: real - chunk.q, person], np.diag(covariance)[chunk.q : real], atol=1e-10
        )

    assert factor.log_determinant == pytest.approx(log_determinant, abs=1e-8)


def test_sums_by_effect_are_the_transpose_of_values_by_row() -> None:
    chunk = chunk_of(lay_out(ratings_of_a_panel(), Terms()))
    draw = np.random.default_rng(2)
    rows = draw.normal(size=len(chunk.person))
    own = Own(draw.normal(size=(chunk.q, chunk.m)), draw.normal(size=(chunk.A, chunk.m)))
    own.answer[-1] = 0.0

    sums = elimination.sum_rows(chunk, rows)

    assert rows @ elimination.row_values(chunk, own) == pytest.approx(
        (sums.core * own.core).sum() + (sums.answer * own.answer).sum()
    )


def test_cutting_into_small_chunks_keeps_every_row_and_effect() -> None:
    ratings = ratings_of_a_panel()
    whole, cut = lay_out(ratings, Terms()), lay_out(ratings, Terms(), rows_in_a_chunk=50)

    assert len(cut.chunks) > 3
    assert cut.effects == whole.effects
    assert sorted(cut.order) == list(range(len(ratings)))
    sessions = [code for chunk in cut for code in chunk.session_code.ravel() if code >= 0]
    answers = [code for chunk in cut for code in chunk.answer_code.ravel() if code >= 0]
    assert sorted(sessions) == list(range(ratings.session.max() + 1))
    assert sorted(answers) == list(range(ratings.answer.max() + 1))
    for chunk in cut:
        given = cut.order[chunk.rows]
        heard = chunk.answer_code[chunk.answer_rank, chunk.person]
        np.testing.assert_array_equal(cut.people[chunk.first + chunk.person], ratings.candidate[given])
        np.testing.assert_array_equal(chunk.session_code[chunk.session_rank, chunk.person], ratings.session[given])
        np.testing.assert_array_equal(heard, ratings.answer[given])
        np.testing.assert_array_equal(
            chunk.dimension_code[chunk.dimension_rank, chunk.person], ratings.dimension[given]
        )


def test_one_candidate_with_very_many_ratings_pads_no_one_else() -> None:
    candidate = np.concatenate([np.repeat(np.arange(40), 9), np.full(1500, 40)])
    item = np.concatenate([np.tile(np.arange(9), 40), np.arange(1500)])
    layout = lay_out(Ratings.from_codes(candidate, candidate % 5, item, item % 5), Terms())

    assert [chunk.m for chunk in layout] == [40, 1]
