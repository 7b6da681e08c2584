"""Keys of new probes: made once from the words they are first given, and never again."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from typing import Final

from questionbank.limits import KEY_LENGTH

MOST_WORDS: Final = 4
_LONGEST_BASE: Final = 48
_LONGEST_TITLE: Final = 60
# Words that say nothing of what a question is about. English only: keys are made of Latin letters.
_EMPTY: Final = frozenset(
    re.findall(
        r"\w+",
        "a about an and any are as at be been by can could did do does for from had has have how i if in into is it "
        "its me of on or say should so tell than that the their them there these they this to was were what when "
        "where which who whose why will with would you your",
    )
)


def slug(words: str) -> str:
    """Return up to four telling words of an English text as a key, "probe" when it holds none."""
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower().replace("'", "")
    found = re.findall(r"[a-z0-9]+", plain)
    telling = [word for word in found if word not in _EMPTY] or found
    chosen: list[str] = []
    for word in telling[:MOST_WORDS]:
        if len("-".join([*chosen, word])) > _LONGEST_BASE:
            break
        chosen.append(word)
    base = "-".join(chosen) or (telling[0][:_LONGEST_BASE] if telling else "probe")
    return base if base[0].isalpha() else f"p{base}"


def free_key(base: str, taken: Collection[str]) -> str:
    """Return the base, or the base with the first number from 2 on that nobody has."""
    if base not in taken:
        return base
    number = 2
    while f"{base}-{number}" in taken:
        number += 1
    return f"{base}-{number}"


def copies(keys: Iterable[str], taken: Iterable[str]) -> dict[str, str]:
    """Return a new key for each: the same with a number, after the number that it has."""
    used = set(taken)
    names: dict[str, str] = {}
    for key in keys:
        base = re.sub(r"-[0-9]+$", "", key)[: KEY_LENGTH - 5].rstrip("-")
        names[key] = free_key(base, used)
        used.add(names[key])
    return names


def short(prompt: str) -> str:
    """Return the few words of a prompt that name it in lists until somebody writes better ones."""
    words = " ".join(prompt.split()).rstrip("?？.。!！ ")
    if len(words) <= _LONGEST_TITLE:
        return words
    cut = words[: _LONGEST_TITLE - 1]
    return f"{cut.rpartition(' ')[0] or cut}…"
