from __future__ import annotations

import numpy as np
import pytest

from scoring.stats.arrays import Floats
from scoring.stats.likelihood import Scale, moments, observed_tails, threshold_information, threshold_third

pytestmark = pytest.mark.unit

TAU = np.array([-1.8, -0.6, 0.7, 1.7])
ETA = np.linspace(-4.0, 4.0, 23)


def central(p: Floats, power: int) -> Floats:
    k = np.arange(p.shape[0])[:, None]
    return np.asarray((p * (k - (k * p).sum(0)) ** power).sum(0))


def test_adjacent_categories_differ_by_predictor_less_threshold() -> None:
    p, _ = Scale(4).probabilities(ETA, TAU)

    np.testing.assert_allclose(np.log(p[1:] / p[:-1]), ETA - TAU[:, None], atol=1e-12)
    np.testing.assert_allclose(p.sum(0), 1.0, atol=1e-14)


def test_far_predictors_stay_finite_and_agree_with_the_quick_way() -> None:
    scale = Scale(4)
    quick, normaliser = scale.probabilities(ETA, TAU)
    careful, far_normaliser = scale.probabilities(np.append(ETA, [900.0, -900.0]), TAU)

    np.testing.assert_allclose(careful[:, :-2], quick, atol=1e-14)
    np.testing.assert_allclose(far_normaliser[:-2], normaliser, atol=1e-12)
    assert careful[4, -2] == 1.0
    assert careful[0, -1] == 1.0


def test_moments_are_those_of_the_probabilities() -> None:
    scale = Scale(4)
    p, _ = scale.probabilities(ETA, TAU)
    at = moments(scale, p)
    k = np.arange(5)[:, None]
    at_least = np.array([p[h:].sum(0) for h in range(1, 5)])
    covariance = np.array([((k - at.mean) * p)[h:].sum(0) for h in range(1, 5)])

    np.testing.assert_allclose(at.mean, (k * p).sum(0), atol=1e-12)
    np.testing.assert_allclose(at.variance, central(p, 2), atol=1e-12)
    np.testing.assert_allclose(at.third, central(p, 3), atol=1e-12)
    np.testing.assert_allclose(at.tails, scale.contrasts.T @ at_least, atol=1e-12)
    np.testing.assert_allclose(at.with_thresholds, scale.contrasts.T @ covariance, atol=1e-12)


def test_third_cumulant_is_the_slope_of_the_variance() -> None:
    scale = Scale(4)
    step = 1e-5

    def variance(eta: Floats, tau: Floats) -> Floats:
        return moments(scale, scale.probabilities(eta, tau)[0]).variance

    p, _ = scale.probabilities(ETA, TAU)
    at = moments(scale, p)
    slope = (variance(ETA + step, TAU) - variance(ETA - step, TAU)) / (2 * step)
    by_threshold = []
    for direction in scale.contrasts.T:
        moved = variance(ETA, TAU + step * direction) - variance(ETA, TAU - step * direction)
        by_threshold.append(moved.sum() / (2 * step))

    np.testing.assert_allclose(at.third, slope, atol=1e-8)
    np.testing.assert_allclose(threshold_third(scale, p, at, np.ones(len(ETA))), np.negative(by_threshold), atol=1e-8)


def test_threshold_information_is_minus_the_slope_of_the_score() -> None:
    scale = Scale(4)
    step = 1e-5
    p, _ = scale.probabilities(ETA, TAU)
    at = moments(scale, p)
    columns = []
    for direction in scale.contrasts.T:
        up = moments(scale, scale.probabilities(ETA, TAU + step * direction)[0]).tails.sum(1)
        down = moments(scale, scale.probabilities(ETA, TAU - step * direction)[0]).tails.sum(1)
        columns.append(-(up - down) / (2 * step))

    np.testing.assert_allclose(threshold_information(scale, p, at.tails), np.array(columns).T, atol=1e-7)


def test_observed_tails_count_what_was_given() -> None:
    scale = Scale(3)
    given = np.array([0, 1, 3, 3, 2])
    at_least = np.array([(given >= h).sum() for h in (1, 2, 3)])

    np.testing.assert_allclose(observed_tails(scale, given), scale.contrasts.T @ at_least)


def test_a_scale_of_two_has_no_free_threshold() -> None:
    scale = Scale(1)
    p, _ = scale.probabilities(ETA, np.zeros(1))
    at = moments(scale, p)

    assert at.with_thresholds.shape == (0, len(ETA))
    np.testing.assert_allclose(at.variance, p[0] * p[1], atol=1e-12)
