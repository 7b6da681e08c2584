"""Variances of the random effects: Fisher scoring on their logarithms under weak priors.

For effects u of kind k with posterior means u, posterior covariance C and variance s2_k, the Laplace-approximate
marginal likelihood has, by log s2_k, the gradient

    (sum u^2 / s2_k - (J_k - tr C_kk / s2_k)) / 2

which is zero where EM and MacKay's fixed point (1992, Bayesian interpolation) stand still, and the expected
information  ||M_kl||^2 / 2  with  M_kl = [k = l] I - C_kl / sqrt(s2_k s2_l)  (Searle, Casella & McCulloch 1992,
Variance components, ch. 6). A scoring step is worth dozens of EM's where a variance is nearly nothing. A
log-normal prior matters only where there is next to nothing to learn a variance from: it keeps five ratings from
sounding sure, one interviewer from having no spread, and one interviewer per candidate from having no halo. On the
logarithm it lets a variance come near nothing where the data say so, as an inverse chi-squared prior would not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from typing import TypeAlias

import numpy as np

from scoring.stats.arrays import Bools, Floats, Ints
from scoring.stats.crossed import Places
from scoring.stats.elimination import Factor, Own, Precisions, effect_variances
from scoring.stats.layout import Chunk

Block: TypeAlias = tuple[str, slice, Bools]
"""A kind of core effect, where it lies, and which places of it are no padding."""

KINDS = ("candidate", "dimension", "halo", "answer", "severity", "difficulty")
OWN_KINDS = KINDS[:4]
PRIOR_CENTRE = {"candidate": 1.0, "dimension": 0.04, "halo": 0.12, "answer": 0.04, "severity": 0.3, "difficulty": 0.3}
PRIOR_WIDTH = {"candidate": 0.65, "dimension": 1.5, "halo": 1.5, "answer": 1.5, "severity": 1.5, "difficulty": 1.5}
"""Median of a variance and standard deviation of its logarithm, before any data."""
LEAST, MOST = 1e-6, 100.0
MOST_OFF, MOST_ON = -0.8, 5.0
FORGET_BEYOND = 6.0
DAMPING = 1e-2
FURTHEST = 2.5
SMALL_VARIANCE = 0.1
"""In logits squared: relative change in a variance well below this moves no result, and is not waited for."""


@dataclass(frozen=True)
class Variances:
    """Variances in logits squared, by default the prior's medians; 0 for a term the model does not have."""

    candidate: float = PRIOR_CENTRE["candidate"]
    dimension: float = PRIOR_CENTRE["dimension"]
    halo: float = PRIOR_CENTRE["halo"]
    answer: float = PRIOR_CENTRE["answer"]
    severity: float = PRIOR_CENTRE["severity"]
    difficulty: float = PRIOR_CENTRE["difficulty"]

    def precisions(self) -> Precisions:
        """1 / variance; 1 for a term that is off and whose effects do not exist."""
        return Precisions(**{kind: 1.0 / value if (value := getattr(self, kind)) > 0 else 1.0 for kind in KINDS})

    def logs(self, kinds: Iterable[str]) -> Floats:
        return np.log([getattr(self, kind) for kind in kinds])

    def with_logs(self, kinds: Iterable[str], logs: Floats) -> Variances:
        values = {part.name: getattr(self, part.name) for part in fields(self)}
        values.update({kind: min(max(float(np.exp(log)), LEAST), MOST) for kind, log in zip(kinds, logs, strict=True)})
        return Variances(**values)


class Learned:
    """Gradient and information of the log variances, gathered chunk by chunk."""

    def __init__(self, variances: Variances) -> None:
        self.variances = variances
        self.squares = dict.fromkeys(KINDS, 0.0)
        self.effects = dict.fromkeys(KINDS, 0)
        self.traces = dict.fromkeys(KINDS, 0.0)
        self.information = np.zeros((len(KINDS), len(KINDS)))

    def add_own(self, chunk: Chunk, factor: Factor, state: Own, crossed: Own) -> None:
        """Take in a chunk's own effects. `crossed` is what crossed parameters add to their variances."""
        variance = effect_variances(chunk, factor)
        core = variance.core + crossed.core
        blocks = self._blocks(chunk)
        for kind, of, real in blocks:
            self._add(kind, state.core[of][real], core[of][real])
        if chunk.A:
            real = chunk.answer_code >= 0
            self._add("answer", state.answer[real], (variance.answer + crossed.answer)[real])
        self._add_information(chunk, factor, blocks, variance.answer)

    def add_crossed(self, places: Places, vector: Floats, covariance: Floats) -> None:
        """Take in severities and difficulties."""
        parts = {
            "severity": slice(0, places.interviewers),
            "difficulty": slice(places.interviewers, places.intercepts),
        }
        for kind, of in parts.items():
            self._add(kind, vector[of], np.diag(covariance)[of])
        for kind, of in parts.items():
            for other, of_other in parts.items():
                scaled = covariance[of, of_other] / np.sqrt(
                    getattr(self.variances, kind) * getattr(self.variances, other)
                )
                if kind == other:
                    scaled = np.eye(len(scaled)) - scaled
                self.information[KINDS.index(kind), KINDS.index(other)] += 0.5 * float((scaled**2).sum())

    def next(self, kinds: tuple[str, ...]) -> Floats:
        """The log variances that one scoring step leads to."""
        gradient = np.empty(len(kinds))
        chosen = [KINDS.index(kind) for kind in kinds]
        information = self.information[np.ix_(chosen, chosen)]
        for number, kind in enumerate(kinds):
            variance, known = getattr(self.variances, kind), 1.0 / PRIOR_WIDTH[kind] ** 2
            told = self.effects[kind] - self.traces[kind] / variance
            gradient[number] = 0.5 * (self.squares[kind] / variance - told)
            gradient[number] -= known * float(np.log(variance / PRIOR_CENTRE[kind]))
            information[number, number] += known
        step = np.linalg.solve(information, gradient)
        # The likelihood is nearer to a parabola in a variance than in its logarithm.
        return np.asarray(self.variances.logs(kinds) + np.log1p(np.clip(step, MOST_OFF, MOST_ON)))

    def _add(self, kind: str, effects: Floats, variances: Floats) -> None:
        self.effects[kind] += effects.size
        self.squares[kind] += float((effects**2).sum())
        self.traces[kind] += float(variances.sum())

    @staticmethod
    def _blocks(chunk: Chunk) -> list[Block]:
        blocks: list[Block] = [("candidate", slice(0, 1), np.ones((1, chunk.m), bool))]
        if chunk.D:
            blocks.append(("dimension", slice(1, 1 + chunk.D), chunk.dimension_code >= 0))
        if chunk.S:
            blocks.append(("halo", slice(1 + chunk.D, chunk.q), chunk.session_code >= 0))
        return blocks

    def _add_information(
        self,
        chunk: Chunk,
        factor: Factor,
        blocks: list[Block],
        answers: Floats,
    ) -> None:
        """Add half the squared norms of M's blocks, for own effects; padded places have M = 0 and add nothing."""
        square = factor.core**2
        scale = {kind: getattr(self.variances, kind) for kind in OWN_KINDS}
        for place, (kind, of, real) in enumerate(blocks):
            at = KINDS.index(kind)
            diagonal = np.einsum("iim->im", factor.core[of, of])[real]
            within = float(square[of, of].sum()) - scale[kind] ** 2 * float((~real).sum())
            norm = real.sum() - 2.0 * float(diagonal.sum()) / scale[kind] + within / scale[kind] ** 2
            self.information[at, at] += 0.5 * norm
            for other, of_other, _ in blocks[:place]:
                norm = float(square[of, of_other].sum()) / (scale[kind] * scale[other])
                self._add_between(at, KINDS.index(other), norm)
        if not chunk.A:
            return
        reach = np.einsum("ijm,ajm->aim", factor.core, factor.per_answer) * factor.answer[:, None]
        at, real = KINDS.index("answer"), chunk.answer_code >= 0
        for other, of_other, _ in blocks:
            norm = float((reach[:, of_other] ** 2).sum()) / (scale["answer"] * scale[other])
            self._add_between(at, KINDS.index(other), norm)
        told = 1.0 - answers[real] / scale["answer"]
        norm = float((told**2).sum())
        scaled = factor.per_answer * factor.answer[:, None]
        for place in range(1, chunk.A):
            between = np.einsum("im,bim->bm", reach[place], scaled[:place])
            norm += 2.0 * float((between**2).sum()) / scale["answer"] ** 2
        self.information[at, at] += 0.5 * norm

    def _add_between(self, one: int, other: int, norm: float) -> None:
        self.information[one, other] += 0.5 * norm
        self.information[other, one] += 0.5 * norm


@dataclass
class Anderson:
    """Anderson mixing (type II) of a fixed-point iteration x <- g(x) over few dimensions: learns from the last few
    points how residuals move with x, and goes where they would vanish (Walker & Ni 2011). Points from where residuals
    were several times as large are forgotten: what they say of slopes misleads."""

    memory: int = 4
    points: list[tuple[Floats, Floats]] = field(default_factory=list)

    def next(self, x: Floats, g: Floats, weights: Floats) -> Floats:
        """Take in g(x) and return the next point to try. `weights` say how much each coordinate matters."""
        residual = g - x
        size = float(np.abs(residual * weights).max())
        near = [point for point in self.points if np.abs(point[1] * weights).max() < FORGET_BEYOND * size]
        self.points = [*near[-self.memory :], (x, residual)]
        if len(self.points) == 1:
            return g
        moved = np.array([x - point for point, _ in self.points[:-1]]).T
        changed = np.array([residual - there for _, there in self.points[:-1]]).T
        weighted = weights[:, None] * changed
        square = weighted.T @ weighted
        square[np.diag_indices_from(square)] *= 1.0 + DAMPING
        # Least squares, since a point tried twice would make the system singular.
        mix = np.linalg.lstsq(square, weighted.T @ (weights * residual), rcond=1e-12)[0]
        step = residual - (moved + changed) @ mix
        limit = FURTHEST * np.abs(residual) + 0.1 * size
        return np.asarray(x + np.clip(step, -limit, limit))


def weights_of(variances: Variances, kinds: tuple[str, ...]) -> Floats:
    """How much a relative change in each variance matters: in proportion to the variance where that is small."""
    return np.minimum(1.0, np.exp(variances.logs(kinds)) / SMALL_VARIANCE)


def unsettled(variances: Variances, kinds: tuple[str, ...], residual: Floats) -> float:
    """How far the variances are from settled: the largest relative change, by its weight."""
    return float(np.max(np.abs(residual) * weights_of(variances, kinds), initial=0.0))


def real_codes(codes: Ints) -> tuple[Ints, Ints]:
    """Places and persons of codes that are not padding."""
    place, who = np.nonzero(codes >= 0)
    return place, who
