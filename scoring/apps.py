from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        """Register the debrief as a kind of room, before the addresses of sockets are made."""
        import_module("scoring.live.debrief_room")
