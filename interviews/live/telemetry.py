"""What the live rooms say of themselves: a log line for each command, and the metrics of /metrics.

Ids, names from our own lists and numbers only: no word that anybody wrote is logged or counted. The socket's code calls
the functions in one line each; they cost next to nothing where nobody listens.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict, deque
from collections.abc import Mapping, Sized
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, Protocol
from uuid import UUID

from prometheus_client import Counter, Gauge, Histogram

from interviews import bus
from interviews.live.handshake import Welcome
from interviews.log import Ack
from interviews.queries.standing import Standing
from interviews.rules import COMMANDS
from interviews.services.refusal import Code
from people.metrics import refreshers

logger = logging.getLogger("sounding.commands")

QUICK: Final = (0.001, 0.0025, 0.005, 0.01, 0.015, 0.025, 0.04, 0.06, 0.1, 0.25, 0.5, 1, 2.5, 5)
AGES: Final = (0.05, 0.25, 1, 5, 15, 60, 300, 900, 3600, 14_400, 86_400)
REMEMBERED: Final = 8192  # commits whose frames may still be on their way; a slow socket's oldest are forgotten
LATELY: Final = 60.0

SOCKETS = Gauge("sounding_sockets", "Open sockets of rooms", multiprocess_mode="livesum")
ROOMS = Gauge("sounding_rooms", "Rooms with an open socket", multiprocess_mode="livesum")
ANSWERS = Counter("sounding_commands", "Commands, by name and by answer: ack or a code", ["name", "answer"])
ACKED = Histogram("sounding_ack_seconds", "From a command's arrival to its answer", buckets=QUICK)
FANNED_OUT = Histogram("sounding_fan_out_seconds", "From a commit here to a socket here", buckets=QUICK)
GAPS = Counter("sounding_gaps_filled", "Times a stream was found behind the table and read up")
AGE = Histogram("sounding_command_age_seconds", "From the act to the command's arrival", buckets=AGES)
OLDEST = Gauge(
    "sounding_outbox_age_seconds", "The oldest command that arrived in the last minute", multiprocess_mode="livemax"
)

_commits: OrderedDict[tuple[int, str, int], float] = OrderedDict()
_ages: deque[tuple[float, float]] = deque(maxlen=REMEMBERED)


@dataclass(frozen=True, slots=True)
class Heard:
    """A frame as it came, whatever it is, and when."""

    frame: object
    at: float = field(default_factory=time.perf_counter)

    @property
    def said(self) -> Mapping[str, Any]:
        return self.frame if isinstance(self.frame, dict) else {}

    @property
    def took(self) -> float:
        return time.perf_counter() - self.at


class Line(Protocol):
    """What is told of a socket."""

    welcome: Welcome
    standing: Standing
    heard: Heard


def joined(rooms: Sized) -> None:
    """A socket joined; `rooms`: those that are open now."""
    SOCKETS.inc()
    ROOMS.set(len(rooms))


def left(rooms: Sized) -> None:
    SOCKETS.dec()
    ROOMS.set(len(rooms))


def accepted(line: Line, ack: Ack) -> None:
    """A command was acknowledged."""
    took = line.heard.took
    _count(line.heard.said, "ack", took)
    if logger.isEnabledFor(logging.DEBUG):
        told = {"stream": ack.stream.partition(":")[0], "seq": ack.seq, "ms": round(took * 1000, 1)}
        logger.debug("accepted", extra=_facts(line) | told)


def refused(line: Line, code: Code, *, told: bool = True) -> None:
    """A frame was refused, command or not: logged once, here, or only counted where that was `told` enough."""
    took = line.heard.took
    _count(line.heard.said, str(code), took)
    if told and logger.isEnabledFor(logging.INFO):
        facts = _facts(line) | {"code": str(code), "ms": round(took * 1000, 1)}
        words = "refused: %(code)s, %(did)s %(command)s by seat %(seat)s in %(interview)s"
        logger.info(words, facts, extra=facts)


def committed(hint: Mapping[str, Any], *_written: object) -> None:
    """Called by the bus in this process when something was committed, on whatever thread."""
    now = time.perf_counter()
    for stream, seq in hint.get("heads", {}).items():
        _commits[hint["room"], stream, seq] = now
    while len(_commits) > REMEMBERED:
        _commits.popitem(last=False)


def sent(room: int, stream: str, seq: int) -> None:
    """A frame was handed to a socket."""
    at = _commits.get((room, stream, seq))
    if at is not None:
        FANNED_OUT.observe(time.perf_counter() - at)


def filled(streams: int = 1) -> None:
    """Streams were found behind the table."""
    GAPS.inc(streams)


def refresh() -> None:
    """Forget ages of more than a minute ago: called before the metrics are read."""
    now = time.monotonic()
    while _ages and _ages[0][0] < now - LATELY:
        _ages.popleft()
    OLDEST.set(max((age for _at, age in list(_ages)), default=0))


def _count(frame: Mapping[str, Any], answer: str, took: float) -> None:
    _answers(_name(frame), answer).inc()
    ACKED.observe(took)
    age = frame.get("age")
    if isinstance(age, int | float) and not isinstance(age, bool) and 0 <= age < 1e15:
        AGE.observe(age / 1000)
        _ages.append((time.monotonic(), age / 1000))


@cache
def _answers(name: str, answer: str) -> Counter:
    """The counter of these two, found once: both are names from our own lists."""
    return ANSWERS.labels(name=name, answer=answer)


def _name(frame: Mapping[str, Any]) -> str:
    name = frame.get("name")
    return name if isinstance(name, str) and name in COMMANDS else "unknown"


def _facts(line: Line) -> dict[str, object]:
    said = line.heard.said
    try:
        command = str(UUID(said["id"]))
    except (KeyError, TypeError, ValueError, AttributeError):
        command = ""
    facts: dict[str, object] = {"interview": str(line.welcome.code), "seat": line.standing.code}
    return {**facts, "role": line.standing.role, "did": _name(said), "command": command}


bus.listeners.append(committed)
refreshers.append(refresh)
