"""What happened in a run, as plain data: what each client did, was told and heard, and what the tables hold."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Event:
    """An event of the log. `stream` is its name in the table, with the seat where it is somebody's own."""

    stream: str
    seq: int
    name: str
    cause: str | None
    seat: str | None
    made_at: float = 0.0
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Command:
    """An accepted command of the table."""

    seat: str
    id: str
    stream: str
    seq: int
    version: int | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """One room as the database has it. Times are seconds since 1970."""

    events: tuple[Event, ...]
    commands: tuple[Command, ...]
    heads: dict[str, int]
    started_at: float = 0.0


@dataclass(frozen=True, slots=True)
class Ack:
    """An ack as it was heard; `stream` as on the wire."""

    id: str
    stream: str
    seq: int
    version: int | None
    at: float = 0.0


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refusal for good, and the commands that fell with it, unsent."""

    id: str
    code: str
    message: str
    fallen: tuple[str, ...] = ()


@dataclass(slots=True)
class Told:
    """One client: what its person did (command id -> when), when each was first sent, and all it was told.

    `waiting` are the commands still in its outbox. `applied` is what its page took, in order, with streams by their
    names in the table. `true_clock`: whether the ages it sent were right.
    """

    name: str
    seat: str
    streams: tuple[str, ...]
    did: dict[str, float] = field(default_factory=dict)
    sent: dict[str, float] = field(default_factory=dict)
    acks: list[Ack] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    waiting: set[str] = field(default_factory=set)
    applied: list[Event] = field(default_factory=list)
    snapshots: int = 0
    true_clock: bool = True
