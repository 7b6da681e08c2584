"""What scoring adds to `manage.py doctor`."""

from __future__ import annotations

from collections.abc import Iterator

from people.doctor import Finding, Level, checks
from scoring.printing.libraries import NoPango, missing_packages


def check_pdf() -> Iterator[Finding]:
    if packages := missing_packages():
        says = "can't be made: Pango is missing. All else works"
        yield Finding("pdf", Level.WARN, says, NoPango(packages).command)
    else:
        yield Finding("pdf", Level.OK, "can be made")


checks.append(check_pdf)
