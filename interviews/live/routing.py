"""Socket addresses. Unknown ones are answered too, with 4404, because a plain refusal tells a page nothing."""

from __future__ import annotations

import logging
from typing import Any

from django.db import DatabaseError
from django.urls import path, re_path

import interviews.live.interview_room  # noqa: F401 - registers itself
from interviews.live.consumer import Receive, Send, room_socket
from interviews.live.handshake import TRY_AGAIN
from interviews.live.kinds import KINDS

logger = logging.getLogger("sounding.room")

ROOM: Any = room_socket  # an ASGI application; Django's path() is typed for views only

websocket_urlpatterns: list[Any] = [
    *(path(f"ws/{kind.address}/<uuid:code>/", ROOM, {"kind": name}) for name, kind in KINDS.items()),
    re_path(r"^", ROOM),
]


def come_again(application: Any) -> Any:
    """Wrap what finds out who knocks: where that breaks, a page hears 1011 instead of a bare HTTP 500.

    The room speaks past what finds that out (`scope["line"]`), which would look into the session for every frame.
    """

    async def socket(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        answered = False

        async def tell(message: dict[str, Any]) -> None:
            nonlocal answered
            answered = True
            await send(message)

        try:
            await application({**scope, "line": send}, receive, tell)
        except Exception as error:
            if answered:
                raise
            if isinstance(error, DatabaseError):
                logger.warning("the database is away; a page is asked to come again", exc_info=True)
            else:  # as above: the log keeps what broke
                logger.exception("a handshake failed")
            await receive()  # websocket.connect
            await send({"type": "websocket.accept"})
            await send({"type": "websocket.close", "code": TRY_AGAIN})

    return socket
