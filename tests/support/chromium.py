"""Where Chromium is: one that Playwright installed, or the system's.

`python -m tests.support.chromium` gets one if it can. Knows neither Django nor pytest: `make test` asks first.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
REMEDY = (
    "Chromium is missing, and the browser tests need it. Run one of:\n"
    "  .venv/bin/python -m playwright install chromium\n"
    "  apt-get install chromium      (as root)\n"
    "or name one: CHROMIUM=/path/to/chromium make test"
)


class NoChromium(Exception):
    """There is no Chromium that runs. The text says how to get one."""


def path() -> str:
    """Return the first Chromium that starts. Raises NoChromium."""
    for candidate in _candidates():
        if _runs(candidate):
            return candidate
    raise NoChromium(REMEDY)


def ensure() -> str:
    """Return a Chromium, installing the system's first where we are root on a Debian-like machine."""
    try:
        return path()
    except NoChromium:
        if os.geteuid() != 0 or not shutil.which("apt-get"):
            raise
    for words in (["update"], ["install", "--yes", "--no-install-recommends", "chromium"]):
        sys.stderr.write(f"Chromium is missing: apt-get {' '.join(words)}...\n")
        subprocess.run(["apt-get", "-qq", *words], env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"}, check=False)
    return path()


def _candidates() -> Iterator[str]:
    if named := os.environ.get("CHROMIUM"):
        yield named
    with sync_playwright() as playwright:
        own = playwright.chromium.executable_path
    if Path(own).is_file():
        yield own
    yield from (found for name in NAMES if (found := shutil.which(name)))


def _runs(program: str) -> bool:
    try:  # a stub that only tells where to get the real one is found by running it
        return subprocess.run([program, "--version"], capture_output=True, timeout=30, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


if __name__ == "__main__":
    try:
        ensure()
    except NoChromium as error:
        sys.exit(str(error))
