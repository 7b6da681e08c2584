from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        import_module("scoring.views.home")
