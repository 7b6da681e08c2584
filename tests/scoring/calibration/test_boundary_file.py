from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from scoring.stats.designs import Design
from tests.scoring.calibration.running import found, run, simulated, written

pytestmark = pytest.mark.unit

HEAD = ("candidate", "interviewer", "tree", "passed", "failed", "lowest")
DESIGN = Design(candidates=40, interviewers=5, pool=8, raters=(2, 3), asked=2, halo=0.3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ratings, and boundaries that follow them by chance alone."""
    folder = tmp_path_factory.mktemp("boundary")
    rows = simulated(DESIGN)
    written(folder / "ratings.csv", rows)
    draw = np.random.default_rng(7)
    pairs = sorted({(row[0], row[1]) for row in rows})
    depths = [(c, r, "tree", int(draw.integers(0, 6)), "yes" if draw.random() < 0.8 else "no", 1) for c, r in pairs]
    written(folder / "depths.csv", depths, HEAD)
    return folder


def test_boundaries_that_foretell_nothing_are_left_out_and_told(folder: Path) -> None:
    ours, alone = found(folder / "ratings.csv", "--boundary", folder / "depths.csv"), found(folder / "ratings.csv")

    assert ours["boundary"]["fused"] is False
    assert ours["candidates"] == alone["candidates"]
    assert any("boundaries were left out" in words for words in ours["warnings"])


def test_boundaries_go_in_when_told_to(folder: Path) -> None:
    ours = found(folder / "ratings.csv", "--boundary", folder / "depths.csv", "--fuse", "always")

    assert ours["boundary"]["fused"] is True
    assert [one["scale"] for one in ours["scales"]] == ["", "boundary"]
    assert ours["scales"][1]["slope"] < 1.0
    assert run(folder / "ratings.csv", "--boundary", folder / "depths.csv", "--model", "jml").code == 2


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (("nobody", "r0", "tree", 1, "no", 1), "a candidate without ratings: 'nobody' (row 2)"),
        (("c0", "nobody", "tree", 1, "no", 1), "an interviewer without ratings: 'nobody' (row 2)"),
        (("c0", "r0", "", 1, "no", 1), "no tree is named"),
        (("c0", "r0", "tree", "deep", "no", 1), "passed must be a level from 0 to 50: 'deep' (row 2)"),
        (("c0", "r0", "tree", 1, "perhaps", 1), "failed must be yes or no: 'perhaps' (row 2)"),
        (("c0", "r0", "tree", 1, "no", 5), "passed must not lie more than one below lowest (row 2)"),
    ],
)
def test_bad_boundaries_are_named_by_their_rows(
    folder: Path, tmp_path: Path, row: tuple[object, ...], said: str
) -> None:
    outcome = run(folder / "ratings.csv", "--boundary", written(tmp_path / "bad.csv", [row], HEAD))

    assert said in outcome.refused
    assert "bad.csv" in outcome.refused


def test_a_boundary_twice_and_missing_columns_are_named(folder: Path, tmp_path: Path) -> None:
    row = (*simulated(DESIGN)[0][:2], "tree", 1, "no", 1)
    twice = run(folder / "ratings.csv", "--boundary", written(tmp_path / "twice.csv", [row, row], HEAD))
    short = run(folder / "ratings.csv", "--boundary", written(tmp_path / "short.csv", [row[:4]], HEAD[:4]))

    assert "another row gave already (row 3)" in twice.refused
    assert "There is no column 'failed'" in short.refused
