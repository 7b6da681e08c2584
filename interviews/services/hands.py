"""Raised hands: how they come down."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet

from interviews.models import Seat


def take_down(seats: QuerySet[Seat], **more: Any) -> None:
    """Take these seats' hands down and forget what they wished to ask. One update; `more` is set with it."""
    seats.update(hand_seq=None, hand_probe="", **more)
