from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class InterviewsConfig(AppConfig):
    name = "interviews"

    def ready(self) -> None:
        """Fill the registries of people.lifecycle: each of these modules adds its part when it is imported."""
        for module in ("interviews.views.home", "interviews.services.closing"):
            import_module(module)
