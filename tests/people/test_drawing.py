"""What a drawing has no room for is cut where the eye expects it."""

from __future__ import annotations

import pytest

from people.drawing import fit

pytestmark = pytest.mark.unit


@pytest.mark.parametrize(
    ("text", "units", "fitted"),
    [
        ("Short", 10, "Short"),
        ("Data-parallel training", 12, "Data-parall…"),
        ("数据并行训练", 12, "数据并行训练"),
        ("数据并行训练的", 12, "数据并行训…"),
    ],
)
def test_fit_counts_wide_characters_twice(text: str, units: int, fitted: str) -> None:
    assert fit(text, units) == fitted
