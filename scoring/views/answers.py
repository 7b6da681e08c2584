"""JSON beside HTML: the same address, chosen by `?format=json` or by the Accept header."""

from __future__ import annotations

from django.http import HttpRequest


def wants_json(request: HttpRequest) -> bool:
    """Whether the client asked for JSON. A browser's Accept header prefers HTML."""
    wanted = request.GET.get("format")
    if wanted:
        return wanted == "json"
    return request.get_preferred_type(["text/html", "application/json"]) == "application/json"
