"""The panel's chat, for those who sit in the room; and that there was one, for who is in charge."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db.models import QuerySet, Subquery

from interviews.models import ChatLine, Interview


def chat_lines(interview: Interview) -> list[ChatLine]:
    """Every line in order, with who wrote it and the words. One query."""
    return list(_drawn(ChatLine.objects.filter(interview=interview)))


def chat_since(room: int, line: UUID) -> dict[str, ChatLine]:
    """Return {id: line} from this one on: what a batch of frames draws, in one query."""
    first = ChatLine.objects.filter(pk=line).values("seq")
    rows = ChatLine.objects.filter(interview__room=room, seq__gte=Subquery(first))
    return {str(row.pk): row for row in _drawn(rows)}


def _drawn(lines: QuerySet[ChatLine]) -> QuerySet[ChatLine]:
    return lines.select_related("seat__person", "text").order_by("seq")


@dataclass(frozen=True, slots=True)
class ChatFacts:
    """That the panel wrote to each other: how often, who, and when first. Never what."""

    count: int
    first_at: datetime
    names: list[str]


def chat_facts(interview: Interview) -> ChatFacts | None:
    """Return what may be known of the chat by who is in charge; None where there was none. One query."""
    rows = list(
        ChatLine.objects.filter(interview=interview).order_by("seq").values_list("made_at", "seat__person__name")
    )
    if not rows:
        return None
    return ChatFacts(len(rows), rows[0][0], list(dict.fromkeys(name for _at, name in rows)))
