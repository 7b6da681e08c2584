from __future__ import annotations

import numpy as np
import pytest

from scoring.stats.designs import Design, simulate
from scoring.stats.facets import Options, calibrate
from scoring.stats.layout import Terms
from scoring.stats.variances import Variances
from tests.scoring.stats.peer import fit_by_mirt

pytestmark = pytest.mark.unit

PLAIN = Terms(dimension=False, halo=False, answer=False)
FIXED = 50.0
"""A prior variance of severities and difficulties so wide that they are as good as fixed effects."""


@pytest.mark.parametrize(
    "design",
    [
        Design(candidates=150, interviewers=8, pool=6, raters=(3, 3)),
        Design(candidates=250, interviewers=10, pool=8, raters=(2, 4), dimensions=2),
        Design(candidates=200, interviewers=6, pool=5, raters=(2, 3), ability=1.5, thresholds=(-1.0, 0.0, 1.0)),
        Design(candidates=300, interviewers=12, pool=10, raters=(2, 2), dimensions=3, ask="same"),
    ],
    ids=["complete", "mixed", "wide", "panel"],
)
def test_the_plain_model_is_that_of_an_exact_grid(design: Design) -> None:
    ratings = simulate(design, 1).ratings
    theirs = fit_by_mirt(ratings)
    held = Variances(theirs.sigma**2, 0.0, 0.0, 0.0, FIXED, FIXED)
    ours = calibrate(ratings, Options(terms=PLAIN, variances=held, hold_variances=True))
    severity = theirs.facet_parameters["interviewer"]

    assert theirs.converged
    np.testing.assert_allclose(ours.severity - ours.severity.mean(), severity - severity.mean(), atol=0.02)
    assert np.corrcoef(ours.ability, theirs.theta)[0, 1] >= 0.9999
    np.testing.assert_allclose(ours.thresholds[0], theirs.thresholds, atol=0.05)


def test_the_spread_of_candidates_is_that_of_an_exact_grid() -> None:
    ratings = simulate(Design(candidates=300, interviewers=10, pool=8, raters=(3, 3)), 2).ratings
    theirs = fit_by_mirt(ratings)
    ours = calibrate(ratings, Options(terms=PLAIN))

    assert np.sqrt(ours.variances.candidate) == pytest.approx(theirs.sigma, rel=0.03)
    np.testing.assert_allclose(ours.ability_se, theirs.theta_se, rtol=0.08)
