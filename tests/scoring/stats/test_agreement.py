"""Agreement against published figures (R's irr and psych, Shrout and Fleiss, Krippendorff, Fleiss) and other code."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from scoring.stats.agreement import (
    Level,
    Weights,
    cohen_kappa,
    cross_table,
    fleiss_kappa,
    icc,
    krippendorff_alpha,
    lead_effect,
    shares_within,
)

pytestmark = pytest.mark.unit

PUBLISHED: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "agreement_reference.json").read_text())
NAN = float("nan")


def table(name: str) -> np.ndarray:
    return np.array([[NAN if value is None else value for value in row] for row in PUBLISHED[name]["data"]])


# --- alpha


@pytest.mark.parametrize("data", ["krippendorff", "krippendorff_wikipedia"])
@pytest.mark.parametrize("level", list(Level))
def test_alpha_equals_the_published(data: str, level: Level) -> None:
    assert krippendorff_alpha(table(data), level, draws=0).value == pytest.approx(
        PUBLISHED[data]["irr"][level], abs=1e-9
    )


ratings = arrays.arrays(
    np.float64, st.tuples(st.integers(2, 5), st.integers(2, 12)), elements=st.sampled_from([0, 1, 2, 3, 4, NAN])
)


@given(ratings, st.sampled_from(list(Level)))
def test_alpha_equals_another_implementation(given_ratings: np.ndarray, level: Level) -> None:
    ours = krippendorff_alpha(given_ratings, level, draws=0)
    if np.isnan(ours.value):
        return  # it refuses, or divides by zero, where nothing varies or nothing was rated twice
    theirs = krippendorff.alpha(reliability_data=given_ratings, level_of_measurement=level.value)
    assert ours.value == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize(
    "nothing_to_say",
    [[[3, 3, 3], [3, 3, 3]], [[1, NAN], [NAN, 2]], [[1, 2, 3]], [[NAN, NAN], [NAN, NAN]]],
    ids=["no variation", "nothing twice", "one rater", "empty"],
)
def test_alpha_is_undefined_where_nothing_can_be_known(nothing_to_say: list[list[float]]) -> None:
    assert np.isnan(krippendorff_alpha(nothing_to_say).value)


def test_alpha_has_an_interval_around_it_that_narrows_with_units() -> None:
    few, many = (krippendorff_alpha(np.tile(table("krippendorff"), times), "interval") for times in (1, 20))

    for one in (few, many):
        assert one.low < one.value < one.high
    assert many.high - many.low < (few.high - few.low) / 3
    assert (few.units, few.values) == (11, 5)


def test_alpha_interval_covers_the_truth() -> None:
    """Two raters who hear the same answer with noise: the interval of 100 units must hold alpha of 50,000."""
    random = np.random.default_rng(5)

    def heard(units: int) -> np.ndarray:
        true = random.normal(2, 1, units)
        return np.clip(np.round(true + random.normal(0, 0.7, (2, units))), 0, 4)

    truth = krippendorff_alpha(heard(50_000), "interval", draws=0).value
    held = [
        (found := krippendorff_alpha(heard(100), "interval", draws=400)).low < truth < found.high for _ in range(100)
    ]
    assert 88 <= sum(held) <= 99


def test_alpha_refuses_what_it_can_not_read() -> None:
    with pytest.raises(ValueError, match="raters x units"):
        krippendorff_alpha([1, 2, 3])
    with pytest.raises(ValueError, match="negative"):
        krippendorff_alpha([[-1, 2], [1, 2]], "ratio")


# --- intraclass correlations


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("ICC1", "one_way"),
        ("ICC2", "random"),
        ("ICC3", "fixed"),
        ("ICC1k", "mean_one_way"),
        ("ICC2k", "mean_random"),
        ("ICC3k", "mean_fixed"),
    ],
)
def test_icc_equals_shrout_and_fleiss_with_intervals(kind: str, name: str) -> None:
    published = next(row for row in PUBLISHED["shrout_fleiss"]["psych"] if row["type"] == kind)

    found = getattr(icc(table("shrout_fleiss")), name)

    assert found == pytest.approx((published["ICC"], published["lower bound"], published["upper bound"]), abs=1e-6)


def test_icc_leaves_out_targets_with_a_gap() -> None:
    whole = table("shrout_fleiss")
    with_gap = np.vstack([whole, [5, NAN, 5, 5]])

    assert icc(with_gap).random == icc(whole).random
    assert icc(with_gap).targets == 6


@pytest.mark.parametrize("too_little", [np.ones((1, 3)), np.ones((4, 1)), np.full((4, 3), NAN), np.ones((4, 3))])
def test_icc_is_undefined_where_nothing_can_be_known(too_little: np.ndarray) -> None:
    found = icc(too_little)
    assert np.isnan(found.random.value)
    assert np.isnan(found.mean_fixed.value)


# --- kappas


def test_kappa_equals_cohen_1968() -> None:
    known = PUBLISHED["cohen1968"]
    counts = np.array(known["table"]) * known["n"]
    disagreement = np.array(known["w"], dtype=float)

    assert cohen_kappa(counts).value == pytest.approx(known["kappa"], abs=1e-9)
    assert cohen_kappa(counts).se ** 2 == pytest.approx(known["var_kappa"], abs=1e-9)
    assert cohen_kappa(counts, 1 - disagreement / 6).value == pytest.approx(known["wkappa"], abs=1e-9)
    assert cohen_kappa(counts, Weights.QUADRATIC).value == pytest.approx(known["wkappa_sq"], abs=1e-9)


def test_kappa_equals_fleiss_cohen_and_everitt_1969() -> None:
    known = PUBLISHED["fleiss_cohen_everitt1969"]

    plain, weighted = cohen_kappa(known["table"]), cohen_kappa(known["table"], known["w"])

    assert (plain.value, plain.se**2) == pytest.approx((known["kappa"], known["var_kappa"]), abs=1e-9)
    # psych 2.2.9 prints .00275 for the weighted variance; what follows says why we don't.
    assert (weighted.value, weighted.se**2) == pytest.approx((known["wkappa"], 0.0032483), abs=1e-7)
    assert plain.pairs == 200


def test_kappa_varies_as_its_standard_error_says() -> None:
    known = PUBLISHED["fleiss_cohen_everitt1969"]
    counts = np.array(known["table"])
    drawn = np.random.default_rng(1).multinomial(200, counts.ravel() / 200, size=4000).reshape(-1, 3, 3)

    spread = np.std([cohen_kappa(one, known["w"]).value for one in drawn])

    assert cohen_kappa(counts, known["w"]).se == pytest.approx(spread, rel=0.03)


def test_kappa_is_undefined_without_variation_or_pairs() -> None:
    assert np.isnan(cohen_kappa([[5, 0], [0, 0]]).value)
    assert np.isnan(cohen_kappa([[0, 0], [0, 0]]).value)
    with pytest.raises(ValueError, match="square"):
        cohen_kappa([[1, 2, 3], [1, 2, 3]])


def test_fleiss_kappa_equals_the_formula_by_hand() -> None:
    # The worked example of many textbooks: 10 units, 14 raters, 5 categories; kappa .210 (P .378, Pe .213).
    counts = [
        [0, 0, 0, 0, 14], [0, 2, 6, 4, 2], [0, 0, 3, 5, 6], [0, 3, 9, 2, 0], [2, 2, 8, 1, 1],
        [7, 7, 0, 0, 0], [3, 2, 6, 3, 0], [2, 5, 3, 2, 2], [6, 5, 2, 1, 0], [0, 2, 2, 3, 7],
    ]  # fmt: skip

    assert fleiss_kappa(counts) == pytest.approx(0.2099, abs=5e-5)
    with pytest.raises(ValueError, match="same number"):
        fleiss_kappa([[1, 1], [1, 2]])


# --- plain shares, and the lead


def test_cross_table_counts_pairs_and_refuses_what_is_off_the_scale() -> None:
    counts = cross_table([0, 4, NAN, 2], [0, 3, 1, 2], 5)

    assert counts.sum() == 3
    assert (counts[0, 0], counts[4, 3], counts[2, 2]) == (1, 1, 1)
    for off in (5, -1, 1.5):
        with pytest.raises(ValueError, match="0 to 4"):
            cross_table([off], [1], 5)


def test_shares_count_every_pair_of_raters() -> None:
    three = [[0, 4, 2], [0, 3, NAN], [1, 4, NAN]]

    assert shares_within(three) == pytest.approx(2 / 6)
    assert shares_within(three, 1) == 1
    assert np.isnan(shares_within([[1, NAN], [NAN, 2]]))


def test_lead_effect_is_the_mean_difference_with_its_interval() -> None:
    lead = np.array([3, 4, 2, 3, NAN, 1])
    listeners = np.array([[2, 4, 1, 2, 2, NAN], [3, 3, 1, 2, 2, NAN]])

    found = lead_effect(lead, listeners)

    assert found.value == pytest.approx(np.mean([0.5, 0.5, 1, 1]))
    assert found.low < found.value < found.high
    assert np.isnan(lead_effect([3], [[2]]).low)
