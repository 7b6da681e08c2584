"""The benchmarks run, each at a hundredth of its size: what they measure then says nothing."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.benchmarks.report import Report, percentile, timed

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.unit
def test_a_report_says_what_was_promised_and_what_came(capsys: pytest.CaptureFixture[str]) -> None:
    report = Report(scale=0.01, subject="it")
    report.figure("kept", 3, "ms", limit=3)
    report.figure("missed", 4, "ms", limit=3)
    report.percentiles("all", [0.001, 0.002, 0.003], p95=2)
    report.ratio("slow against quick", [2.0], [0.5])

    assert [figure.kept for figure in report.figures] == [True, False, True, False, True, True]
    assert [figure.value for figure in report.figures][2:] == [2, 3, 3, 4]
    assert "at most 3: MISSED" in capsys.readouterr().out
    assert report.as_data()[1]["kept"] is False
    assert (report.scaled(20_000), report.scaled(20, least=5)) == (200, 5)


@pytest.mark.unit
def test_percentiles_are_values_that_were_measured() -> None:
    assert [percentile([3, 1, 2, 4], rank) for rank in (0, 50, 75, 95, 100)] == [1, 2, 3, 4, 4]
    assert len(timed(lambda: None, 3)) == 3


@pytest.mark.db
@pytest.mark.long
def test_every_benchmark_runs_at_a_small_scale(tmp_path: Path) -> None:
    file = tmp_path / "figures.json"
    command = [sys.executable, "-m", "tests.benchmarks", "--scale", "0.01", "--json", str(file)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    # A promise missed on a busy machine (1) is no failure here: a wrong program (2, or a traceback) is.
    assert done.stderr == "", done.stdout
    figures = json.loads(file.read_text(encoding="utf-8"))["figures"]
    assert {figure["subject"] for figure in figures} == {
        path.stem.removeprefix("bench_") for path in Path(__file__).parent.glob("bench_*.py")
    }


@pytest.mark.unit
def test_an_unknown_benchmark_is_refused_by_name() -> None:
    command = [sys.executable, "-m", "tests.benchmarks", "speed"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    assert done.returncode == 2
    assert "no such subject: speed. There are: bank" in done.stderr
