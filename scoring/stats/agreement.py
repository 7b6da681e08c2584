"""How far raters agree: Krippendorff's alpha, the six intraclass correlations, kappas, and plain shares.

Everywhere NaN means "not rated". Where a figure is not defined (nothing rated twice, no variation at all) the answer
is NaN, never a guess: 1.0 for raters who all say the same one thing would claim what nobody can know.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias

import numpy as np
import scipy
from numpy.typing import ArrayLike, NDArray

Table: TypeAlias = NDArray[np.float64]


class Level(StrEnum):
    """The level of measurement: what a difference between two values means."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"


class Weights(StrEnum):
    """How much a disagreement by d categories of K counts: all alike, d, or d squared."""

    UNWEIGHTED = "unweighted"
    LINEAR = "linear"
    QUADRATIC = "quadratic"


class Estimate(NamedTuple):
    """A figure with the ends of its interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Alpha:
    """Krippendorff's alpha; `interval` by bootstrap over units. `units`: rated at least twice; `values`: in those."""

    value: float
    low: float
    high: float
    units: int
    values: int


@dataclass(frozen=True, slots=True)
class Icc:
    """The six intraclass correlations of Shrout and Fleiss (1979), each with its interval.

    `one_way`: each target has judges of its own. `random`: the judges are a sample, absolute agreement.
    `fixed`: these judges and no others, consistency. `mean_*`: of the mean over all judges.
    """

    one_way: Estimate
    random: Estimate
    fixed: Estimate
    mean_one_way: Estimate
    mean_random: Estimate
    mean_fixed: Estimate
    targets: int
    judges: int


@dataclass(frozen=True, slots=True)
class Kappa:
    """Cohen's kappa. `se` holds for building an interval, not for testing against zero."""

    value: float
    se: float
    pairs: int


# --- Krippendorff's alpha ---------------------------------------------------------------------------------------------


def krippendorff_alpha(
    ratings: ArrayLike,
    level: Level | str = Level.ORDINAL,
    *,
    draws: int = 2000,
    confidence: float = 0.95,
    seed: int = 0,
) -> Alpha:
    """Return alpha = 1 - D_observed / D_expected over `ratings` (raters x units, NaN = not rated).

    With n_uv raters giving unit u the value v and m_u ratings of it, the coincidences are
    o_vw = sum_u n_uv (n_uw - [v = w]) / (m_u - 1), margins n_v, and alpha = 1 - (n - 1) sum o d2 / sum n_v n_w d2.
    The ordinal d2 counts the ratings between two values; ratio is ((v - w) / (v + w))^2.
    Source: Krippendorff, Content Analysis (2004), chapter 11. The interval resamples units, with d2 held as observed.

    Raises ValueError for another shape, an unknown level, or negative values at ratio level.
    """
    level = Level(level)
    table = np.asarray(ratings, dtype=np.float64)
    if table.ndim != 2:
        raise ValueError(f"ratings must be raters x units, not of shape {table.shape}")
    values = np.unique(table[~np.isnan(table)])
    counts = (table[None, :, :] == values[:, None, None]).sum(axis=1).T.astype(np.float64)  # units x values
    counts = counts[counts.sum(axis=1) >= 2]
    if level is Level.RATIO and (values < 0).any():
        raise ValueError("a ratio scale has no negative values")
    in_pairs = counts.sum(axis=0)
    d2 = _difference(values, in_pairs, level)
    per_unit = np.einsum("uv,vw,uw->u", counts, d2, counts) / np.maximum(counts.sum(axis=1) - 1, 1)
    value = float(_alpha(per_unit.sum(), in_pairs, d2))
    low = high = float("nan")
    if draws and np.isfinite(value):
        low, high = _bootstrap(per_unit, counts, d2, draws, confidence, seed)
    return Alpha(value, low, high, units=len(counts), values=int((in_pairs > 0).sum()))


def _difference(values: Table, counts: Table, level: Level) -> Table:
    if level is Level.NOMINAL:
        return 1.0 - np.eye(len(values))
    if level is Level.ORDINAL:
        middle = np.cumsum(counts) - counts / 2  # the rank of a value, ties at their middle
        return np.subtract.outer(middle, middle) ** 2
    apart = np.subtract.outer(values, values)
    if level is Level.RATIO:
        total = np.add.outer(values, values)
        apart = np.divide(apart, total, out=np.zeros_like(apart), where=total > 0)
    return apart**2


def _alpha(observed: NDArray[np.float64] | np.float64, margins: Table, d2: Table) -> NDArray[np.float64]:
    expected = np.einsum("...v,vw,...w->...", margins, d2, margins)
    expected = expected / np.maximum(margins.sum(axis=-1) - 1, 1)
    alpha: NDArray[np.float64] = 1 - np.divide(
        observed, expected, out=np.full_like(expected, np.nan), where=expected > 0
    )
    return alpha


def _bootstrap(
    per_unit: Table, counts: Table, d2: Table, draws: int, confidence: float, seed: int
) -> tuple[float, float]:
    units = len(per_unit)
    drawn = np.random.default_rng(seed).multinomial(units, np.full(units, 1 / units), size=draws).astype(np.float64)
    alphas = _alpha(drawn @ per_unit, drawn @ counts, d2)
    outside = 50 * (1 - confidence)
    low, high = np.nanpercentile(alphas, [outside, 100 - outside])
    return float(low), float(high)


# --- intraclass correlations ------------------------------------------------------------------------------------------


def icc(table: ArrayLike, *, confidence: float = 0.95) -> Icc:
    """Return the six ICCs of a complete `table` (targets x judges, at least 2 x 2).

    From the mean squares of targets (MR), judges (MC), error (ME) and within targets (MW), n targets, k judges:
    (1,1) = (MR - MW) / (MR + (k-1) MW); (2,1) = (MR - ME) / (MR + (k-1) ME + k (MC - ME) / n);
    (3,1) = (MR - ME) / (MR + (k-1) ME); the means: (MR - MW) / MR, (MR - ME) / (MR + (MC - ME) / n), (MR - ME) / MR.
    Intervals by F, for (2,1) with Satterthwaite's degrees of freedom. Source: Shrout and Fleiss (1979); McGraw and
    Wong (1996). Targets with a missing rating are left out, since the formulas need all; NaN when fewer than 2 remain.
    """
    full = np.asarray(table, dtype=np.float64)
    if full.ndim != 2:
        raise ValueError(f"the table must be targets x judges, not of shape {full.shape}")
    full = full[~np.isnan(full).any(axis=1)]
    n, k = full.shape
    if n < 2 or k < 2:
        nothing = Estimate(np.nan, np.nan, np.nan)
        return Icc(nothing, nothing, nothing, nothing, nothing, nothing, n, k)
    with np.errstate(divide="ignore", invalid="ignore"):
        return _six(full, n, k, (1 + confidence) / 2)


def _six(table: Table, n: int, k: int, upper: float) -> Icc:
    mean = table.mean()
    by_target, by_judge = table.mean(axis=1), table.mean(axis=0)
    mr = k * ((by_target - mean) ** 2).sum() / (n - 1)
    mc = n * ((by_judge - mean) ** 2).sum() / (k - 1)
    me = ((table - by_target[:, None] - by_judge + mean) ** 2).sum() / ((n - 1) * (k - 1))
    mw = ((table - by_target[:, None]) ** 2).sum() / (n * (k - 1))
    random = (mr - me) / (mr + (k - 1) * me + k * (mc - me) / n)
    low, high = _random_interval(random, (mr, mc, me), n, k, upper)
    one = _by_f(mr / mw, n - 1, n * (k - 1), upper)
    fixed = _by_f(mr / me, n - 1, (n - 1) * (k - 1), upper)
    return Icc(
        one_way=Estimate(*(float((f - 1) / (f + k - 1)) for f in one)),
        random=Estimate(float(random), low, high),
        fixed=Estimate(*(float((f - 1) / (f + k - 1)) for f in fixed)),
        mean_one_way=Estimate(*(float(1 - 1 / f) for f in one)),
        mean_random=Estimate(
            float((mr - me) / (mr + (mc - me) / n)), *(end * k / (1 + end * (k - 1)) for end in (low, high))
        ),
        mean_fixed=Estimate(*(float(1 - 1 / f) for f in fixed)),
        targets=n,
        judges=k,
    )


def _by_f(f: np.float64, df1: int, df2: int, upper: float) -> tuple[np.float64, np.float64, np.float64]:
    """Return F and the two values between which the true ratio of variances lies."""
    return f, f / scipy.stats.f.ppf(upper, df1, df2), f * scipy.stats.f.ppf(upper, df2, df1)


def _random_interval(
    value: np.float64, squares: tuple[np.float64, np.float64, np.float64], n: int, k: int, upper: float
) -> tuple[float, float]:
    mr, mc, me = squares
    fj = mc / me
    a, b = k * value * fj, n * (1 + (k - 1) * value) - k * value
    df = (k - 1) * (n - 1) * (a + b) ** 2 / ((n - 1) * a**2 + b**2)
    f1, f2 = scipy.stats.f.ppf(upper, n - 1, df), scipy.stats.f.ppf(upper, df, n - 1)
    rest = k * mc + (k * n - k - n) * me
    return float(n * (mr - f1 * me) / (f1 * rest + n * mr)), float(n * (f2 * mr - me) / (rest + n * f2 * mr))


# --- two raters -------------------------------------------------------------------------------------------------------


def cohen_kappa(table: ArrayLike, weights: Weights | str | ArrayLike = Weights.UNWEIGHTED) -> Kappa:
    """Return kappa of a square `table` of counts (first rater's category x second's).

    kappa = (po - pe) / (1 - pe), with agreement weights w: po = sum w p, pe = sum w p_i. p_.j. `weights` may be a
    matrix of agreement weights (1 = full agreement). The standard error is that of Fleiss, Cohen and Everitt (1969).
    """
    counts = np.asarray(table, dtype=np.float64)
    if counts.ndim != 2 or counts.shape[0] != counts.shape[1]:
        raise ValueError(f"the table must be square, not of shape {counts.shape}")
    total = counts.sum()
    if total == 0:
        return Kappa(np.nan, np.nan, 0)
    w = _agreement_weights(weights, len(counts))
    p = counts / total
    rows, columns = p.sum(axis=1), p.sum(axis=0)
    observed, expected = (w * p).sum(), (w * np.outer(rows, columns)).sum()
    if np.isclose(expected, 1):
        return Kappa(np.nan, np.nan, int(total))
    by_row, by_column = w @ columns, rows @ w
    inner = w * (1 - expected) - np.add.outer(by_row, by_column) * (1 - observed)
    variance = (p * inner**2).sum() - (observed * expected - 2 * expected + observed) ** 2
    se = np.sqrt(max(float(variance), 0.0) / total) / (1 - expected) ** 2
    return Kappa(float((observed - expected) / (1 - expected)), float(se), int(total))


def _agreement_weights(weights: Weights | str | ArrayLike, categories: int) -> Table:
    if not isinstance(weights, str):
        return np.asarray(weights, dtype=np.float64)
    apart = np.abs(np.subtract.outer(np.arange(categories), np.arange(categories))) / max(categories - 1, 1)
    if Weights(weights) is Weights.UNWEIGHTED:
        return np.eye(categories)
    return 1 - (apart if Weights(weights) is Weights.LINEAR else apart**2)


def cross_table(first: ArrayLike, second: ArrayLike, categories: int) -> Table:
    """Count pairs of ratings 0 ... categories - 1; pairs with a NaN are left out. Raises ValueError off the scale."""
    pairs = np.column_stack([np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)])
    pairs = pairs[~np.isnan(pairs).any(axis=1)]
    if ((pairs < 0) | (pairs >= categories) | (pairs % 1 != 0)).any():
        raise ValueError(f"ratings must be whole numbers from 0 to {categories - 1}")
    counts = np.zeros((categories, categories))
    np.add.at(counts, tuple(pairs.astype(int).T), 1)
    return counts


def shares_within(ratings: ArrayLike, distance: float = 0) -> float:
    """Return the share of pairs of ratings of one unit that differ by `distance` at most. `ratings`: raters x units."""
    table = np.asarray(ratings, dtype=np.float64)
    first, second = np.triu_indices(len(table), k=1)
    apart = np.abs(table[first] - table[second])
    apart = apart[~np.isnan(apart)]
    return float((apart <= distance).mean()) if apart.size else float("nan")


def fleiss_kappa(counts: ArrayLike) -> float:
    """Return Fleiss' kappa of `counts` (units x categories, the same number of raters in every row). Fleiss (1971)."""
    table = np.asarray(counts, dtype=np.float64)
    raters = table.sum(axis=1)
    if table.ndim != 2 or len(table) == 0 or (raters != raters[0]).any() or raters[0] < 2:
        raise ValueError("every unit needs the same number of raters, at least two")
    observed = ((table**2).sum(axis=1) - raters) / (raters * (raters - 1))
    expected = float(((table.sum(axis=0) / table.sum()) ** 2).sum())
    return float((observed.mean() - expected) / (1 - expected)) if expected < 1 else float("nan")


# --- the lead against listeners ---------------------------------------------------------------------------------------


def lead_effect(lead: ArrayLike, listeners: ArrayLike, *, confidence: float = 0.95) -> Estimate:
    """Return the mean of (lead's rating - mean of the listeners') over answers that both rated, with a t interval.

    `lead` has one rating an answer, `listeners` raters x answers; NaN = not rated. Positive: the lead marks higher.
    """
    table = np.asarray(listeners, dtype=np.float64)
    heard = ~np.isnan(table)
    number = heard.sum(axis=0)
    mean = np.divide(
        np.where(heard, table, 0).sum(axis=0), number, out=np.full(table.shape[1], np.nan), where=number > 0
    )
    apart = np.asarray(lead, dtype=np.float64) - mean
    apart = apart[~np.isnan(apart)]
    if apart.size < 2:
        return Estimate(float(apart.mean()) if apart.size else np.nan, np.nan, np.nan)
    half = scipy.stats.t.ppf((1 + confidence) / 2, apart.size - 1) * apart.std(ddof=1) / np.sqrt(apart.size)
    return Estimate(float(apart.mean()), float(apart.mean() - half), float(apart.mean() + half))
