"""How texts are made comparable, and what of a text answers a search. Pure; no Django.

The database has a twin of `folded` and of the letter classes (questionbank_folded and questionbank_grams, migration
0009); tests hold them together.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from enum import IntEnum

MOST_TERMS = 8
"""Words of one search. What stands behind them narrows nothing that a person could tell."""


class Letter(IntEnum):
    """`SPACELESS` are letters of scripts that write without spaces between words: Han, kana, Hangul."""

    NONE = 0
    SPACED = 1
    SPACELESS = 2


def folded(text: str) -> str:
    """Return the text as it is searched and compared: compatibility forms resolved (NFKC), small letters, ß as ss."""
    return unicodedata.normalize("NFKC", text).lower().replace("ß", "ss")


def letter_class(letter: str) -> Letter:
    """Return the class of one letter of a folded text; signs and blanks have none."""
    code = ord(letter)
    if 12353 <= code <= 40959 or 44032 <= code <= 55215 or 63744 <= code <= 64255 or 131072 <= code <= 262143:
        return Letter.SPACELESS
    if 48 <= code <= 57 or 97 <= code <= 122 or (192 <= code <= 8191 and code not in {215, 247}):
        return Letter.SPACED
    return Letter.NONE


def terms_of(words: str) -> tuple[str, ...]:
    """Return what a search asks for: the folded words, each once, the first `MOST_TERMS` of them."""
    return tuple(dict.fromkeys(folded(words).replace("\0", " ").split()))[:MOST_TERMS]


def is_gram(term: str) -> bool:
    """Whether a term is short enough for the index of grams: one letter, or two; a sign beside it, and it is not."""
    return len(term) <= 2 and all(letter_class(letter) for letter in term)


def starts_words_only(term: str) -> bool:
    """Whether a term is found at the start of words alone: one or two letters of a script with spaces."""
    return is_gram(term) and all(letter_class(letter) is Letter.SPACED for letter in term)


def spans(text: str, terms: Sequence[str]) -> list[tuple[int, int]]:
    """Return where in a text, as it is written, any of the terms stands: (start, end), in order, joined where they
    touch."""
    letters: list[str] = []
    places: list[int] = []
    for place, letter in enumerate(text):
        for one in folded(letter):
            letters.append(one)
            places.append(place)
    whole = "".join(letters)
    found = sorted((places[at], places[at + len(term) - 1] + 1) for term in terms for at in _places(whole, term))
    joined: list[tuple[int, int]] = []
    for start, end in found:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def says(text: str, terms: Sequence[str]) -> bool:
    """Whether a text says all of the terms, as the database would find it."""
    whole = folded(text)
    return all(next(_places(whole, term), None) is not None for term in terms)


def _places(whole: str, term: str) -> Iterator[int]:
    starts_only = starts_words_only(term)
    at = whole.find(term)
    while at >= 0:
        if not (starts_only and at and letter_class(whole[at - 1]) is Letter.SPACED):
            yield at
        at = whole.find(term, at + 1)
