"""`python -m scoring.printing.child`: a whole HTML document on standard input, its PDF on standard output.

A process of its own, because laying out pages takes a second of Python, which rooms next door would feel, and because
WeasyPrint and its libraries then weigh on nobody who asked for no PDF.
"""

from __future__ import annotations

import sys
from pathlib import Path

from weasyprint import CSS, HTML
from weasyprint.text.fonts import FontConfiguration
from weasyprint.urls import URLFetcher

HERE = Path(__file__).resolve().parent


class OurFilesOnly(URLFetcher):  # type: ignore[misc]  # WeasyPrint has no types
    """Reads nothing but the style sheet and the face beside it, whatever a document names."""

    def fetch(self, url: str, headers: dict[str, str] | None = None) -> object:
        if not url.startswith(f"{HERE.as_uri()}/"):
            raise ValueError(f"not ours: {url}")
        return super().fetch(url, headers)


def draw(html: str) -> bytes:
    """Return `html` as a tagged PDF (PDF/UA-1): A4, with title and language as the document names them."""
    fonts, fetcher = FontConfiguration(), OurFilesOnly(allowed_protocols={"file"})
    style = CSS(filename=HERE / "print.css", font_config=fonts, url_fetcher=fetcher)
    document = HTML(string=html, url_fetcher=fetcher)
    pdf: bytes = document.write_pdf(stylesheets=[style], font_config=fonts, pdf_variant="pdf/ua-1")
    return pdf


if __name__ == "__main__":
    sys.stdout.buffer.write(draw(sys.stdin.buffer.read().decode("utf-8")))
