"""Tests that walk every address take a PDF's document instead of the PDF: drawing one costs a second, and its text is
packed away in it. That a PDF says what its document says is tests/scoring/test_panel_pdf.py's."""

from __future__ import annotations

import pytest

from scoring.printing import pdf


@pytest.fixture
def printed_as_html(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is printed is answered as it was written, under the same address, to the same people."""
    monkeypatch.setattr(pdf, "to_pdf", lambda html: html.encode())
