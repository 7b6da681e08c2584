"""What drawings need on paper: in a PDF a drawing reads no style sheet but its own."""

from __future__ import annotations

import re
from pathlib import Path

DRAWING = re.compile(r"(<svg\b[^>]*>)")


def with_drawing_style(html: str) -> str:
    """Put drawing.css into every <svg> of the document."""
    style = Path(__file__).with_name("drawing.css").read_text(encoding="utf-8")
    return DRAWING.sub(lambda found: f"{found[1]}<style>{style}</style>", html)
