"""How the fields of commands are read from JSON: each reader returns the value, or raises what it should have been."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Annotated, Any, NoReturn
from uuid import UUID

from django.utils.translation import gettext as _

from interviews.enums import Aim, ProbeKind
from interviews.services.marking import Override
from interviews.services.refusal import Code, Refusal
from interviews.services.unchanged import Unchanged
from questionbank.limits import LANGUAGE

TEXT_LIMIT = 20_000
LONGEST_AGE = timedelta(days=30)


class BadValue(Exception):
    """A field's value is not what it should be; the words say what it should be."""


def _fail(wanted: str) -> NoReturn:
    raise BadValue(wanted)


def read_id(value: object) -> UUID:
    if not isinstance(value, str):
        _fail(_("an id (UUID)"))
    try:
        return UUID(value)
    except ValueError:
        _fail(_("an id (UUID)"))


def read_text(value: object) -> str:
    if not isinstance(value, str) or not _storable(value):
        _fail(_("text"))
    if len(value) > TEXT_LIMIT:
        raise Refusal(Code.TOO_LARGE, _("A text may have 20,000 characters; this one has %(n)d.") % {"n": len(value)})
    return value


def _storable(value: str) -> bool:
    """Whether PostgreSQL can keep it: no NUL, no half of a surrogate pair (JSON can carry both)."""
    return "\x00" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)


def read_words(value: object) -> str:
    return read_text(value).strip() or _fail(_("text that is not empty"))


def read_key(value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= 200 or not _storable(value):
        _fail(_("a name"))
    return value


def read_whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31 - 1:
        _fail(_("a whole number from 0"))
    return value


def one_of(enum: type[StrEnum]) -> Callable[[object], StrEnum]:
    def read(value: object) -> StrEnum:
        if not isinstance(value, str) or value not in set(enum):
            _fail(_("one of %(values)s") % {"values": ", ".join(enum)})
        return enum(value)

    return read


def read_ratings(value: object) -> dict[str, int | None]:
    """{aim: 0-4 or null}; an aim that is not named stays as it is."""
    if not isinstance(value, dict):
        _fail(_("ratings by aim, 0 to 4"))
    for aim, rating in value.items():
        whole = isinstance(rating, int) and not isinstance(rating, bool) and 0 <= rating <= 4
        if aim not in set(Aim) or not (rating is None or whole):
            _fail(_("ratings by aim (depth, why, hands_on), 0 to 4"))
    return value


def read_override(value: object) -> Override:
    if not isinstance(value, dict) or set(value) != {"floor", "ceiling", "reason"}:
        _fail(_("floor, ceiling (or null) and reason"))
    ceiling = None if value["ceiling"] is None else read_whole(value["ceiling"])
    floor = read_whole(value["floor"])
    if floor > 99 or (ceiling is not None and not floor < ceiling <= 99):
        _fail(_("a floor below the ceiling, both at most 99"))
    return Override(floor, ceiling, read_words(value["reason"]))


def read_aims(value: object) -> tuple[Aim, ...]:
    """A list of aims, at least one, in the order that aims have."""
    if (
        not isinstance(value, list)
        or not value
        or any(not isinstance(aim, str) or aim not in set(Aim) for aim in value)
    ):
        _fail(_("a list of aims (depth, why, hands_on), at least one"))
    return tuple(aim for aim in Aim if aim in value)


_LANGUAGE = re.compile(LANGUAGE)


def read_tag(value: object) -> str:
    if not isinstance(value, str) or len(value) > 16 or not _LANGUAGE.fullmatch(value):
        _fail(_("a language tag such as en or zh-Hans"))
    return value


# Of the frame itself: None, or nothing, for what can't be read.


def read_command_id(value: object) -> UUID | None:
    try:
        return UUID(value) if isinstance(value, str) and len(value) == 36 else None
    except ValueError:
        return None


def read_device(value: object) -> str:
    return value if isinstance(value, str) and len(value) <= 64 and value.isprintable() else ""


def read_age(value: object) -> timedelta | None:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < float("inf"):
        return None
    return min(timedelta(milliseconds=min(value, LONGEST_AGE.total_seconds() * 1000)), LONGEST_AGE)


@dataclass(frozen=True, slots=True)
class Read:
    """How a field's value is read from JSON, and whether null clears it."""

    value: Callable[[object], Any]
    null: bool = False


Id = Annotated[UUID, Read(read_id)]
Whole = Annotated[int, Read(read_whole)]
Key = Annotated[str, Read(read_key)]
Words = Annotated[str, Read(read_words)]
Kind = Annotated[ProbeKind, Read(one_of(ProbeKind))]
Tag = Annotated[str | Unchanged, Read(read_tag)]
