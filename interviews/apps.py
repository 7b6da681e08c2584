from __future__ import annotations

from django.apps import AppConfig


class InterviewsConfig(AppConfig):
    name = "interviews"
