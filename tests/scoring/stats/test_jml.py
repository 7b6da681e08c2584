from __future__ import annotations

import numpy as np
import pytest

from scoring.stats.jml import JointOptions, calibrate_jointly
from scoring.stats.ratings import Ratings, RatingsError
from tests.scoring.stats.guilford import guilford, published

pytestmark = pytest.mark.unit


def test_joint_mode_is_immer_on_guilfords_ratings() -> None:
    theirs = published("immer_jml")
    ours = calibrate_jointly(guilford())
    labels = ours.ratings.labels

    severity = [theirs["xsi"][f"sev_{name}"] for name in labels.interviewer]
    ability = [theirs["theta"][name] for name in labels.candidate]
    errors = [theirs["theta_se"][name] for name in labels.candidate]
    np.testing.assert_allclose(ours.severity, severity, atol=1e-6)
    np.testing.assert_allclose(ours.ability, ability, atol=1e-6)
    np.testing.assert_allclose(ours.ability_se, errors, atol=1e-6)
    np.testing.assert_allclose(
        ours.severity_se, [theirs["xsi_se"][f"sev_{name}"] for name in labels.interviewer], atol=1e-6
    )
    traits = dict(zip(labels.item, ours.difficulty, strict=True))
    for name in ("attack", "basis", "clarity", "daring"):
        assert traits[name] == pytest.approx(theirs["xsi"][f"tr_{name}"], abs=1e-6)
    np.testing.assert_allclose(ours.thresholds[0][:7], [theirs["xsi"][f"tau{step}"] for step in range(1, 8)], atol=1e-5)
    assert ours.log_likelihood == pytest.approx(theirs["loglike"], abs=1e-6)
    assert ours.converged


def test_joint_mode_is_facets_within_its_own_stopping_rule() -> None:
    theirs = published("facets_published")
    ours = calibrate_jointly(guilford())
    labels = ours.ratings.labels

    for name, severity in theirs["facets_severity"].items():
        assert ours.severity[labels.interviewer.index(name)] == pytest.approx(severity, abs=0.02)
    assert ours.ability[labels.candidate.index("Anne")] == pytest.approx(
        theirs["facets_ability_partial"]["Anne"], abs=0.02
    )
    np.testing.assert_allclose(ours.thresholds[0], list(theirs["facets_thresholds"].values()), atol=0.05)


def test_centring_moves_constants_only() -> None:
    one = calibrate_jointly(guilford())
    other = calibrate_jointly(guilford(), JointOptions(center=("interviewers", "items")))

    np.testing.assert_allclose(other.predictor, one.predictor, atol=1e-9)
    assert other.severity.mean() == pytest.approx(0.0, abs=1e-12)
    assert one.ability.mean() == pytest.approx(0.0, abs=1e-12)
    assert other.ability.mean() == pytest.approx(-one.severity.mean(), abs=1e-9)


def test_centring_one_facet_is_refused() -> None:
    with pytest.raises(ValueError, match="Two of candidates"):
        calibrate_jointly(guilford(), JointOptions(center=("items", "items")))


def test_a_disconnected_block_twice_changes_no_one_else() -> None:
    ratings = guilford()
    held = JointOptions(thresholds=calibrate_jointly(ratings).thresholds)
    draw = np.random.default_rng(5)
    other = Ratings.from_codes(
        np.repeat(np.arange(4), 6), np.tile(np.repeat(np.arange(2), 3), 4), np.tile(np.arange(3), 8),
        draw.integers(2, 7, 24),
    )  # fmt: skip

    def with_blocks(blocks: int) -> Ratings:
        def apart(name: str, size: int) -> list[int]:
            first = getattr(ratings, name)
            base = int(first.max()) + 1
            return np.concatenate([first, *(getattr(other, name) + base + k * size for k in range(blocks))]).tolist()

        return Ratings.from_codes(
            apart("candidate", 4),
            apart("interviewer", 2),
            apart("item", 3),
            np.concatenate([ratings.rating, *[other.rating] * blocks]),
            top=[8],
        )

    once, twice = (calibrate_jointly(with_blocks(blocks), held) for blocks in (1, 2))
    alone = calibrate_jointly(ratings, held)

    np.testing.assert_allclose(twice.ability[:11], once.ability, atol=1e-8)
    np.testing.assert_allclose(twice.severity[:5], once.severity, atol=1e-8)
    np.testing.assert_allclose(twice.difficulty[:8], once.difficulty, atol=1e-8)
    np.testing.assert_allclose(once.ability[:7], alone.ability, atol=1e-8)


def test_extreme_scores_are_placed_finitely_beyond_the_rest() -> None:
    rating = np.random.default_rng(6).integers(0, 5, 90)
    rating[:18] = np.repeat([0, 4], 9)
    raters, items = np.tile(np.arange(3), 30), np.tile(np.repeat(np.arange(3), 3), 10)

    found = calibrate_jointly(Ratings.from_codes(np.repeat(np.arange(10), 9), raters, items, rating))

    assert np.isfinite(found.ability).all()
    assert np.isfinite(found.ability_se).all()
    assert found.ability[0] < found.ability[2:].min()
    assert found.ability[1] > found.ability[2:].max()


def test_a_category_never_given_and_nothing_but_extremes_are_said() -> None:
    ratings = guilford()
    with pytest.raises(RatingsError, match="never given"):
        calibrate_jointly(
            Ratings.from_codes(
                ratings.candidate, ratings.interviewer, ratings.item, np.where(ratings.rating == 4, 5, ratings.rating)
            )
        )
    with pytest.raises(RatingsError, match="only lowest or only highest"):
        calibrate_jointly(Ratings.from_codes([0, 1], [0, 0], [0, 0], [0, 4]))
