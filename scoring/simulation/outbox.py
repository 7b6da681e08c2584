"""One person's outbox: the rules of docs/realtime.md, as the room's page keeps them. Pure: the caller brings the time.

A command stays until it is acknowledged or finally refused. After a cut everything unacknowledged goes out again, in
order, with the same ids.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

WINDOW: Final = 32
SERVER_ERRORS: Final = 5

# What names the item that a command writes. Acts on the room write none.
ITEMS: Final[Mapping[str, tuple[str, str]]] = {
    "mark.set": ("mark", "asked"),
    "boundary.set": ("boundary", "tree"),
    "note.set": ("note", "asked"),
    "evidence.add": ("evidence", ""),
    "evidence.edit": ("evidence", "evidence"),
    "evidence.remove": ("evidence", "evidence"),
    "reason.add": ("reason", ""),
    "reason.edit": ("reason", "reason"),
    "reason.remove": ("reason", "reason"),
}


def item_of(name: str, data: Mapping[str, Any], command: str) -> str | None:
    """Return the name of the one thing that a command writes; `command` is its id, which is also a new item's."""
    kind, key = ITEMS.get(name, ("", ""))
    return f"{kind}:{(data.get(key) or '-') if key else command}" if kind else None


@dataclass(slots=True)
class Row:
    """A command in the outbox. `made` is when the person acted, on the caller's clock (seconds)."""

    id: str
    name: str
    data: dict[str, Any]
    made: float
    item: str | None
    sends: int = 0
    server_errors: int = 0

    def frame(self, now: float) -> dict[str, Any]:
        age = max(0, round((now - self.made) * 1000))
        return {"type": "command", "id": self.id, "name": self.name, "data": self.data, "age": age}

    def depends_on(self, other: Row) -> bool:
        """Whether this row, written after `other`, makes no sense without it."""
        named = {self.data.get("asked"), self.data.get("evidence"), self.data.get("reason")}
        return other.id in named or (self.item is not None and self.item == other.item)


@dataclass(frozen=True, slots=True)
class Acked:
    """What the server said it has."""

    id: str
    name: str
    data: Mapping[str, Any]
    stream: str
    seq: int
    version: int | None
    sends: int


@dataclass(frozen=True, slots=True)
class Refused:
    """What the server finally would not take. `fallen` rows went with it, unsent."""

    id: str
    name: str
    code: str
    message: str
    fallen: tuple[str, ...] = ()


@dataclass(slots=True)
class Outbox:
    """Rows in the order of acting, and what became of those that are gone."""

    rows: list[Row] = field(default_factory=list)
    in_flight: set[str] = field(default_factory=set)
    acked: list[Acked] = field(default_factory=list)
    refused: list[Refused] = field(default_factory=list)
    saved: dict[str, int] = field(default_factory=dict)
    hold_until: float = 0.0
    resent: int = 0

    def put(self, name: str, data: dict[str, Any], *, id: str, now: float, item: str | None = None) -> Row:
        """Queue a command. Without `item` it builds on nothing (acts on the room, commands sent as they stand)."""
        row = Row(id, name, data, now, item)
        self.rows.append(row)
        return row

    def version(self, item: str) -> int:
        """The version to build on: what is saved, counting our own queued writes."""
        queued = [row for row in self.rows if row.item == item]
        if not queued:
            return self.saved.get(item, 0)
        return int(queued[-1].data["version"]) + 1 if "version" in queued[-1].data else 1

    def due(self, now: float, window: int = WINDOW) -> list[Row]:
        """Take the next rows to send, strictly in order, within the window; they are on their way from now on.

        Two writes of one item are never on the way together: were the first stale, the second would carry just the
        number that the other device's write has reached.
        """
        if now < self.hold_until:
            return []
        busy = {row.item for row in self.rows if row.id in self.in_flight and row.item}
        taken: list[Row] = []
        for row in self.rows:
            if row.id in self.in_flight:
                continue
            if len(self.in_flight) >= window or row.item in busy:
                break
            if row.item:
                busy.add(row.item)
            self.in_flight.add(row.id)
            self.resent += row.sends > 0
            row.sends += 1
            taken.append(row)
        return taken

    def line_lost(self) -> None:
        """Nothing is on its way any more, and what was may or may not have arrived: all of it goes out again."""
        self.in_flight.clear()

    def acknowledge(self, frame: Mapping[str, Any]) -> Acked | None:
        """Take an ack: now, and only now, its row goes. None for one that is not ours any more."""
        row = self._take(frame["id"])
        if row is None:
            return None
        version = frame.get("version")
        if row.item is not None and version is not None:
            self.saved[row.item] = max(version, self.saved.get(row.item, 0))
        acked = Acked(row.id, row.name, row.data, frame["stream"], frame["seq"], version, row.sends)
        self.acked.append(acked)
        return acked

    def refuse(self, frame: Mapping[str, Any], now: float) -> Refused | None:
        """Take a refusal: keep the row for later, or let it go for good, and with it what was built on it."""
        row = next((row for row in self.rows if row.id == frame["id"]), None)
        if row is None:
            return None
        self.in_flight.discard(row.id)
        code = frame["code"]
        row.server_errors += code == "server_error"
        if code == "retry_later" or (code == "server_error" and row.server_errors < SERVER_ERRORS):
            self.hold_until = max(self.hold_until, now + float(frame.get("after") or 1.0))
            return None
        before = self.rows[: self.rows.index(row)]
        if code in {"stale", "not_asked"} and any(row.depends_on(other) for other in before):
            return None  # what it builds on has not arrived yet: it goes out again behind that
        self.rows.remove(row)
        fallen = self._fall(row)
        refused = Refused(row.id, row.name, code, frame.get("message", ""), tuple(one.id for one in fallen))
        self.refused.append(refused)
        return refused

    def heard(self, event: Mapping[str, Any]) -> None:
        """Learn from an event of the own stream what is saved, whoever's device wrote it."""
        data = event["data"]
        item = item_of(event["name"], data, data.get("evidence") or data.get("reason") or "")
        if item is not None and "version" in data:
            self.saved[item] = max(data["version"], self.saved.get(item, 0))

    def _take(self, id: str) -> Row | None:
        row = next((row for row in self.rows if row.id == id), None)
        if row is not None:
            self.rows.remove(row)
            self.in_flight.discard(id)
        return row

    def _fall(self, first: Row) -> list[Row]:
        """Take out the unsent rows that make no sense without `first`, through any number of steps."""
        gone: list[Row] = [first]
        for row in list(self.rows):
            if row.id not in self.in_flight and any(row.depends_on(other) for other in gone):
                gone.append(row)
                self.rows.remove(row)
        return gone[1:]
