"""A child that is kept up leaves nothing behind, however it ends."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import psutil
import pytest

from config.children import Child

pytestmark = pytest.mark.unit

# Starts a process of its own and waits; on SIGTERM it dies without a word to it, as a worker does while it starts.
CARELESS = """
import subprocess, sys
child = subprocess.Popen(["sleep", "600"])
open(sys.argv[1], "w").write(str(child.pid))
child.wait()
"""


def careless(tmp_path: Path) -> tuple[Child, psutil.Process]:
    child = Child("careless", [sys.executable, "-c", CARELESS, str(tmp_path / "pid")], cwd=tmp_path, patience=5)
    child.keep_up(str)
    deadline = time.monotonic() + 30
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text(encoding="utf-8"):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return child, psutil.Process(int((tmp_path / "pid").read_text(encoding="utf-8")))


def gone(process: psutil.Process) -> bool:
    return not process.is_running() or process.status() == psutil.STATUS_ZOMBIE


def test_child_that_is_stopped_leaves_nothing_running(tmp_path: Path) -> None:
    child, left = careless(tmp_path)

    child.ask_to_stop()
    child.await_end()

    psutil.wait_procs([left], timeout=30)
    assert gone(left)


def test_child_that_dies_is_told_of_and_started_again(tmp_path: Path) -> None:
    lines: list[str] = []
    child = Child("brief", [sys.executable, "-c", "raise SystemExit(3)"], cwd=tmp_path, patience=5)

    deadline = time.monotonic() + 30
    while len(lines) < 2:
        assert time.monotonic() < deadline
        child.keep_up(lines.append)
        time.sleep(0.01)

    assert lines == [
        "The brief process ended with 3; starting it again in 1 s.",
        "The brief process ended with 3; starting it again in 2 s.",
    ]
    child.await_end()
