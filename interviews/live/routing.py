"""Socket addresses. Unknown ones are answered too, with 4404, because a plain refusal tells a page nothing."""

from __future__ import annotations

from typing import Any

from django.urls import path, re_path

import interviews.live.interview_room  # noqa: F401 - registers itself
from interviews.live.consumer import room_socket
from interviews.live.kinds import KINDS

ROOM: Any = room_socket  # an ASGI application; Django's path() is typed for views only

websocket_urlpatterns: list[Any] = [
    *(path(f"ws/{kind.address}/<uuid:code>/", ROOM, {"kind": name}) for name, kind in KINDS.items()),
    re_path(r"^", ROOM),
]
