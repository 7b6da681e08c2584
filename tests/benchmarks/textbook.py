"""A room as the tutorials build it, to measure ours beside: a consumer, one group a room, a row by the ORM, Redis.

`uvicorn tests.benchmarks.textbook:application`. No stream, order, repeat, seal or HTML: whoever is in the room hears
everything. Its settings are Channels' and Django's own defaults (a connection a call).
"""

from __future__ import annotations

import os
from typing import Any

import django
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()
# Two things beyond the tutorial, or newer versions of the client end idle or many consumers: no timeout, no limit.
HOST = {"address": settings.REDIS_URL, "socket_timeout": None, "max_connections": 10_000}
settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels_redis.core.RedisChannelLayer", "CONFIG": {"hosts": [HOST]}}}

# After Django is set up: these modules import models.
from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.db import database_sync_to_async  # noqa: E402
from channels.generic.websocket import AsyncJsonWebsocketConsumer  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.urls import path  # noqa: E402
from django.utils import timezone  # noqa: E402

from interviews.models import Event, Interview, Seat  # noqa: E402


class TextbookRoom(AsyncJsonWebsocketConsumer):  # type: ignore[misc]
    async def connect(self) -> None:
        code = self.scope["url_route"]["kwargs"]["code"]
        self.group = f"room_{code.hex}"
        self.room, self.seat = await database_sync_to_async(self._seat)(code)
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()
        await self.send_json({"type": "welcome", "heads": {}})

    def _seat(self, code: Any) -> tuple[int, int]:
        room = Interview.objects.values_list("room", flat=True).get(code=code)
        return room, Seat.objects.get(interview__code=code, person=self.scope["user"]).pk

    async def disconnect(self, code: int) -> None:
        await self.channel_layer.group_discard(self.group, self.channel_name)

    async def receive_json(self, content: dict[str, Any], **kwargs: Any) -> None:
        if content["type"] != "command":
            return
        await database_sync_to_async(self._keep)(content)
        await self.channel_layer.group_send(self.group, {"type": "room.event", "content": content})

    def _keep(self, content: dict[str, Any]) -> None:
        now = timezone.now()
        Event.objects.create(
            room_id=self.room, stream=content["id"], seq=1, name=content["name"], seat_id=self.seat,
            cause=content["id"], at=now, made_at=now, data=content["data"],
        )  # fmt: skip

    async def room_event(self, event: dict[str, Any]) -> None:
        await self.send_json({**event["content"], "type": "event", "cause": event["content"]["id"]})


application = ProtocolTypeRouter(
    {"websocket": AuthMiddlewareStack(URLRouter([path("ws/interviews/<uuid:code>/", TextbookRoom.as_asgi())]))}
)
