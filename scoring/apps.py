from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        """Fill the registries, each by importing the module that adds its part: the doctor's checks, what the home page
        asks of a person, whom to seat beside whom, and the debrief as a kind of room before sockets get addresses."""
        for module in ("scoring.doctor", "scoring.views.home", "scoring.views.pairing", "scoring.live.debrief_room"):
            import_module(module)
