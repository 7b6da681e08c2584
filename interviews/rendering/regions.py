"""Which regions an event repaints, and how each is drawn. A region is a partial; its name is the id of its root.

Regions of `all` and `panel` are drawn from the shared state; those of `mine` for their author, from what that seat
wrote. None holds controls: the lead's are fetched by the lead's page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from typing import Any

from django.template.loader import render_to_string
from django.utils.translation import get_language

from interviews import log
from interviews.models import Boundary as BoundaryRow
from interviews.models import Event, Seat, Text
from interviews.queries.room import MineView, RoomView, mine_view, room_view
from interviews.rendering import context
from interviews.rendering.panel import ChatFrames, chat_context

STATUS = ("room_status",)
PROBES = ("asked_list", "current_probe")
HANDS = ("hands",)  # a part of presence: asking what somebody wished to ask takes their hand down
SEATS = ("presence",)
ASKERS = ("askers",)  # parts of asked_list and of the outline
CHAT = ("chat_line",)
SHARED = ("shared_prompt",)
AGENDA = ("agenda",)

# event name -> {stream: regions of the shared state}. What `all` repaints, `panel` needn't: the panel hears both.
SHARED_REGIONS: dict[str, dict[str, tuple[str, ...]]] = {
    "interview.start": {log.ALL: STATUS, log.PANEL: SEATS},  # the lead's word for the candidate's consent
    "interview.pause": {log.ALL: STATUS},
    "interview.resume": {log.ALL: STATUS},
    "interview.end": {log.ALL: STATUS},
    "interview.reopen": {log.ALL: STATUS, log.PANEL: HANDS},
    "lead.hand_over": {log.PANEL: SEATS + ASKERS},
    "lead.take": {log.PANEL: SEATS},
    "probe.ask": {log.PANEL: PROBES + HANDS},
    "probe.adhoc": {log.PANEL: PROBES},
    "probe.retract": {log.PANEL: PROBES + HANDS},
    "tree.edit": {log.PANEL: PROBES + HANDS},
    "prompt.share": {log.ALL: SHARED},
    "prompt.unshare": {log.ALL: SHARED},
    # What was told before is nothing to the candidate: their page begins with how things stand.
    "candidate.admit": {log.ALL: STATUS + SHARED + AGENDA, log.PANEL: SEATS},
    "candidate.wait": {log.PANEL: SEATS},
    "hand.raise": {log.PANEL: HANDS},
    "hand.lower": {log.PANEL: HANDS},
    "chat.post": {log.PANEL: CHAT},
    # Set-up changes a room from outside (interviews.services.seating, scheduling): nobody's seat did it.
    "seats.change": {log.PANEL: SEATS + ASKERS},
    "askers.change": {log.PANEL: ASKERS},
    # Both withdraw the candidate's link, so nobody is let in any more.
    "interview.cancel": {log.ALL: STATUS, log.PANEL: SEATS},
    "interview.no_show": {log.ALL: STATUS, log.PANEL: SEATS},
}

# region of the shared state -> what its partial reads of it (context.SHARED), and nothing else is read for it
READS = {
    "room_status": ("status",),
    "asked_list": ("trees",),
    "current_probe": ("current",),
    "hands": ("seats",),
    "presence": ("seats",),
    "askers": ("trees",),
    "shared_prompt": ("shared",),
    "agenda": ("agenda",),
}

# Events whose words everybody on their stream may read -> the field that points at them.
SHARED_WORDS = {"prompt.share": "text", "probe.adhoc": "text", "tree.edit": "text", "interview.reopen": "reason"}


def _mark(mine: MineView, data: dict[str, Any]) -> dict[str, Any] | None:
    mark = mine.marks.get(data["asked"])
    return {"mark": context.mark_context(mark)} if mark else None


def _boundary(mine: MineView, data: dict[str, Any]) -> dict[str, Any]:
    return {"boundary": context.boundary_context(mine.boundaries.get(data["tree"]), data["tree"])}


def _note(mine: MineView, data: dict[str, Any]) -> dict[str, Any]:
    asked = data.get("asked")
    return {"note": context.note_context(mine.notes.get(asked or ""), asked)}


def _statements(kind: str) -> Callable[[MineView, dict[str, Any]], dict[str, Any] | None]:
    def read(mine: MineView, data: dict[str, Any]) -> dict[str, Any] | None:
        by_asked: dict[str, list[Any]] = getattr(mine, "evidence" if kind == "evidence" else "reasons")
        asked = data.get("asked") or mine.homes.get(data[kind])
        if asked is None:
            return None
        return {"asked": asked, "statements": [context.statement_context(row) for row in by_asked.get(asked, [])]}

    return read


# event name -> (partial, reader of its context from the author's judgements)
MINE_REGIONS: dict[str, tuple[str, Callable[[MineView, dict[str, Any]], dict[str, Any] | None]]] = {
    "mark.set": ("my_mark", _mark),
    "boundary.set": ("my_boundary", _boundary),
    "note.set": ("my_note", _note),
    **{f"evidence.{verb}": ("my_evidence", _statements("evidence")) for verb in ("add", "edit", "remove")},
    **{f"reason.{verb}": ("my_reasons", _statements("reason")) for verb in ("add", "edit", "remove")},
}


_ASKED, _VERSION = "the-asking", 987_654_321  # stand for a mark's in what is kept of my_mark.html


@cache
def _mark_as_said(language: str, outcome: str | None, aid: str | None) -> str:
    """my_mark.html for what can be said of an answer, a few dozen texts: most of what a room draws are marks."""
    mark = {"asked": _ASKED, "outcome": outcome, "aid": aid, "version": _VERSION}
    return render_to_string("interviews/frames/my_mark.html", {"mark": mark})


def _draw_mine(partial: str, found: dict[str, Any]) -> str:
    if partial != "my_mark":
        return render_to_string(f"interviews/frames/{partial}.html", found)
    mark = found["mark"]
    drawn = _mark_as_said(get_language() or "", mark["outcome"], mark["aid"])
    return drawn.replace(_ASKED, mark["asked"]).replace(str(_VERSION), str(mark["version"]))


FEW = 3  # events of one drawing, up to which reading what each is about is less than reading everything


class Drawing:
    """Draws the events of one room, reading its state and their words once however many there are.

    `events`: those that are coming; None for a drawing of the whole room.
    """

    def __init__(self, room: int, events: Sequence[Event] | None = None) -> None:
        self.room = room
        self._events = events or ()
        self._few = events is not None and len(events) <= FEW
        self._view: RoomView | None = None
        self._shared: dict[str, Any] = {}
        self._mine: dict[tuple[int, str], MineView] = {}
        self._drawn: dict[str, str] = {}
        self._chat = ChatFrames(room)
        for event in self._events:
            if event.wrote is not None and event.seat is not None and self._few:
                mine = MineView.just_written(event.seat, event.wrote)
                self._mine[event.seat.pk, f"asked {event.data['asked']}"] = mine

    @property
    def view(self) -> RoomView:
        if self._view is None:
            self._view = room_view(self.room)
        return self._view

    @cached_property
    def _words(self) -> dict[int, str | None]:
        """The words of the coming events' texts (pk) as they are now, None once erased: one query."""
        fields = ((event, SHARED_WORDS.get(event.name, "")) for event in self._events)
        wanted = {event.data[field] for event, field in fields if field in event.data}
        return dict(Text.objects.filter(pk__in=wanted).values_list("pk", "body"))

    def mine(self, seat: Seat, data: dict[str, Any] | None = None) -> MineView:
        """What the seat wrote; for an event's data, at least what it is about."""
        if data is None or not self._few or "asked" not in data:
            key, about = (seat.pk, "all"), ...
        else:
            key, about = (seat.pk, f"asked {data['asked']}"), data["asked"]
        if key not in self._mine:
            self._mine[key] = mine_view(seat, about)
        return self._mine[key]

    def html(self, name: str, stream: str, data: dict[str, Any], seat: Seat | None) -> str:
        """The HTML of an event's regions, one root each; "" where the event repaints nothing on this stream."""
        if stream == log.MINE:
            if name not in MINE_REGIONS or seat is None:
                return ""
            partial, read = MINE_REGIONS[name]
            found = read(self.mine(seat, data), data)
            return "" if found is None else _draw_mine(partial, found)
        if name == "chat.post":
            return self._chat.html(data["line"])
        return "".join(self.region(partial) for partial in SHARED_REGIONS.get(name, {}).get(stream, ()))

    def region(self, partial: str) -> str:
        if partial not in self._drawn:
            found = {name: self.shared(name) for name in READS[partial]}
            self._drawn[partial] = render_to_string(f"interviews/frames/{partial}.html", found)
        return self._drawn[partial]

    def shared(self, name: str) -> Any:
        if name not in self._shared:
            self._shared[name] = context.SHARED[name](self.view)
        return self._shared[name]

    def data(self, name: str, stream: str, data: dict[str, Any], seat: Seat | None) -> dict[str, Any]:
        """An event's data with the words that its log entry only points at, as they are now."""
        if stream == log.MINE and seat is not None:
            return {**data, **_own_words(self.mine(seat, data), name, data)}
        field = SHARED_WORDS.get(name)
        if field is not None and field in data:
            words = self._words.get(data[field])
            return {**data, field: words if field == "reason" else words or ""}
        if name == "chat.post":
            return {**data, "text": self._chat.words(data["line"])}
        return data


def _own_words(mine: MineView, name: str, data: dict[str, Any]) -> dict[str, Any]:
    kind = name.partition(".")[0]
    if kind == "note":
        note = mine.notes.get(data.get("asked") or "")
        return {"text": note.text.body or "" if note else ""}
    if kind in {"evidence", "reason"}:
        groups: dict[str, list[Any]] = mine.evidence if kind == "evidence" else mine.reasons
        row = next((row for rows in groups.values() for row in rows if str(row.pk) == data[kind]), None)
        return {"detail": row.text.body or "", "asked": str(row.asked_id)} if row else {}
    if kind == "boundary":
        return _boundary_words(mine.boundaries.get(data["tree"]), data)
    return {}


def _boundary_words(said: BoundaryRow | None, data: dict[str, Any]) -> dict[str, Any]:
    """When it was said (an ask beyond that reopens it), and an override's reason."""
    at = {"said_at": said.said_at_seq if said else 0}
    if not data.get("override"):
        return at
    reason = said.override_reason.body if said and said.override_reason else ""
    return {**at, "override": {**data["override"], "reason": reason or ""}}


def room_state(room: int, seat: Seat, *, streams: tuple[str, ...]) -> dict[str, Any]:
    """The whole room as a seat may hear it: {state, html}, for a page whose past was rewritten."""
    drawing = Drawing(room)
    html: list[str] = []
    state: dict[str, Any] = {"status": drawing.view.interview.status if streams else None}
    if log.ALL in streams:
        html += [drawing.region(name) for name in (*STATUS, *SHARED, *AGENDA)]
    if log.PANEL in streams:
        html += [drawing.region(name) for name in (*PROBES, *SEATS, *ASKERS)]
        html.append(render_to_string("interviews/frames/chat_lines.html", {"chat": chat_context(drawing.view)}))
        state["asked"] = [
            {key: asked[key] for key in ("id", "probe", "seq", "level", "current", "retracted", "late")}
            for tree in drawing.shared("trees")
            for asked in tree["asked"]
        ]
    if log.MINE in streams:
        state["mine"] = context.mine_json(drawing.mine(seat))
    return {"state": state, "html": "".join(html)}
