"""Drawing the regions of a room: one partial each, for page, frame and snapshot alike.

A region is drawn from the state as it is now. `mine` regions are drawn for their author only: their context is read
through the seal as that seat.
"""

from __future__ import annotations

from typing import Any

from interviews.models import Seat


def regions_of(name: str, stream: str, data: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    return []


def draw_regions(room: int, regions: list[tuple[str, dict[str, Any]]], seat: Seat | None) -> str:
    return ""


def room_state(seat: int, *, streams: tuple[str, ...]) -> dict[str, Any]:
    return {"state": {}, "html": ""}
