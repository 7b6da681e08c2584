"""Time the calibration engine, side by side with the `mirt` package, on simulated ratings.

    python -m tests.benchmarks.calibration                 # 10k, 100k, 1M; mirt at 10k and 100k
    python -m tests.benchmarks.calibration 10k 100k --no-mirt

Every row is a process of its own, on one thread. It prints wall and CPU seconds of the fit with every standard error
(reading the ratings not counted), peak memory of the whole process in MB, RMSE and coverage of capabilities.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from scoring.stats.designs import Design, simulate
from scoring.stats.facets import Options, calibrate
from scoring.stats.layout import Terms
from scoring.stats.ratings import Ratings
from scoring.stats.rescore import Stored, rescore
from tests.scoring.stats.peer import fit_by_mirt

SIZES = {"1k": (40, 10, 15), "10k": (370, 25, 30), "100k": (3700, 80, 60), "1M": (37000, 300, 200)}
WAYS = {
    "plain": (0.0, 0.0, "each", Terms(dimension=False, halo=False, answer=False)),
    "halo": (0.4, 0.0, "each", Terms(answer=False)),
    "halo and answers of one's own": (0.4, 0.3, "each", Terms()),
    "halo and shared answers": (0.4, 0.5, "same", Terms()),
    "no halo, no answer effect, both fitted": (0.0, 0.0, "each", Terms()),
}
"""The truth's halo and answer standard deviations, whether a panel shares its answers, and the terms fitted."""


def written(size: str, way: str, folder: Path) -> Path:
    """Simulate once and keep, so that the timed process holds nothing else."""
    candidates, interviewers, pool = SIZES[size]
    halo, answer, ask, _ = WAYS[way]
    design = Design(
        candidates=candidates,
        interviewers=interviewers,
        pool=pool,
        raters=(3, 3),
        halo=halo,
        answer=answer,
        ask="same" if ask == "same" else "own draw",
    )
    truth = simulate(design, 1)
    ratings = truth.ratings
    answers = ratings.answer if ask == "same" else ratings.session * pool + ratings.item
    path = folder / f"{size} {way}.npz"
    np.savez(
        path,
        ability=truth.ability,
        answer=answers,
        **{name: getattr(ratings, name) for name in ("candidate", "interviewer", "item", "dimension", "rating")},
    )
    return path


def timed(path: Path, engine: str, way: str) -> dict[str, float | str]:
    """Fit what `path` holds and say what it took."""
    with np.load(path) as data:
        ability = data["ability"]
        ratings = Ratings.from_codes(
            data["candidate"],
            data["interviewer"],
            data["item"],
            data["rating"],
            dimension=data["dimension"],
            answer=data["answer"],
            top=[4],
        )
    wall, cpu = time.perf_counter(), time.process_time()
    again = float("nan")
    if engine == "mirt":
        found = fit_by_mirt(ratings)
        estimate, error = found.theta, found.theta_se
        passes = found.n_iterations
    else:
        ours = calibrate(ratings, Options(terms=WAYS[way][3]))
        estimate, error, passes = ours.ability, ours.ability_se, ours.iterations
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    if engine != "mirt":
        again = _rescored(Stored.of(ours), ratings)
    off = estimate - ability
    off = off - off.mean()
    return {
        "ratings": len(ratings),
        "way": way,
        "engine": engine,
        "wall": wall,
        "cpu": cpu,
        "memory": _peak_memory(),
        "passes": passes,
        "rmse": float(np.sqrt(np.mean(off**2))),
        "coverage": float(np.mean(np.abs(off) < 1.959964 * error)),
        "rescore_ms": again,
    }


def _rescored(stored: Stored, ratings: Ratings) -> float:
    card = ratings.of_candidates(np.arange(ratings.candidates) == 1)
    best = float("inf")
    for _ in range(30):
        before = time.perf_counter()
        rescore(stored, card)
        best = min(best, 1000.0 * (time.perf_counter() - before))
    return best


def _peak_memory() -> float:
    """Peak resident memory in MB, of this process alone."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return float(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024.0


def main() -> None:
    """Run every size and way in a process of its own and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sizes", nargs="*", default=["10k", "100k", "1M"], metavar="SIZE", help=", ".join(SIZES))
    parser.add_argument("--no-mirt", action="store_true")
    parser.add_argument("--one", nargs=3, metavar=("PATH", "ENGINE", "WAY"), help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        path, engine, way = asked.one
        print(json.dumps(timed(Path(path), engine, way)))  # noqa: T201
        return
    heading = f"{'ratings':>8}  {'engine':6}  {'wall s':>7}  {'CPU s':>7}  {'MB':>5}  {'passes':>6}  {'RMSE':>6}"
    print(f"{heading}  {'cover':>6}  {'rescore':>8}  model")  # noqa: T201
    with tempfile.TemporaryDirectory() as folder:
        for size in asked.sizes:
            for way in WAYS:
                path = written(size, way, Path(folder))
                engines = ["ours", "mirt"] if way == "plain" and size != "1M" and not asked.no_mirt else ["ours"]
                for engine in engines:
                    print(_row(path, engine, way), flush=True)  # noqa: T201
                path.unlink()


def _row(path: Path, engine: str, way: str) -> str:
    one_thread = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS"), "1")
    command = [sys.executable, "-m", "tests.benchmarks.calibration", "--one", str(path), engine, way]
    told = subprocess.run(command, env={**os.environ, **one_thread}, capture_output=True, text=True, check=True)
    row = json.loads(told.stdout)
    return (
        f"{row['ratings']:>8}  {engine:6}  {row['wall']:7.2f}  {row['cpu']:7.2f}  {row['memory']:5.0f}  "
        f"{row['passes']:>6}  {row['rmse']:6.4f}  {row['coverage']:6.3f}  {row['rescore_ms']:5.2f} ms  {way}"
    )


if __name__ == "__main__":
    main()
