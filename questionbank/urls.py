"""Addresses of this app."""

from __future__ import annotations

app_name = "questionbank"

urlpatterns: list[object] = []
