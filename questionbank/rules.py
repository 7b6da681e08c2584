"""Who may do what with the bank. Pure: roles in, yes or no out."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from people.enums import PersonRole
from questionbank.enums import VersionState

READERS: Final[frozenset[str]] = frozenset(
    {PersonRole.CURATOR, PersonRole.MANAGER, PersonRole.INTERVIEWER, PersonRole.ADMINISTRATOR}
)
WRITERS: Final[frozenset[str]] = frozenset({PersonRole.CURATOR, PersonRole.ADMINISTRATOR})
# What was published once can be read for ever: an interview that pinned it still speaks of it.
OPEN_STATES: Final = frozenset({VersionState.PUBLISHED, VersionState.RETIRED})
UNPUBLISHED: Final = frozenset({VersionState.DRAFT, VersionState.IN_REVIEW})


def may_read(roles: Collection[str]) -> bool:
    return not READERS.isdisjoint(roles)


def may_write(roles: Collection[str]) -> bool:
    """Writers also read what isn't published yet."""
    return not WRITERS.isdisjoint(roles)
