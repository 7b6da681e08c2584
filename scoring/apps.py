from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        """Fill the registries of people: each of these modules adds its part when it is imported."""
        for module in ("scoring.doctor", "scoring.views.home"):
            import_module(module)
