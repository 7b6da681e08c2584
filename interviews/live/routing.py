"""Socket addresses. Unknown ones are answered too, with 4404, because a plain refusal tells a page nothing."""

from __future__ import annotations

from typing import Any

from django.urls import path, re_path

from interviews.live.consumer import interview_socket

ROOM: Any = interview_socket  # an ASGI application; Django's path() is typed for views only

websocket_urlpatterns: list[Any] = [
    path("ws/interviews/<uuid:code>/", ROOM),
    re_path(r"^", ROOM),
]
