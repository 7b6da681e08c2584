"""The closed lists of people and jobs."""

from __future__ import annotations

from enum import StrEnum


class PersonRole(StrEnum):
    """What a person may do outside a room; inside one, the seat decides."""

    ADMINISTRATOR = "administrator"
    MANAGER = "manager"
    CURATOR = "curator"
    INTERVIEWER = "interviewer"
    OBSERVER = "observer"


class Theme(StrEnum):
    AUTO = "auto"
    LIGHT = "light"
    DARK = "dark"
