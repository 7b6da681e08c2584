"""Addresses of this app."""

from __future__ import annotations

app_name = "interviews"

urlpatterns: list[object] = []
