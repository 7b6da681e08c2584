"""Judging a run: whatever was acknowledged is there exactly once, whatever is there was told to everyone in order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from interviews.services.refusal import Code
from tests.faults.chaos.history import Ack, Command, Event, Table, Told

CODES = {code.value for code in Code}
LATE = 0.25  # seconds by which clocks of one machine, read in two processes, may differ


def check(table: Table, clients: Iterable[Told], *, quiet: bool = True) -> list[str]:
    """Return a line for everything that is wrong with one room; [] when nothing is.

    `quiet`: nothing is on its way any more, so that everything must have been answered and heard. Without it only what
    must hold at any moment is looked at; the clients' side must have been read before the table.
    """
    clients = list(clients)
    return [
        *_streams(table),
        *_causes(table),
        *_acknowledged(table, clients),
        *_times(table, clients),
        *_heard(table, clients, quiet=quiet),
        *(_answered(table, clients) if quiet else ()),
    ]


def _streams(table: Table) -> Iterator[str]:
    """Each stream counts 1, 2, 3 ... to its head."""
    for stream in sorted({*table.heads, *(event.stream for event in table.events)}):
        seqs = sorted(event.seq for event in table.events if event.stream == stream)
        head = table.heads.get(stream, 0)
        if seqs != list(range(1, head + 1)):
            missing = sorted(set(range(1, head + 1)) - set(seqs))
            doubled = [seq for seq, times in Counter(seqs).items() if times > 1]
            last = max(seqs, default=0)
            yield f"stream {stream} (head {head}) lacks {missing[:5]}, doubles {doubled[:5]}, counts to {last}"


def _causes(table: Table) -> Iterator[str]:
    """No command caused two events of one stream, or is there twice; an event of a command has its command."""
    times = Counter((event.stream, event.cause) for event in table.events if event.cause)
    yield from (f"command {cause} caused {n} events in {stream}" for (stream, cause), n in times.items() if n > 1)
    kept = Counter((command.seat, command.id) for command in table.commands)
    yield from (f"command {id} of {seat} is there {n} times" for (seat, id), n in kept.items() if n > 1)
    for event in table.events:
        if event.cause and (event.seat, event.cause) not in kept:
            yield f"{event.name} at {event.stream} {event.seq} names a command that is not there"


def _acknowledged(table: Table, clients: list[Told]) -> Iterator[str]:
    """Every ack is a command of the table, in the place that was told, and told the same each time."""
    kept = {(command.seat, command.id): command for command in table.commands}
    log = {(event.stream, event.seq): event.cause for event in table.events}
    for client in clients:
        first: dict[str, Ack] = {}
        for ack in client.acks:
            before = first.setdefault(ack.id, ack)
            if _place(before) != _place(ack):
                yield f"{client.name}: {ack.id} was acknowledged as {_place(before)}, then as {_place(ack)}"
            row = kept.get((client.seat, ack.id))
            if row is None:
                yield f"{client.name}: {ack.id} was acknowledged and is not there"
            elif (_wire(row.stream), row.seq, row.version) != _place(ack):
                yield f"{client.name}: {ack.id} was acknowledged as {_place(ack)} and stands elsewhere"
            elif log.get((row.stream, row.seq)) != ack.id:
                yield f"{client.name}: {ack.id} has no event at {row.stream} {row.seq}"


def _answered(table: Table, clients: list[Told]) -> Iterator[str]:
    """Everything a person did was acknowledged or refused with a reason, and what is there was told."""
    theirs: dict[str, list[Command]] = {}
    for command in table.commands:
        theirs.setdefault(command.seat, []).append(command)
    for client in clients:
        acked = {ack.id for ack in client.acks}
        refused = {refusal.id for refusal in client.refusals}
        fallen = {id for refusal in client.refusals for id in refusal.fallen}
        kept = {command.id for command in theirs.pop(client.seat, [])}
        for id in client.did:
            if id not in acked | refused | fallen:
                where = "waits for ever" if id in client.waiting else "is forgotten"
                yield f"{client.name}: {id} {where}"
        for refusal in client.refusals:
            if refusal.code not in CODES or not refusal.message:
                yield f"{client.name}: {refusal.id} was refused without a reason ({refusal.code!r})"
        yield from (f"{client.name}: {id} was refused, and is there" for id in sorted((refused | fallen) & kept))
        yield from (
            f"{client.name}: {id} is there, and nobody was told" for id in sorted(kept - acked - refused - fallen)
        )
    for seat, commands in theirs.items():
        yield f"{len(commands)} commands are there of {seat}, which sent none"


def _heard(table: Table, clients: list[Told], *, quiet: bool) -> Iterator[str]:
    """What each page applied is the log, from 1 on, each once and in order; at the end all of it."""
    log = {(event.stream, event.seq): event for event in table.events}
    for client in clients:
        if client.snapshots:
            yield f"{client.name}: had to start over {client.snapshots} times"
        at: dict[str, int] = {}
        for event in client.applied:
            expected = at.get(event.stream, 0) + 1
            if event.seq != expected:
                yield f"{client.name}: applied {event.stream} {event.seq} where {expected} was next"
            at[event.stream] = event.seq
            if not _same(event, log.get((event.stream, event.seq))):
                yield f"{client.name}: applied {event.name} as {event.stream} {event.seq}, and the log says otherwise"
        if quiet:
            for stream in client.streams:
                if (seq := at.get(stream, 0)) != (head := table.heads.get(stream, 0)):
                    yield f"{client.name}: is at {stream} {seq}, and its head is {head}"


def _times(table: Table, clients: list[Told]) -> Iterator[str]:
    """Never made before the start or after it was written, whatever clock said so; with a true clock, when it was."""
    for event in table.events:
        if not min(table.started_at, event.at) - LATE <= event.made_at <= event.at + LATE:
            yield f"{event.name} at {event.stream} {event.seq} was made at {event.made_at}, outside its interview"
    made = {(event.seat, event.cause): event.made_at for event in table.events if event.cause}
    for client in clients:
        for ack in client.acks if client.true_clock else ():
            acted, sent = client.did.get(ack.id), client.sent.get(ack.id)
            made_at = made.get((client.seat, ack.id))
            if acted is None or sent is None or made_at is None or acted < table.started_at:
                continue
            if not acted - LATE <= made_at <= acted + (ack.at - sent) + LATE:
                yield f"{client.name}: {ack.id} was done at {acted:.3f} and is said to be made at {made_at:.3f}"


def _place(ack: Ack) -> tuple[str, int, int | None]:
    return ack.stream, ack.seq, ack.version


def _wire(stream: str) -> str:
    return stream.partition(":")[0]


def _same(heard: Event, kept: Event | None) -> bool:
    return kept is not None and (heard.name, heard.cause, heard.seat) == (kept.name, kept.cause, kept.seat)
