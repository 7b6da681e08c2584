from __future__ import annotations

from django.apps import AppConfig


class QuestionBankConfig(AppConfig):
    name = "questionbank"
