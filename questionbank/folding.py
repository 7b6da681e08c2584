"""How texts are made comparable: one form for full and half width, capital and small. Pure; no Django.

The database has a twin of `folded` (questionbank_folded, migration 0007), and pg_trgm of `trigrams`; tests hold them
together.
"""

from __future__ import annotations

import unicodedata


def folded(text: str) -> str:
    """Return the text as it is searched and compared: compatibility forms resolved (NFKC), in small letters."""
    return unicodedata.normalize("NFKC", text).lower()
