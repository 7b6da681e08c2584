from __future__ import annotations

import numpy as np
import pytest

from scoring.stats.aside import measure_aside
from scoring.stats.designs import Design, draw_ratings, simulate
from scoring.stats.facets import Options, calibrate
from scoring.stats.fit import fit_by, row_statistics
from scoring.stats.layout import Terms
from scoring.stats.ratings import Ratings, RatingsError

pytestmark = pytest.mark.unit

DESIGN = Design(candidates=150, interviewers=8, pool=6, raters=(3, 3), halo=0.4)
TRUTH = simulate(DESIGN, 1)


def shadowed(severity: float, sessions: int = 40, item: str | None = None, interviewer: str = "shadow") -> Ratings:
    """A shadow's ratings of two answers of each of some candidates."""
    draw = np.random.default_rng(int(10 * severity) + 50)
    rows = [(person, asked, dimension) for person in range(sessions) for asked in (0, 1) for dimension in range(3)]
    person, asked, dimension = np.array(rows).T
    psi = TRUTH.ability[person] + draw.normal(0.0, 0.4, sessions)[person] - severity
    if item is None:
        psi = psi - TRUTH.difficulty.reshape(6, 3)[asked, dimension]
    return Ratings.from_columns(
        [str(code) for code in person],
        [interviewer] * len(rows),
        [item or str(code) for code in asked],
        draw_ratings(psi, np.array(DESIGN.thresholds), draw),
        dimension=[str(code) for code in dimension],
        scale=["0"] * len(rows),
        top={"0": 4},
    )


def test_a_shadow_gets_a_severity_and_moves_no_one() -> None:
    found = calibrate(TRUTH.ratings)
    before = found.ability.copy(), found.vector.copy()

    for severity in (-0.8, 0.8):
        aside = measure_aside(found, shadowed(severity))
        # Severities are known up to a constant: what the eight interviewers happen to be on average.
        error = aside.severity[0] - severity - (found.severity - TRUTH.severity).mean()
        assert abs(error) < 3.0 * aside.severity_se[0]
        assert 0.05 < aside.severity_se[0] < 0.3
        np.testing.assert_allclose(aside.thresholds[0], found.thresholds[0], atol=1e-9)
        known = [list(found.ratings.column_item).index(0)]
        np.testing.assert_allclose(aside.difficulty[0], found.difficulty[known], atol=1e-9)
        assert aside.difficulty_se.max() < 1e-5
        assert fit_by(row_statistics(aside), aside.ratings.interviewer, 1).infit[0] == pytest.approx(1.0, abs=0.25)

    np.testing.assert_array_equal(found.ability, before[0])
    np.testing.assert_array_equal(found.vector, before[1])


def test_a_trial_probe_gets_a_difficulty_from_interviewers_who_are_known() -> None:
    found = calibrate(TRUTH.ratings)
    aside = measure_aside(found, shadowed(TRUTH.severity[2], item="trial", interviewer="2"))

    assert aside.severity[0] == pytest.approx(found.severity[2])
    np.testing.assert_allclose(aside.difficulty, 0.0, atol=0.5)
    assert (aside.difficulty_se > 0.05).all()


def test_a_measure_aside_is_nearly_that_of_a_fit_together() -> None:
    aside_ratings = shadowed(0.5, sessions=100)
    found = calibrate(TRUTH.ratings)
    aside = measure_aside(found, aside_ratings)
    both, more = TRUTH.ratings, aside_ratings
    person = np.array(more.labels.candidate).astype(int)[more.candidate]
    together = calibrate(
        Ratings.from_codes(
            np.concatenate([both.candidate, person]),
            np.concatenate([both.interviewer, np.full(len(more), 8)]),
            np.concatenate([both.item, more.item]),
            np.concatenate([both.rating, more.rating]),
            dimension=np.concatenate([both.dimension, more.dimension]),
            top=[4],
        ),
        Options(terms=Terms(answer=False)),
    )

    assert aside.severity[0] == pytest.approx(together.severity[8], abs=0.15)


def test_candidates_without_an_estimate_and_unknown_scales_are_refused() -> None:
    found = calibrate(TRUTH.ratings)
    with pytest.raises(RatingsError, match="no estimate") as refused:
        measure_aside(
            found, Ratings.from_columns(["1", "nobody"], ["s"] * 2, ["1"] * 2, [1, 2], scale=["0"] * 2, top={"0": 4})
        )
    assert refused.value.rows == (1,)
    with pytest.raises(RatingsError, match="no thresholds for the scale 'other'"):
        measure_aside(found, Ratings.from_columns(["1"], ["s"], ["1"], [1], scale=["other"]))
