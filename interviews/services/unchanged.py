"""The value of a field that a command does not mention: not cleared, just not spoken of."""

from __future__ import annotations

from enum import Enum


class Unchanged(Enum):
    UNCHANGED = "unchanged"


UNCHANGED = Unchanged.UNCHANGED
