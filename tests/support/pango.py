"""The libraries that PDFs are drawn with: `ensure` gets what is missing where it can.

Knows neither Django nor pytest: `make test` asks first.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

from scoring.printing.libraries import NoPango, missing_packages


def ensure() -> None:
    """Install what is missing where we are root on a Debian-like machine. Raises NoPango if something still is."""
    packages = missing_packages()
    if packages and os.geteuid() == 0 and shutil.which("apt-get"):
        for words in (["update"], ["install", "--yes", "--no-install-recommends", *packages]):
            sys.stderr.write(f"Pango is missing: apt-get {' '.join(words)}...\n")
            quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            subprocess.run(["apt-get", "-qq", *words], env=quiet, stdout=subprocess.DEVNULL, check=False)
        packages = missing_packages()
    if packages:
        raise NoPango(packages)
