"""HTML to PDF for a view. WeasyPrint is loaded when a PDF is asked for, and in a process of its own (see `child`)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from scoring.printing.libraries import NoPango, missing_packages

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 60  # a card of ten interviewers takes two


class NotPrinted(Exception):
    """The process that draws the PDF failed or took too long; what it said is in the text."""


def to_pdf(html: str) -> bytes:
    """Return a whole HTML document as a tagged PDF, A4. Raises NoPango, NotPrinted."""
    if packages := missing_packages():
        raise NoPango(packages)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "scoring.printing.child"],
            input=html.encode("utf-8"),
            capture_output=True,
            cwd=ROOT,
            env={"PATH": os.defpath, "LANG": "C.UTF-8"},
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise NotPrinted(f"no PDF after {SECONDS} seconds") from error
    if done.returncode != 0 or not done.stdout.startswith(b"%PDF-"):
        raise NotPrinted(done.stderr.decode(errors="replace")[-2000:])
    return done.stdout
