from __future__ import annotations

import numpy as np
import pytest

from scoring.stats import crossed, elimination
from scoring.stats.arrays import Floats
from scoring.stats.crossed import Places, Schur, Weights
from scoring.stats.layout import Chunk, Terms, lay_out
from scoring.stats.likelihood import Scale
from scoring.stats.ratings import Ratings
from tests.scoring.stats.test_elimination import PRECISIONS, chunk_of, dense, ratings_of_a_panel

pytestmark = pytest.mark.unit


def two_scales(ratings: Ratings) -> Ratings:
    scale = (ratings.item >= 4).astype(np.int64)
    return Ratings.from_codes(
        ratings.candidate,
        ratings.interviewer,
        ratings.item,
        np.where(scale, ratings.rating % 2, ratings.rating),
        dimension=ratings.dimension,
        answer=ratings.item,
        scale=scale,
    )


def whole_rows(places: Places, chunk: Chunk, weights: Weights) -> tuple[Floats, Floats]:
    """X (n, size) without thresholds, and X with each row's weights, thresholds among them."""
    n = len(chunk.person)
    scale = np.zeros(n, np.int64)
    for number, found in enumerate(chunk.scale_rows):
        assert found is not None
        scale[found] = number
    design = np.zeros((n, places.thresholds))
    design[np.arange(n), chunk.interviewer] = -1.0
    design[np.arange(n), places.interviewers + chunk.column] = -1.0
    design[np.arange(n), places.intercepts + scale] = 1.0
    return design, np.hstack([weights.rows[:, None] * design, -np.asarray(weights.thresholds).T])


@pytest.mark.parametrize("scales", [1, 2])
@pytest.mark.parametrize("terms", [Terms(), Terms(halo=False), Terms(dimension=False, answer=False)])
def test_schur_complement_is_that_of_the_whole_system(scales: int, terms: Terms) -> None:
    ratings = ratings_of_a_panel() if scales == 1 else two_scales(ratings_of_a_panel())
    chunk = chunk_of(lay_out(ratings, terms))
    places = Places(ratings.interviewers, ratings.columns, tuple(Scale(top) for top in ratings.top))
    draw = np.random.default_rng(3)
    weights = Weights(draw.uniform(0.2, 1.2, len(ratings)), draw.normal(size=(places.free, len(ratings))))
    factor = elimination.factorise(chunk, weights.rows, PRECISIONS)
    design, weighted = whole_rows(places, chunk, weights)
    whole = np.zeros((places.size, places.size))
    whole[: places.thresholds] = design.T @ weighted
    whole[:, : places.thresholds] = whole[: places.thresholds].T
    prior = np.concatenate([elimination.own_precisions(chunk, PRECISIONS), np.full(chunk.A, PRECISIONS.answer)])
    for person in range(chunk.m):
        z, rows = dense(chunk, person), chunk.person == person
        border = z.T @ weighted[rows]
        whole -= border.T @ np.linalg.solve(z.T @ (weights.rows[rows, None] * z) + np.diag(prior), border)

    schur = Schur(places)
    schur.add_rows(chunk, weights)
    border = crossed.borders(places, chunk, crossed.Touched.of(places, chunk), weights)
    schur.eliminate(crossed.half_eliminated(chunk, factor, border), border.touched)

    np.testing.assert_allclose(schur.information(), whole, atol=1e-9)


@pytest.mark.parametrize("scales", [1, 2])
def test_borders_pull_both_ways_alike(scales: int) -> None:
    ratings = ratings_of_a_panel() if scales == 1 else two_scales(ratings_of_a_panel())
    chunk = chunk_of(lay_out(ratings, Terms()))
    places = Places(ratings.interviewers, ratings.columns, tuple(Scale(top) for top in ratings.top))
    draw = np.random.default_rng(4)
    weights = Weights(draw.uniform(0.2, 1.2, len(ratings)), draw.normal(size=(places.free, len(ratings))))
    own = elimination.sum_rows(chunk, draw.normal(size=len(ratings)))
    vector = draw.normal(size=places.size)
    _, weighted = whole_rows(places, chunk, weights)

    sums = np.zeros(places.size)
    crossed.borders_times(places, chunk, weights, own, sums)
    back = crossed.borders_transposed_times(places, chunk, weights, vector)

    pull = np.zeros(places.size)
    for person in range(chunk.m):
        border = dense(chunk, person).T @ weighted[chunk.person == person]
        pull += border.T @ np.concatenate([own.core[:, person], own.answer[:, person]])
        np.testing.assert_allclose(back.core[:, person], (border @ vector)[: chunk.q], atol=1e-10)
        np.testing.assert_allclose(back.answer[:, person], (border @ vector)[chunk.q :], atol=1e-10)
    np.testing.assert_allclose(sums, pull, atol=1e-9)


def test_a_chunk_of_one_candidate_touches_only_its_own_parameters() -> None:
    layout = lay_out(ratings_of_a_panel(rows=60), Terms(), rows_in_a_chunk=1)
    places = crossed.places_of(layout)

    def named(chunk: Chunk) -> set[int]:
        return {int(code) for code in crossed.Touched.of(places, chunk).codes.ravel() if code < places.intercepts}

    for chunk in layout:
        assert named(chunk) == set(chunk.interviewer) | {places.interviewers + code for code in chunk.column}
