from __future__ import annotations

from importlib import import_module

from django.apps import AppConfig


class QuestionBankConfig(AppConfig):
    name = "questionbank"

    def ready(self) -> None:
        """Let the checks register themselves."""
        import_module("questionbank.checks")
