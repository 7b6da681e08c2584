"""What drawings of several apps share."""

from __future__ import annotations

import unicodedata


def fit(text: str, units: int) -> str:
    """Shorten a text to the room it has in a drawing, where nothing wraps; a wide character takes two units."""
    used = 0
    for place, character in enumerate(text):
        used += 2 if unicodedata.east_asian_width(character) in "WF" else 1
        if used > units:
            return text[: max(place - 1, 0)].rstrip() + "…"
    return text
