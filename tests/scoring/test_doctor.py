"""What the doctor says of PDFs."""

from __future__ import annotations

import pytest

from people.doctor import Finding, Level, checks
from scoring.doctor import check_pdf
from scoring.printing import libraries

pytestmark = pytest.mark.unit


def test_doctor_looks_at_pdf_and_names_the_packages_that_are_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    here = list(check_pdf())
    monkeypatch.setattr(libraries, "LIBRARIES", {"libnowhere-1.0.so.0": "libpango-1.0-0"})

    (finding,) = check_pdf()

    assert check_pdf in checks
    assert here == [Finding("pdf", Level.OK, "can be made")]
    assert (finding.level, finding.remedy) == (Level.WARN, "apt-get install libpango-1.0-0")
