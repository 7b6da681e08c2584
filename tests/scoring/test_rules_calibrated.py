"""What a calibration adds to a panel card's content."""

from __future__ import annotations

from dataclasses import replace

import pytest

from scoring.rules import compile_panel
from tests.scoring.test_rules_panel import CALIBRATION
from tests.support.panel_inputs import THREE, mark

pytestmark = pytest.mark.unit


def test_what_was_amended_after_seeing_others_is_a_step_of_its_own() -> None:
    """The difference between the card's raw value and the calibration's is nobody's severity."""
    after = replace(
        THREE.raters[1].latest[0],
        id=202,
        number=2,
        independent=False,
        marks=(mark(1, "1+d4"), mark(1, "2+d4"), mark(2, "1+d4")),
    )
    amended = replace(THREE.raters[1], latest=(after,))
    raters = (THREE.raters[0], amended, THREE.raters[2])

    found = compile_panel(replace(THREE, raters=raters, calibration=CALIBRATION))["dimensions"]["depth"]

    assert found["value"] == 3.4722  # 2.7222 before Bo saw the others
    assert [(step["step"], step["moves"]) for step in found["calibrated"]["steps"]] == [
        ("after_seeing_others", -0.75),
        ("who_asked", -0.2222),
        ("what_was_asked", 0.12),
        ("how_little_was_seen", -0.1),
    ]
