"""Whatever is killed, stopped, cut or doubled under load: nothing acknowledged is lost, nothing is there twice, and
every open page becomes the fresh page. docs/development.md says what that proves and how one seed is run again.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.faults

ROOT = Path(__file__).resolve().parents[2]
PLANTS = {"no-resend": "is forgotten", "new-ids": "nobody was told", "cursor": "where"}


def run(seed: int, rounds: int, *more: str) -> subprocess.CompletedProcess[str]:
    """One run in a process of its own, on servers of its own."""
    kept = {name: value for name, value in os.environ.items() if name not in {"AS_OWNER", "SECRET_KEY"}}
    command = [sys.executable, "-m", "tests.faults.chaos", "--seed", str(seed), "--rounds", str(rounds), *more]
    return subprocess.run(command, cwd=ROOT, env=kept, capture_output=True, text=True, check=False)


@pytest.mark.long
@pytest.mark.timeout(500)
def test_twenty_rounds_of_faults_lose_and_double_nothing() -> None:
    done = run(seed=1, rounds=20)

    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", range(2, 7))
def test_two_hundred_rounds_of_faults_lose_and_double_nothing(seed: int) -> None:
    """Five runs of forty: each on new servers, so that what one seed leaves behind hides nothing of the next."""
    done = run(seed, rounds=40)

    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("plant", PLANTS)
def test_a_run_finds_a_planted_bug(plant: str) -> None:
    done = run(1, 12, "--plant", plant)

    assert done.returncode == 1, done.stdout[-6000:] + done.stderr[-2000:]
    assert PLANTS[plant] in done.stdout
