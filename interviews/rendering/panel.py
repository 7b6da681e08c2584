"""What the partials of the panel's craft read: who asks which tree, raised hands, offers to the lead, the chat."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.template.loader import render_to_string
from django.utils.translation import gettext as _

from interviews.enums import Role
from interviews.models import ChatLine, Seat
from interviews.queries.chat import chat_lines, chat_since
from interviews.queries.room import Pinned, RoomView
from people.fields import words_in


def asker_context(view: RoomView, pinned: Pinned) -> str:
    """The name of who is to ask a tree, "" where only one could."""
    asker = view.asker_of(pinned)
    return asker.person.name if asker is not None and asker.person is not None else ""


def hand_context(view: RoomView, seat: Seat) -> dict[str, Any] | None:
    """A raised hand: the probe its owner wishes to ask ("" = not said) and a few words for it; None: it is down."""
    if not view.hand_up(seat):
        return None
    wished = view.wished(seat)
    if wished is None:
        return {"probe": "", "title": "", "lang": ""}
    title, lang = words_in(wished.title)
    return {"probe": wished.id, "title": title or _("erased"), "lang": lang}


def offers_context(view: RoomView, current: Pinned | None) -> list[dict[str, Any]]:
    """What the lead can do for the others, at most one key each: {seat, name, may_lead, hand, tree, tree_lang}.

    `hand` as in hand_context, or None; `tree` is the title of the tree being asked where it is that person's to ask,
    else "". First who asks the tree, then the hands in the order of raising.
    """
    asker = view.asker_of(current) if current is not None else None
    up = sorted((seat for seat in view.seats if view.hand_up(seat)), key=lambda seat: seat.hand_seq or 0)
    offers = []
    for seat in dict.fromkeys([*([asker] if asker is not None and asker.role != Role.LEAD else []), *up]):
        title, lang = words_in(current.says.title) if current is not None and seat is asker else ("", "")
        offers.append(
            {
                "seat": str(seat.code),
                "name": seat.person.name if seat.person else "",
                "may_lead": seat.role == Role.INTERVIEWER,
                "hand": hand_context(view, seat),
                "tree": title,
                "tree_lang": lang,
            }
        )
    return offers


# --- chat -------------------------------------------------------------------------------------------------------------


def line_context(line: ChatLine) -> dict[str, Any]:
    return {
        "id": str(line.pk),
        "seq": line.seq,
        "by": line.seat_id,
        "seat": str(line.seat.code),
        "name": line.seat.person.name if line.seat.person else "",
        "made_at": line.made_at,
        "text": line.text.body,
    }


def chat_context(view: RoomView) -> dict[str, Any]:
    """The chat as it stands, for a page or a snapshot: {on, lines}; no lines where the position has no chat."""
    if not view.interview.application.position.chat:
        return {"on": False, "lines": []}
    return {"on": True, "lines": [line_context(line) for line in chat_lines(view.interview)]}


class ChatFrames:
    """The lines that a batch of frames draws, read once."""

    def __init__(self, room: int) -> None:
        self.room = room
        self._lines: dict[str, ChatLine] = {}

    def _line(self, line: str) -> ChatLine | None:
        if line not in self._lines:
            self._lines |= chat_since(self.room, UUID(line))
        return self._lines.get(line)

    def html(self, line: str) -> str:
        found = self._line(line)
        if found is None:
            return ""
        return render_to_string("interviews/frames/chat_line.html", {"line": line_context(found)})

    def words(self, line: str) -> str | None:
        """The line's words as they are now, None once erased."""
        found = self._line(line)
        return found.text.body if found is not None else None
