"""How able somebody is on one tree, as far as one person's marks can tell, and how much one more answer would tell.

**Model.** Ability t on a tree and difficulty d of a probe stand on the logit scale of the calibration. An answer is a
pass, unclear or a miss (`credit_of`); with x = a (t - d)

    P(pass) = e^(x/2) / Z,   P(miss) = e^(-x/2) / Z,   P(unclear) = U / Z,   Z = e^(x/2) + e^(-x/2) + U

so that log P(pass)/P(miss) = x: the Rasch model where the answer was clear, and the calibration's own adjacent-category
model with three categories (Masters 1982, A Rasch model for partial credit scoring; as ties: Davidson 1970). An unclear
answer moves the estimate towards d and not past it. `a` is 1 for a difficulty known exactly; one known to +-s counts
for less, a = 1/sqrt(1 + pi s^2/8) (MacKay 1992, the evidence framework applied to classification networks).

**Prior.** t is normal, mean 0, standard deviation `PRIOR_SD`, alone for each tree: what was heard on one tree says
nothing about another here, so that a hint can say from which marks it follows.

**Gain.** What a probe is expected to tell is by how much its answer lowers the posterior variance of t on average, in
logits squared: V - sum over answers k of P(k) V_k (van der Linden and Pashley 2010, Item selection and ability
estimation in adaptive testing: minimum expected posterior variance).

Everything is reckoned on a grid of `len(GRID)` points. What was reckoned is kept; it holds numbers only.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import exp, pi, sqrt
from operator import mul

from interviews.rules.boundaries import Credit

PRIOR_SD = 1.4
"""Logits. Of calibrated candidates about 1; as much again for what this person happened to work on."""
EASIEST = -1.5
"""Difficulty of a root that is not calibrated, in logits: three of four candidates pass it."""
STEP = 1.0
"""Logits from one level to the next where nothing is calibrated."""
LEVEL_SD = 0.7
"""How much probes of one level differ in difficulty, in logits: what calibrations of simulated banks assume too."""
UNCLEAR = 2 / 3
"""Weight of an unclear answer: a quarter of the answers where pass and miss are equally likely."""

GRID = tuple(step / 3 for step in range(-15, 16))
_DENSITY = [exp(-((point / PRIOR_SD) ** 2) / 2) for point in GRID]
_PRIOR = [density / sum(_DENSITY) for density in _DENSITY]
_FINE = 9  # difficulties are taken to a ninth of a logit: three steps of this to one of the grid
_SE = 10  # and their errors to a tenth
_FURTHEST = 8 * _FINE
_LEAST_SURE = 5 * _SE
_SPAN = (len(GRID) - 1) * _FINE // 3 + 1
_KEPT = 4096


@dataclass(frozen=True, slots=True)
class Difficulty:
    """Of one probe, in logits, with its standard error."""

    logits: float
    se: float


@dataclass(frozen=True, slots=True)
class Ability:
    """What is known of somebody on one tree: posterior mean and standard deviation in logits."""

    mean: float
    sd: float


Answer = tuple[Difficulty, Credit]
_Known = tuple[tuple[int, int, Credit], ...]
_Weights = tuple[float, ...]


def difficulty_of_level(level: int) -> Difficulty:
    """What is assumed of a probe that no calibration knows. `level` counts from 1."""
    return Difficulty(EASIEST + STEP * (level - 1), LEVEL_SD)


def ability(answers: Iterable[Answer]) -> Ability:
    """Return the posterior after these answers, in whatever order."""
    found = _posterior(_known(answers))
    return Ability(found.mean, sqrt(found.variance))


class Prospect:
    """What further answers on one tree are expected to tell, after those heard."""

    def __init__(self, answers: Iterable[Answer]) -> None:
        self._known = _known(answers)

    def gain(self, difficulty: Difficulty) -> float:
        """Expected fall of the variance, in logits squared; from 0 (tells nothing) to the variance itself."""
        return _gain(self._known, *_rounded(difficulty))


def _rounded(difficulty: Difficulty) -> tuple[int, int]:
    logits = round(difficulty.logits * _FINE)
    return max(-_FURTHEST, min(_FURTHEST, logits)), max(0, min(_LEAST_SURE, round(difficulty.se * _SE)))


def _known(answers: Iterable[Answer]) -> _Known:
    return tuple(sorted((*_rounded(difficulty), credit) for difficulty, credit in answers))


@dataclass(frozen=True, slots=True)
class _Posterior:
    weights: _Weights
    first: _Weights  # weights times ability
    mean: float
    variance: float


@lru_cache(maxsize=64)
def _curves(se: int) -> dict[Credit, _Weights]:
    """The chance of each credit for every t - d, in steps of `_FINE`."""
    slope = 1 / sqrt(1 + pi * (se / _SE) ** 2 / 8)
    reach = round(GRID[-1] * _FINE) + _FURTHEST
    halves = [exp(slope * step / _FINE / 2) for step in range(-reach, reach + 1)]
    totals = [half + 1 / half + UNCLEAR for half in halves]
    return {
        Credit.PASS: tuple(half / total for half, total in zip(halves, totals, strict=True)),
        Credit.UNCLEAR: tuple(UNCLEAR / total for total in totals),
        Credit.MISS: tuple(1 / (half * total) for half, total in zip(halves, totals, strict=True)),
    }


def _chances(logits: int, se: int, credit: Credit) -> _Weights:
    """The chance of a credit at every point of the grid: a piece of its curve."""
    first = _FURTHEST - logits
    return _curves(se)[credit][first : first + _SPAN : _FINE // 3]


@lru_cache(maxsize=_KEPT // 8)
def _posterior(known: _Known) -> _Posterior:
    weights = _PRIOR
    for logits, se, credit in known:
        weights = list(map(mul, weights, _chances(logits, se, credit)))
        total = sum(weights)
        weights = [weight / total for weight in weights]  # each time, so that nothing vanishes however much was heard
    shares = tuple(weights)
    first = tuple(map(mul, shares, GRID))
    mean = sum(first)
    return _Posterior(shares, first, mean, sum(map(mul, first, GRID)) - mean * mean)


@lru_cache(maxsize=_KEPT)
def _gain(known: _Known, logits: int, se: int) -> float:
    now = _posterior(known)
    # V - sum P(k) V_k is the variance of the mean: sum P(k) m_k^2 - m^2. What is not passed or missed is unclear.
    left, weighed, spread = 1.0, now.mean, -now.mean * now.mean
    for credit in (Credit.PASS, Credit.MISS):
        chances = _chances(logits, se, credit)
        chance, moment = sum(map(mul, now.weights, chances)), sum(map(mul, now.first, chances))
        left, weighed, spread = left - chance, weighed - moment, spread + moment * moment / chance
    return max(spread + weighed * weighed / left, 0.0)


def forget() -> None:
    """Throw away what was reckoned before, for a benchmark of the first time."""
    for kept in (_curves, _posterior, _gain):
        kept.cache_clear()
