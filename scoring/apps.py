from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        """Fill the registries: each of these modules adds its part when imported, the debrief its kind of room."""
        for module in ("scoring.doctor", "scoring.live.debrief_room", "scoring.views.home"):
            import_module(module)
