"""The switch to raw: the same pages without calibrated values, for who wants to see what was simply given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict

Content = Mapping[str, Any]
NAME, RAW = "values", "raw"
SWITCHED_OFF = "switched_off"
"""Why there is no calibrated value, on a page; kept nowhere."""


@dataclass(frozen=True, slots=True)
class Switch:
    """`raw`: which side it stands on. The addresses keep everything else that the page's own says."""

    raw: bool
    calibrated_url: str
    raw_url: str


def is_raw(query: QueryDict) -> bool:
    return query.get(NAME) == RAW


def switch(query: QueryDict, contents: Iterable[Content | None]) -> Switch | None:
    """Return the switch; None where no card has a calibrated value, so that there is nothing to switch."""
    if not any(row["calibrated"] for content in contents if content for row in content["dimensions"].values()):
        return None
    return Switch(is_raw(query), _address(query, ""), _address(query, RAW))


def _address(query: QueryDict, values: str) -> str:
    changed = query.copy()
    changed.pop(NAME, None)
    changed.pop("format", None)
    if values:
        changed[NAME] = values
    return f"?{changed.urlencode()}"


def without_calibrated(content: Content) -> dict[str, Any]:
    """A panel card's content with its calibrated values switched off."""
    off = {"calibrated": None, "calibrated_missing": SWITCHED_OFF}
    return {**content, "dimensions": {aim: row | off for aim, row in content["dimensions"].items()}}
