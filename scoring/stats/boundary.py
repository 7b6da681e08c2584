"""Boundary depth as ratings: how far someone got on a tree, as continuation ratios.

Every level tried is a row of its own on a scale of 0 and 1: passed or not, given that it was reached (Tutz 1990,
Sequential item response models). Levels never tried - skipped on the way up, or beyond the last one when time ran out -
have no row, so censoring is exact as long as stopping had nothing to do with the answers. A person who fails a level
ends there. Rows and ratings of one answer by one person are one observation in part: fuse them only where held-out
error falls (`held_out_gain`), and never report the boundary alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy

from scoring.stats.arrays import Bools, Floats, Ints
from scoring.stats.facets import Options, calibrate
from scoring.stats.fit import row_statistics
from scoring.stats.ratings import NO_ANSWER, Labels, Ratings, RatingsError
from scoring.stats.results import Calibration

BOUNDARY_SCALE = "boundary"
SLOPES = (0.2, 5.0)
SLOPE_TOLERANCE = 0.02


@dataclass(frozen=True)
class Depth:
    """How far one candidate got with one interviewer on one tree, by ids.

    Levels count from 1. `lowest` is the first level tried, `passed` the deepest passed (`lowest` - 1 for none);
    `failed` says whether the level after it was tried and not passed. Time running out, or an end for any other reason
    that has nothing to do with the answer, is `failed` False.
    """

    candidate: str
    interviewer: str
    tree: str
    lowest: int
    passed: int
    failed: bool


@dataclass(frozen=True)
class HeldOut:
    """Mean squared error of held-out ratings without and with boundary rows, on the scale people rate on, and the
    difference (positive: boundary helps) with its standard error over candidates."""

    without: float
    fused: float
    gain: float
    gain_se: float

    @property
    def worth_it(self) -> bool:
        """Whether fusing lowered held-out error beyond chance."""
        return self.gain > 2.0 * self.gain_se


def expand(depths: Sequence[Depth]) -> list[tuple[int, int, int]]:
    """The rows of `depths`: (index into depths, level, 1 passed or 0 not).

    Raises RatingsError, with the rows at fault, for a depth that cannot be.
    """
    bad = [row for row, depth in enumerate(depths) if depth.lowest < 1 or depth.passed < depth.lowest - 1]
    if bad:
        raise RatingsError("A boundary passed fewer levels than none, or starts below level 1.", bad)
    rows = []
    for number, depth in enumerate(depths):
        rows += [(number, level, 1) for level in range(depth.lowest, depth.passed + 1)]
        if depth.failed:
            rows.append((number, depth.passed + 1, 0))
    return rows


def fuse(ratings: Ratings, depths: Sequence[Depth], *, own_severity: bool = False) -> Ratings:
    """Add boundary rows to `ratings` on a scale of their own, each tree and level an item.

    Capability and session are shared with the ratings. `own_severity` gives every interviewer a second severity, for
    boundaries ("Ana#boundary"). Candidates and interviewers must occur in the ratings: RatingsError otherwise.
    """
    labels = ratings.labels
    people = {name: code for code, name in enumerate(labels.candidate)}
    raters = {name: code for code, name in enumerate(labels.interviewer)}
    strange = [
        row for row, depth in enumerate(depths) if depth.candidate not in people or depth.interviewer not in raters
    ]
    if strange:
        raise RatingsError("A boundary names a candidate or an interviewer without ratings.", strange)
    rows = expand(depths)
    if not rows:
        return ratings
    levels = sorted({(depths[number].tree, level) for number, level, _ in rows})
    item = {place: len(labels.item) + code for code, place in enumerate(levels)}
    rater_names = labels.interviewer
    if own_severity:
        rater_names = (*rater_names, *(f"{name}#{BOUNDARY_SCALE}" for name in labels.interviewer))
    candidate = np.array([people[depths[number].candidate] for number, _, _ in rows])
    talker = np.array([raters[depths[number].interviewer] for number, _, _ in rows])
    added = len(rows)
    return Ratings.from_codes(
        np.concatenate([ratings.candidate, candidate]),
        np.concatenate([ratings.interviewer, talker + own_severity * len(raters)]),
        np.concatenate([ratings.item, [item[depths[number].tree, level] for number, level, _ in rows]]),
        np.concatenate([ratings.rating, [passed for _, _, passed in rows]]),
        dimension=np.concatenate([ratings.dimension, np.full(added, len(labels.dimension))]),
        answer=np.concatenate([ratings.answer, np.full(added, NO_ANSWER)]),
        scale=np.concatenate([ratings.scale, np.full(added, len(ratings.top))]),
        session=np.concatenate([ratings.session, _sessions(ratings, candidate, talker)]),
        top=[*ratings.top, 1],
        labels=Labels(
            labels.candidate,
            rater_names,
            (*labels.item, *(f"{tree} level {level}" for tree, level in levels)),
            (*labels.dimension, BOUNDARY_SCALE),
            (*labels.scale, BOUNDARY_SCALE),
        ),
    )


def _sessions(ratings: Ratings, candidate: Ints, talker: Ints) -> Ints:
    """The session of each boundary row: the pair's first one, or a new one where the two have no ratings."""
    pairs = ratings.candidate * ratings.interviewers + ratings.interviewer
    known, first = np.unique(pairs, return_index=True)
    wanted = candidate * ratings.interviewers + talker
    place = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    met = known[place] == wanted
    new = int(ratings.session.max()) + 1 + talker
    return np.asarray(np.where(met, ratings.session[first[place]], new))


def calibrate_fused(ratings: Ratings, options: Options | None = None) -> Calibration:
    """Calibrate fused ratings, the slope of the last scale (the boundary's) found by the Laplace marginal likelihood.

    Binary outcomes make that slope some 8 per cent too small, the Laplace method's usual bias.
    """
    options = options or Options()
    ones = (1.0,) * (len(ratings.top) - 1)
    warm = options

    def fitted(log_slope: float) -> Calibration:
        nonlocal warm
        found = calibrate(ratings, replace(warm, slopes=(*ones, float(np.exp(log_slope)))))
        warm = replace(options, variances=found.variances, begin=found.vector)
        return found

    best = scipy.optimize.minimize_scalar(
        lambda log_slope: -fitted(log_slope).log_likelihood,
        bounds=tuple(np.log(SLOPES)),
        method="bounded",
        options={"xatol": SLOPE_TOLERANCE},
    )
    return fitted(float(best.x))


def held_out_gain(fused: Ratings, *, folds: int = 3, seed: int = 0, slope: float = 1.0) -> HeldOut:
    """Say whether boundary rows help to foretell ratings: sessions are held out in turn, ratings and boundaries both,
    and foretold from the candidate's other sessions, once from ratings alone and once with boundaries.

    `fused` is what `fuse` made. Candidates with one session are foretold by nothing and left out.
    """
    last = len(fused.top) - 1
    boundary = fused.scale == last
    several = np.bincount(fused.session_candidate, minlength=fused.candidates) > 1
    fold = np.random.default_rng(seed).permutation(len(fused.session_candidate)) % folds
    errors = np.zeros((2, fused.candidates))
    counts = np.zeros(fused.candidates)
    for number in range(folds):
        out = fold[fused.session] == number
        wanted = out & ~boundary & several[fused.candidate]
        counts += np.bincount(fused.candidate[wanted], minlength=fused.candidates)
        for way, rows in enumerate((~out & ~boundary, ~out)):
            missed = _missed(fused, rows, wanted, slope)
            errors[way] += np.bincount(fused.candidate[wanted], missed**2, fused.candidates)
    told = counts > 0
    by_candidate = (errors[0] - errors[1])[told]
    whole = counts.sum()
    spread = float(np.sqrt(((by_candidate - by_candidate.mean()) ** 2).sum()))
    without, with_boundary = errors.sum(axis=1) / whole
    return HeldOut(float(without), float(with_boundary), float(without - with_boundary), spread / float(whole))


def _missed(fused: Ratings, rows: Bools, wanted: Bools, slope: float) -> Floats:
    """Residuals of the wanted rows under a fit of other rows."""
    kept = fused.of_rows(rows)
    found = calibrate(kept, Options(slopes=(*[1.0] * (len(fused.top) - 1), slope)))
    by_name = {name: code for code, name in enumerate(kept.labels.candidate)}
    code = np.array([by_name.get(name, -1) for name in fused.labels.candidate])[fused.candidate[wanted]]
    dimension = np.nan_to_num(found.by_dimension)[code, fused.dimension[wanted]]
    ability = np.where(code >= 0, np.where(dimension != 0.0, dimension, found.ability[code]), 0.0)
    psi = ability - found.severity[fused.interviewer[wanted]] - found.difficulty[fused.column[wanted]]
    psi += found.intercepts[fused.scale[wanted]]
    told = fused.of_rows(wanted)
    guess = replace(found, ratings=told, predictor=psi, predictor_variance=np.zeros(len(psi)))
    return row_statistics(guess).residual
