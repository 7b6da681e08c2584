from __future__ import annotations

from django.apps import AppConfig
from django.utils.module_loading import import_string

from people.lifecycle import home_sections


class ScoringConfig(AppConfig):
    name = "scoring"

    def ready(self) -> None:
        # By name: what draws the section reads models, which load after the apps.
        home_sections.append(import_string("scoring.home.owed_section"))
