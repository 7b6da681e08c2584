"""Drawing a room: the contexts of its partials, and the partials as HTML for page, frame and snapshot alike."""

from __future__ import annotations

from interviews.rendering.context import lead_context, page_context
from interviews.rendering.regions import Drawing, room_state

__all__ = ["Drawing", "lead_context", "page_context", "room_state"]
