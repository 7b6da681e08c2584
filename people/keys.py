"""The letters that press what in the live room: a person's own, or the defaults, while their request is answered.

A key is known by its default letter ("A"), inside an open sequence by both ("B N": B, then N). `Person.keys` keeps
{"off": true, "letters": {default: own}}; what it doesn't name is as it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_letters: ContextVar[Mapping[str, str]] = ContextVar("letters")
_NONE: Mapping[str, str] = {}


def letter(key: str) -> str:
    """Return the letter that presses the key for whom is being answered; the default one where nobody is."""
    return _letters.get(_NONE).get(key) or key.rpartition(" ")[2]


def letters_of(keys: Mapping[str, Any]) -> dict[str, str]:
    """Return {key: own letter} of what is kept of a person."""
    found = keys.get("letters", {})
    return dict(found) if isinstance(found, dict) else {}


@contextmanager
def override(keys: Mapping[str, Any]) -> Iterator[None]:
    """Draw a person's own letters meanwhile."""
    token = _letters.set(letters_of(keys))
    try:
        yield
    finally:
        _letters.reset(token)
