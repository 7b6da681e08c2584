"""Adjacent-category probabilities of one rating scale and the moments the fit needs of them.

With linear predictor eta and thresholds tau_1..tau_K that sum to zero,

    P(y=k) = exp(k eta - tau_1 - ... - tau_k) / sum over all k,        k = 0..K

(Andrich 1978, A rating formulation for ordered response categories). Arrays of probabilities are (K+1, n): reductions
over a short last axis would cost more than everything else. Thresholds are written tau = Q t with Q (K, K-1) an
orthonormal basis of the vectors that sum to zero, so reversing the scale mirrors the parameters.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy

from scoring.stats.arrays import Floats, Ints

SAFE_EXPONENT = 600.0
LEAST_VARIANCE = 1e-12


@dataclass(frozen=True)
class Scale:
    """A scale of categories 0..`top`, and the fixed matrices that turn probabilities into moments."""

    top: int

    @cached_property
    def contrasts(self) -> Floats:
        """Q, (K, K-1)."""
        if self.top == 1:
            return np.zeros((1, 0))
        return np.ascontiguousarray(scipy.linalg.helmert(self.top).T)

    @property
    def free(self) -> int:
        """How many thresholds are free: K-1."""
        return self.top - 1

    @cached_property
    def categories(self) -> Floats:
        """0..K as floats."""
        return np.arange(self.top + 1, dtype=np.float64)

    @cached_property
    def tails(self) -> Floats:
        """Q'U, (K-1, K+1): applied to P it sums P(y>=h) over the contrasts."""
        upper = np.triu(np.ones((self.top, self.top + 1)), 1)
        return np.ascontiguousarray(self.contrasts.T @ upper)

    @cached_property
    def moment_rows(self) -> Floats:
        """What P is multiplied by, once: the first three powers about the middle of the scale, then the tails
        weighted by the category, then the tails; (3 + 2(K-1), K+1)."""
        middle = self.categories - self.top / 2
        return np.vstack([middle, middle**2, middle**3, self.tails * middle, self.tails])

    def expected(self, eta: Floats, tau: Floats) -> Floats:
        """The ratings to be expected at predictors eta (n,)."""
        p, _ = self.probabilities(eta, tau)
        found: Floats = self.categories @ p
        return found

    def probabilities(self, eta: Floats, tau: Floats) -> tuple[Floats, Floats]:
        """Return P (K+1, n) and log of the normaliser sum_k exp(k eta - T_k) (n,)."""
        steps = np.concatenate([[0.0], np.cumsum(tau)])
        p = np.empty((self.top + 1, len(eta)))
        bound = self.top * max(float(eta.max(initial=0.0)), -float(eta.min(initial=0.0))) + float(np.abs(steps).max())
        if bound < SAFE_EXPONENT:
            ratio = np.exp(eta)
            p[0] = 1.0
            for k, factor in enumerate(np.exp(-tau), 1):
                np.multiply(p[k - 1], ratio, out=p[k])
                p[k] *= factor
            total = p.sum(axis=0)
            log_total = np.log(total)
        else:
            np.subtract(np.multiply.outer(self.categories, eta), steps[:, None], out=p)
            highest = p.max(axis=0)
            p -= highest
            np.exp(p, out=p)
            total = p.sum(axis=0)
            log_total = np.log(total) + highest
        p /= total
        return p, log_total


@dataclass(frozen=True)
class Moments:
    """Moments of ratings at given predictors: of y, and of y with the thresholds' contrasts.

    `mean`, `variance`, `third` (n,): mean and second and third cumulants of y. `with_thresholds` (K-1, n):
    Q' Cov(y, [y>=h]). `tails` (K-1, n): Q' P(y>=h).
    """

    mean: Floats
    variance: Floats
    third: Floats
    with_thresholds: Floats
    tails: Floats


def moments(scale: Scale, p: Floats) -> Moments:
    """Take the moments of P (K+1, n) by one product with a small matrix."""
    sums = scale.moment_rows @ p
    first, second, third = sums[0], sums[1], sums[2]
    square = first * first
    variance = second - square
    np.maximum(variance, LEAST_VARIANCE, out=variance)
    # E(m^3) - 3 E(m^2) E(m) + 2 E(m)^3 about the middle of the scale
    third_cumulant = third - first * (3.0 * second - 2.0 * square)
    split = 3 + scale.free
    tails = sums[split:]
    return Moments(
        mean=first + scale.top / 2,
        variance=variance,
        third=third_cumulant,
        with_thresholds=sums[3:split] - first * tails,
        tails=tails,
    )


def threshold_information(scale: Scale, p: Floats, tails: Floats) -> Floats:
    """Sum over rows of Q' Cov([y>=h], [y>=h']) Q: the thresholds' information, (K-1, K-1)."""
    totals = p.sum(axis=1)
    at_least = np.cumsum(totals[::-1])[::-1][1:]
    place = np.arange(scale.top)
    joint = at_least[np.maximum.outer(place, place)]
    q = scale.contrasts
    information: Floats = q.T @ joint @ q - tails @ tails.T
    return information


def threshold_third(scale: Scale, p: Floats, at: Moments, weights: Floats) -> Floats:
    """Sum over rows of `weights` times Q' kappa3(y, y, [y>=h]), (K-1,).

    kappa3(y, y, [y>=h]) = sum_{k>=h} P_k ((k - E)^2 - Var): how the variance of y moves with a threshold, but for the
    sign. It is what the Laplace term adds to a threshold's score.
    """
    weighted_mean = weights * at.mean
    by_power = np.stack([weights, weighted_mean, weighted_mean * at.mean - weights * at.variance], axis=1)
    sums = p @ by_power
    k = scale.categories
    inside = k * k * sums[:, 0] - 2.0 * k * sums[:, 1] + sums[:, 2]
    third: Floats = scale.tails @ inside
    return third


def observed_tails(scale: Scale, ratings: Ints, weights: Floats | None = None) -> Floats:
    """Sum over rows of Q' [y>=h], (K-1,)."""
    counts = np.bincount(ratings, weights, scale.top + 1).astype(np.float64, copy=False)
    tails: Floats = scale.tails @ counts
    return tails
