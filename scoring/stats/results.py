"""What a calibration found, by the codes of its ratings."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from scoring.stats import elimination
from scoring.stats.arrays import Floats, Ints
from scoring.stats.crossed import Places
from scoring.stats.layout import Terms
from scoring.stats.newton import Model, State, System
from scoring.stats.posterior import Added
from scoring.stats.ratings import Ratings
from scoring.stats.variances import Variances, real_codes


@dataclass(frozen=True, eq=False)
class Calibration:
    """Estimates and standard errors, all in logits unless said otherwise. C candidates, R interviewers, I difficulty
    columns, D dimensions, G scales.

    - `ability`, `ability_se` (C,): capability theta, deviation from the mean of all candidates' prior.
    - `by_dimension`, `by_dimension_se` (C, D): theta + xi, NaN where a candidate was not rated on the dimension.
    - `severity`, `severity_se` (R,): higher is stricter. `difficulty`, `difficulty_se` (I,), see `Ratings.column`.
    - `intercepts` (G,); `thresholds`, `thresholds_se`: for each scale its K thresholds, which sum to zero.
    - `halo`, `halo_se` (sessions,): gamma; `answer`, `answer_se` (answers,): zeta. Empty when the term is off.
    - `predictor`, `predictor_variance` (n,): posterior mean and variance of psi, row by row as the ratings came.
    - `variances`: of the random effects, logits squared, 0 for a term that is off.
    - `vector`, `covariance`: all crossed parameters (`crossed.Places`) and their posterior covariance, which is
      what re-scoring one candidate needs.
    - `log_likelihood`: Laplace-approximate marginal ("laplace") or joint ("jml") log-likelihood of the ratings.
    - `laplace_term`: False where ratings were so few or so extreme that variances could not be estimated: they are
      the prior's medians, and estimates are the joint mode.
    """

    ratings: Ratings = field(repr=False)
    model: str
    terms: Terms
    variances: Variances
    slopes: Floats
    intercepts: Floats
    severity: Floats
    severity_se: Floats
    difficulty: Floats
    difficulty_se: Floats
    thresholds: tuple[Floats, ...]
    thresholds_se: tuple[Floats, ...]
    ability: Floats
    ability_se: Floats
    by_dimension: Floats
    by_dimension_se: Floats
    halo: Floats
    halo_se: Floats
    answer: Floats
    answer_se: Floats
    predictor: Floats
    predictor_variance: Floats
    vector: Floats
    covariance: Floats
    log_likelihood: float
    iterations: int
    converged: bool
    laplace_term: bool


def assemble(
    model: Model,
    state: State,
    system: System,
    added: list[Added],
    covariance: Floats,
    variances: Variances,
    *,
    log_likelihood: float,
    laplace_term: bool,
    iterations: int,
    converged: bool,
) -> Calibration:
    """Carry estimates from chunks back to the codes of the ratings."""
    layout, places = model.layout, model.places
    ratings = layout.ratings
    errors = np.sqrt(np.diag(covariance))
    return Calibration(
        ratings=ratings,
        model="laplace",
        terms=layout.terms,
        variances=variances,
        slopes=model.slopes,
        intercepts=places.intercept(state.vector),
        severity=places.severity(state.vector),
        severity_se=places.severity(errors),
        difficulty=places.difficulty(state.vector),
        difficulty_se=places.difficulty(errors),
        thresholds=tuple(places.tau(state.vector, number) for number in range(len(places.scales))),
        thresholds_se=_threshold_errors(places, covariance),
        vector=state.vector,
        covariance=covariance,
        log_likelihood=log_likelihood,
        iterations=iterations,
        converged=converged,
        laplace_term=laplace_term,
        **_own(model, state, system, added),
    )


def _own(model: Model, state: State, system: System, added: list[Added]) -> dict[str, Floats]:
    """Candidates' own effects with their errors, and each row's predictor, by code."""
    layout, ratings = model.layout, model.layout.ratings
    people, dimensions = ratings.candidates, len(ratings.labels.dimension)
    ability, ability_se = np.zeros((2, people))
    by_dimension, by_dimension_se = np.full((2, people, dimensions), np.nan)
    halo, halo_se = np.zeros((2, layout.effects["halo"]))
    answer, answer_se = np.zeros((2, layout.effects["answer"]))
    predictor, spread = np.empty((2, len(ratings)))
    for number, (chunk, factor, more) in enumerate(zip(layout, system.factors, added, strict=True)):
        own = state.own[number]
        variance = elimination.effect_variances(chunk, factor)
        who = layout.people[chunk.first : chunk.first + chunk.m]
        core = variance.core + more.own.core
        ability[who], ability_se[who] = own.core[0], np.sqrt(core[0])
        d = slice(1, 1 + chunk.D)
        place, place_of = real_codes(chunk.dimension_code)
        at = (who[place_of], chunk.dimension_code[place, place_of])
        total = core[0] + core[d] + 2.0 * (factor.core[0, d] + more.dimensions)
        by_dimension[at] = (own.core[0] + own.core[d])[place, place_of]
        by_dimension_se[at] = np.sqrt(total[place, place_of])
        _fill(chunk.session_code, own.core[1 + chunk.D :], core[1 + chunk.D :], halo, halo_se)
        _fill(chunk.answer_code, own.answer, variance.answer + more.own.answer, answer, answer_se)
        rows = layout.order[chunk.rows]
        predictor[rows] = model.predictor(chunk, state, number)
        spread[rows] = elimination.row_variances(chunk, factor) + more.rows
    if not layout.terms.dimension:
        by_dimension, by_dimension_se = (same_everywhere(ratings, values) for values in (ability, ability_se))
    return {
        "ability": ability,
        "ability_se": ability_se,
        "by_dimension": by_dimension,
        "by_dimension_se": by_dimension_se,
        "halo": halo,
        "halo_se": halo_se,
        "answer": answer,
        "answer_se": answer_se,
        "predictor": predictor,
        "predictor_variance": spread,
    }


def same_everywhere(ratings: Ratings, values: Floats) -> Floats:
    """Candidates' values (C,) on every dimension they were rated on, (C, D), NaN elsewhere."""
    rated = np.zeros((ratings.candidates, len(ratings.labels.dimension)), bool)
    rated[ratings.candidate, ratings.dimension] = True
    return np.where(rated, values[:, None], np.nan)


def _threshold_errors(places: Places, covariance: Floats) -> tuple[Floats, ...]:
    errors = []
    for number, scale in enumerate(places.scales):
        at = places.of_scale(number)
        of = slice(places.thresholds + at.start, places.thresholds + at.stop)
        errors.append(np.sqrt(np.diag(scale.contrasts @ covariance[of, of] @ scale.contrasts.T)))
    return tuple(errors)


def _fill(codes: Ints, values: Floats, variances: Floats, into: Floats, errors: Floats) -> None:
    place, who = real_codes(codes)
    into[codes[place, who]] = values[place, who]
    errors[codes[place, who]] = np.sqrt(variances[place, who])
