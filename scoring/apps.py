from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        """Fill the registries: a check of the doctor, and the debrief as a kind of room before addresses are made."""
        for module in ("scoring.doctor", "scoring.live.debrief_room"):
            import_module(module)
