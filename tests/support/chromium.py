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

# The build without windows first: the other one draws a window around each page, which nobody sees and which costs
# more than most pages do.
SHELL = "chromium-headless-shell"
SHELLS = (SHELL, "chrome-headless-shell")
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MANAGED_SHELLS = ("chromium_headless_shell-*/chrome-*/*headless*shell",)
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
    may_install = os.geteuid() == 0 and shutil.which("apt-get") is not None and not os.environ.get("CHROMIUM")
    try:
        check_driver()
        found = path()
    except NoChromium:
        if not may_install:
            raise
        _apt_get("update")
        # libatomic1 is what Playwright's driver needs beyond a bare system.
        _apt_get("install", SHELL, "libatomic1")
    else:
        if not may_install or "headless" in Path(found).name:
            return found
        _apt_get("install", SHELL)  # if this can't be had, there is the other one
        return path()
    check_driver()
    try:
        return path()
    except NoChromium:
        _apt_get("install", "chromium", "libatomic1")  # a release that doesn't have it apart
    check_driver()
    return path()


def _apt_get(what: str, *packages: str) -> None:
    sys.stderr.write(f"Chromium for tests: apt-get {what} {' '.join(packages)}...\n")
    patience = ("-o", "Acquire::Retries=0", "-o", "Acquire::http::Timeout=20")
    options = ["--yes", "--no-remove", "--no-install-recommends"] if what == "install" else []
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    command = ["apt-get", "-qq", *patience, what, *options, *packages]
    subprocess.run(command, env=quiet, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)


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
    for managed, names in ((MANAGED_SHELLS, SHELLS), (MANAGED, NAMES)):
        for cache in caches:
            for pattern in managed if cache else ():
                yield from sorted((str(found) for found in Path(cache or "").expanduser().glob(pattern)), reverse=True)
        yield from (found for name in names if (found := shutil.which(name)))


def _complaint(program: str) -> str | None:
    """Run it: a stub that only tells where to get the real one, or one that lacks a library, shows itself."""
    try:
        done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return None if done.returncode == 0 else done.stderr.strip() or f"it ended with {done.returncode}"
