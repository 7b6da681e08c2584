from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        """Fill the registries of people: this module adds its part when it is imported."""
        import_module("scoring.doctor")
