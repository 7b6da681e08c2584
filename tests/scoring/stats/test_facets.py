from __future__ import annotations

import numpy as np
import pytest

from scoring.stats import newton
from scoring.stats.arrays import Floats
from scoring.stats.crossed import places_of
from scoring.stats.designs import DESIGNS, Design, simulate
from scoring.stats.facets import Options, calibrate
from scoring.stats.layout import Terms, lay_out
from scoring.stats.newton import Model, State
from scoring.stats.ratings import Ratings
from scoring.stats.results import Calibration
from scoring.stats.variances import Variances
from tests.scoring.stats.guilford import guilford

pytestmark = pytest.mark.unit

SMALL = Design(candidates=60, interviewers=8, pool=6, asked=3, raters=(2, 3), ask="same", halo=0.4, answer=0.4)


def rebuilt(ratings: Ratings, order: Floats, rename: dict[str, Floats] | None = None, *, flip: bool = False) -> Ratings:
    """The same ratings with rows in another order and codes renamed."""

    def column(name: str) -> Floats:
        codes = getattr(ratings, name)[order]
        return codes if rename is None or name not in rename else rename[name][codes]

    rating = ratings.rating[order]
    return Ratings.from_codes(
        column("candidate"),
        column("interviewer"),
        column("item"),
        4 - rating if flip else rating,
        dimension=column("dimension"),
        answer=ratings.answer[order],
        top=[4],
    )


def test_rows_in_another_order_under_other_names_give_the_same() -> None:
    ratings = simulate(SMALL, 3).ratings
    draw = np.random.default_rng(0)
    rename = {
        "candidate": draw.permutation(60),
        "interviewer": draw.permutation(8),
        "item": draw.permutation(6),
        "dimension": draw.permutation(3),
    }
    order = draw.permutation(len(ratings))

    one = calibrate(ratings)
    other = calibrate(rebuilt(ratings, order, rename))

    np.testing.assert_allclose(other.ability[rename["candidate"]], one.ability, atol=1e-8)
    np.testing.assert_allclose(other.ability_se[rename["candidate"]], one.ability_se, atol=1e-8)
    np.testing.assert_allclose(other.severity[rename["interviewer"]], one.severity, atol=1e-8)
    np.testing.assert_allclose(other.severity_se[rename["interviewer"]], one.severity_se, atol=1e-8)
    np.testing.assert_allclose(other.thresholds, one.thresholds, atol=1e-8)
    np.testing.assert_allclose(other.predictor, one.predictor[order], atol=1e-8)
    np.testing.assert_allclose(
        other.by_dimension[rename["candidate"]][:, rename["dimension"]], one.by_dimension, atol=1e-8
    )
    columns = {(item, dim): place for place, (item, dim) in enumerate(zip(*_columns(other.ratings), strict=True))}
    place = [columns[rename["item"][i], rename["dimension"][d]] for i, d in zip(*_columns(one.ratings), strict=True)]
    np.testing.assert_allclose(other.difficulty[place], one.difficulty, atol=1e-8)


def _columns(ratings: Ratings) -> tuple[list[int], list[int]]:
    return ratings.column_item.tolist(), ratings.column_dimension.tolist()


def test_reversing_the_scale_flips_every_location() -> None:
    ratings = simulate(SMALL, 4).ratings

    one = calibrate(ratings)
    other = calibrate(rebuilt(ratings, np.arange(len(ratings)), flip=True))

    for name in ("ability", "severity", "difficulty", "halo", "answer", "predictor", "by_dimension", "intercepts"):
        np.testing.assert_allclose(getattr(other, name), -getattr(one, name), atol=1e-8)
    for name in ("ability_se", "severity_se", "difficulty_se", "halo_se", "predictor_variance"):
        np.testing.assert_allclose(getattr(other, name), getattr(one, name), atol=1e-8)
    np.testing.assert_allclose(other.thresholds[0], -one.thresholds[0][::-1], atol=1e-8)
    assert other.log_likelihood == pytest.approx(one.log_likelihood, abs=1e-6)


def test_the_gradient_is_that_of_the_objective() -> None:
    ratings = simulate(SMALL, 5).ratings
    model = Model(lay_out(ratings, Terms(), 200), places_of(lay_out(ratings, Terms())), np.array([1.2]))
    precisions = Variances().precisions()
    draw = np.random.default_rng(1)
    state, direction = model.start(), model.start()
    for place in (state, direction):
        place.vector = draw.normal(size=len(place.vector)) * 0.3
        for own in place.own:
            own.core += draw.normal(size=own.core.shape) * 0.3
            own.answer += draw.normal(size=own.answer.shape) * 0.3
    spread = [draw.uniform(0.1, 0.3, len(chunk.person)) for chunk in model.layout]
    lagged = newton.evaluate(model, state, precisions, None, spread).offsets

    at = newton.evaluate(model, state, precisions, lagged)
    step = 1e-5
    up = newton.evaluate(model, state.moved(direction, step), precisions, lagged).objective
    down = newton.evaluate(model, state.moved(direction, -step), precisions, lagged).objective

    assert len(model.layout.chunks) > 3
    assert (up - down) / (2 * step) == pytest.approx(_along(at, direction), rel=1e-6)


def _along(at: newton.Evaluation, direction: State) -> float:
    total = float(at.vector @ direction.vector)
    for score, moved in zip(at.own, direction.own, strict=True):
        total += float((score.core * moved.core).sum() + (score.answer * moved.answer).sum())
    return total


def test_the_newton_step_solves_the_whole_system() -> None:
    ratings = simulate(SMALL, 6).ratings
    layout = lay_out(ratings, Terms(), 200)
    model = Model(layout, places_of(layout), np.ones(1))
    precisions = Variances().precisions()
    state = model.start()

    at = newton.evaluate(model, state, precisions, None)
    step, gain = newton.solve(model, newton.factorise(model, at, precisions), at)
    tiny = 1e-5
    near = newton.evaluate(model, state.moved(step, tiny), precisions, None)

    # The slope of the score along the Newton step is minus the score.
    np.testing.assert_allclose((near.vector - at.vector) / tiny, -at.vector, rtol=1e-3, atol=2e-2)
    for number, own in enumerate(at.own):
        np.testing.assert_allclose((near.own[number].core - own.core) / tiny, -own.core, rtol=1e-3, atol=2e-2)
    assert gain > 0


def test_a_fit_recovers_what_was_put_in() -> None:
    truth = simulate(DESIGNS["B"], 2)
    found = calibrate(truth.ratings)

    assert found.converged
    assert np.corrcoef(found.ability, truth.ability)[0, 1] > 0.9
    assert np.corrcoef(found.severity, truth.severity)[0, 1] > 0.95
    np.testing.assert_allclose(found.thresholds[0], DESIGNS["B"].thresholds, atol=0.15)
    assert found.variances.halo == pytest.approx(0.25, abs=0.08)


def test_switched_off_terms_are_gone() -> None:
    ratings = simulate(SMALL, 7).ratings
    found = calibrate(ratings, Options(terms=Terms(dimension=False, halo=False, answer=False)))

    assert found.variances.halo == found.variances.answer == found.variances.dimension == 0.0
    assert len(found.halo) == len(found.answer) == 0
    np.testing.assert_array_equal(found.by_dimension, np.repeat(found.ability[:, None], 3, axis=1))


def test_held_variances_are_kept() -> None:
    held = Variances(candidate=0.5, dimension=0.2, halo=0.3, answer=0.1, severity=0.2, difficulty=0.6)
    found = calibrate(simulate(SMALL, 8).ratings, Options(variances=held, hold_variances=True))

    assert found.variances == held


def test_guilfords_judges_are_shrunken_versions_of_themselves() -> None:
    found = calibrate(guilford())

    assert found.converged
    assert found.ratings.labels.interviewer[int(np.argmax(found.severity))] == "Brahe"
    assert found.ratings.labels.candidate[int(np.argmax(found.ability))] == "Betty"


def finite(found: Calibration) -> None:
    for name in ("ability", "ability_se", "severity", "severity_se", "difficulty", "difficulty_se", "vector"):
        assert np.isfinite(getattr(found, name)).all(), name
    assert np.isfinite(found.log_likelihood)


@pytest.mark.parametrize(
    ("candidate", "interviewer", "item", "rating"),
    [
        ([0], [0], [0], [3]),
        ([0, 0, 1, 1, 2], [0, 1, 0, 1, 0], [0, 0, 1, 1, 0], [4, 3, 2, 2, 1]),
        ([0, 1, 2, 3] * 6, [0] * 24, [0, 1] * 12, [4] * 24),
        ([0, 1, 2, 3] * 6, [0, 1] * 12, [0, 1] * 12, [0] * 24),
        ([0] * 30, [0] * 30, [0] * 30, [0, 4, 2] * 10),
        ([0] * 10, list(range(10)), [0] * 10, [0, 4] * 5),
        (list(range(10)), [0] * 10, [0] * 10, [1, 3] * 5),
        ([0, 1] * 10, [0] * 20, [0] * 20, [0, 4] * 10),
        (list(range(40)), [0] * 40, [0] * 40, [0, 4] * 20),
        ([0] * 200, [0] * 200, list(range(200)), [0, 4] * 100),
    ],
    ids=[
        "one rating",
        "five",
        "all four",
        "all nought",
        "one cell",
        "one candidate",
        "one rating each",
        "ends only",
        "ends only, one rating each",
        "ends only, one candidate",
    ],
)
def test_degenerate_ratings_give_finite_answers_no_surer_than_the_prior(
    candidate: list[int], interviewer: list[int], item: list[int], rating: list[int]
) -> None:
    found = calibrate(Ratings.from_codes(candidate, interviewer, item, rating, top=[4]))

    finite(found)
    assert (found.ability_se <= np.sqrt(found.variances.candidate) + 1e-9).all()
    assert 0.4 < found.variances.candidate < 5.0
    assert found.converged


def test_candidates_with_extreme_scores_stay_finite_and_are_less_sure() -> None:
    design = Design(candidates=80, raters=(3, 3), halo=0.3)
    ratings = simulate(design, 9).ratings
    rating = ratings.rating.copy()
    rating[ratings.candidate == 0] = 4
    rating[ratings.candidate == 1] = 0
    found = calibrate(
        Ratings.from_codes(ratings.candidate, ratings.interviewer, ratings.item, rating, dimension=ratings.dimension)
    )

    finite(found)
    assert found.ability.argmax() == 0
    assert found.ability.argmin() == 1
    assert found.ability_se[:2].min() > np.median(found.ability_se)


def test_many_ratings_begin_from_a_part_and_end_at_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    ratings = simulate(DESIGNS["B"], 10).ratings
    whole = calibrate(ratings)
    monkeypatch.setattr("scoring.stats.facets.BEGIN_FROM_A_PART", 1000)
    begun = calibrate(ratings)

    np.testing.assert_allclose(begun.ability, whole.ability, atol=6e-3)
    np.testing.assert_allclose(begun.ability_se, whole.ability_se, atol=6e-3)


def test_a_slope_is_needed_for_each_scale() -> None:
    with pytest.raises(ValueError, match="2 slopes were given for 1 scales"):
        calibrate(guilford(), Options(slopes=(1.0, 1.0)))


def test_progress_is_told_after_each_pass() -> None:
    told: list[tuple[int, float]] = []
    calibrate(simulate(SMALL, 11).ratings, Options(progress=lambda number, distance: told.append((number, distance))))

    assert [number for number, _ in told] == list(range(1, len(told) + 1))
    assert told[-1][1] < told[0][1]
