"""Where Chromium is: one that Playwright installed, or the system's; and whether Playwright's own driver runs here.

`ensure` gets what is missing where it can. Knows neither Django nor pytest: `make test` asks first.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MANAGED = ("chromium-*/chrome-linux*/chrome", "chromium-*/chrome-mac*/*.app/Contents/MacOS/*")
CHROMIUM_ARGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
REMEDY = (
    "Chromium is missing, and the browser tests need it. Run one of:\n"
    "  .venv/bin/python -m playwright install chromium\n"
    "  apt-get install chromium      (as root)\n"
    "or name one: CHROMIUM=/path/to/chromium make test"
)
DRIVER_REMEDY = "Playwright's driver does not run here: {}\nRun, as root: apt-get install libatomic1"


class NoChromium(Exception):
    """There is no Chromium that runs, or nothing to drive it. The text says how to get one."""


def path() -> str:
    """Return the first Chromium that starts. Raises NoChromium."""
    for candidate in _candidates():
        if _complaint(candidate) is None:
            return candidate
    raise NoChromium(REMEDY)


def ensure() -> str:
    """Return a Chromium that can be driven, installing the system's where we are root on a Debian-like machine."""
    try:
        check_driver()
        return path()
    except NoChromium:
        if os.geteuid() != 0 or not shutil.which("apt-get"):
            raise
    # libatomic1 is what Playwright's driver needs beyond a bare system.
    for words in (["update"], ["install", "--yes", "--no-install-recommends", "chromium", "libatomic1"]):
        sys.stderr.write(f"Chromium is missing: apt-get {' '.join(words)}...\n")
        quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "-qq", *words], env=quiet, stdout=subprocess.DEVNULL, check=False)
    check_driver()
    return path()


def check_driver() -> None:
    spec = find_spec("playwright")
    folders = spec.submodule_search_locations if spec else None
    if not folders:
        raise NoChromium("Playwright is missing: make test installs it.")
    if complaint := _complaint(str(Path(folders[0]) / "driver" / "node")):
        raise NoChromium(DRIVER_REMEDY.format(complaint))


def _candidates() -> Iterator[str]:
    if named := os.environ.get("CHROMIUM"):
        yield named
    caches = [os.environ.get("PLAYWRIGHT_BROWSERS_PATH"), "~/.cache/ms-playwright", "~/Library/Caches/ms-playwright"]
    for cache in caches:
        for pattern in MANAGED if cache else ():
            yield from sorted((str(found) for found in Path(cache or "").expanduser().glob(pattern)), reverse=True)
    yield from (found for name in NAMES if (found := shutil.which(name)))


def _complaint(program: str) -> str | None:
    """Run it: a stub that only tells where to get the real one, or one that lacks a library, shows itself."""
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return None if done.returncode == 0 else done.stderr.strip() or f"it ended with {done.returncode}"
