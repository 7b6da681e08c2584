"""What a tree holds at most and how its names are written: the same for files, the editor, forms and rows. Pure."""

from __future__ import annotations

from typing import Final

KEY: Final = r"[a-z][a-z0-9]*(-[a-z0-9]+)*"
KEY_LENGTH: Final = 80
NO_PLAN_KEYS: Final = frozenset({"new"})
"""Words that stand in an address where a plan's key would: a plan under such a key had no page."""
FINGERPRINT: Final = 12
"""Digits of a fingerprint over what a probe says."""
LANGUAGE: Final = r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?"

TURNING: Final = r"\u202a-\u202e\u2066-\u2069"
"""Characters that turn the direction of what follows, so that it reads otherwise than it is kept; no text has them."""
_BLANK_LETTERS: Final = frozenset("\u115f\u1160\u3164\uffa0")


def says_something(text: str) -> bool:
    """Whether there is a letter or a digit in a text that can be seen."""
    return any(sign.isalnum() and sign not in _BLANK_LETTERS for sign in text)


# Characters in each language.
TITLE: Final = 120
PROMPT: Final = 2000
PART: Final = 1000
"""Of a signal, an anchor, or what was heard."""

MOST_PROBES: Final = 500
MOST_SIGNALS: Final = 30
"""Of one kind, of one probe."""
MOST_LANGUAGES: Final = 50
