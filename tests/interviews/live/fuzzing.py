"""Frames that no page of ours would send: whole commands with one thing wrong, and noise. Seeded."""

from __future__ import annotations

import copy
import json
import random
import uuid
from dataclasses import dataclass, field
from typing import Any

from interviews.live.commands import COMMANDS, readers

MARK = "\u0000raw\u0000"  # stands in a frame for JSON that no Python value gives

ODD: list[Any] = [
    None, True, False, 0, -1, 1, 4, 5, 1.5, -0.0, 2**31, 2**63, -(2**63), 1e308, "", " ", "0", "null", "\x00", "\ud800",
    "a\udfff", "\u202e", "𝔸" * 30, "x" * 201, "x" * 20_001, "'; DROP TABLE interviews_event; --", "../../etc/passwd",
    "{{ 7*7 }}", "<script>", "%s%n", [], [[]], {}, {"": ""}, {"depth": 9}, {"depth": True}, {"floor": 1},
    {"floor": 2, "ceiling": 1, "reason": "x"}, {"floor": 10**30, "ceiling": None, "reason": "x"}, [1, 2, 3], ["x"] * 50,
    "urn:uuid:00000000-0000-4000-8000-000000000000", "{00000000-0000-4000-8000-000000000000}", "０" * 32, "-" * 36,
    "00000000-0000-4000-8000-00000000000g", "sustained", "no_answer", "unaided",
]  # fmt: skip
RAW = [
    "NaN",
    "Infinity",
    "-Infinity",
    "1e999",
    "-1e999",
    "9" * 400,
    "9" * 5000,
    "1.0E+2",
    "0.1e-400",
    "[" * 900 + "]" * 900,
]
NOISE: list[str | bytes] = [
    "", " ", "null", "[]", "{}", "0", '"', "{", "}", '{"type"', '{"type": "command"', "\ufeff{}", "\x00", "{}{}",
    '{"type": "command"}', '{"type": ["command"]}', '{"type": {"a": 1}}', '{"type": "welcome"}', '{"type": null}',
    '{"type": "event", "stream": "panel", "seq": 1}', '{"type": "ack", "id": "x"}', "[" * 30_000, '{"a":' * 5_000,
    '{"type": "command", "type": "pong", "type": 5}', b"", b"\x00\xff", b'{"type": "pong"}', b"\x80" * 500,
]  # fmt: skip


@dataclass
class Known:
    """Ids that exist somewhere: of this room, of another one, of other seats."""

    asked: list[str] = field(default_factory=list)
    elsewhere: list[str] = field(default_factory=list)
    commands: list[str] = field(default_factory=list)
    seats: list[str] = field(default_factory=list)
    trees: list[str] = field(default_factory=lambda: ["data-parallel", "zero-stages"])

    @property
    def ids(self) -> list[str]:
        return [*self.asked, *self.elsewhere, *self.commands, *self.seats]


class Fuzz:
    """A stream of frames. Texts are JSON or nearly so; bytes are binary frames."""

    def __init__(self, seed: int, known: Known) -> None:
        self.dice, self.known = random.Random(seed), known  # noqa: S311 - reproducible, not secret

    def frame(self) -> str | bytes:
        way = self.dice.random()
        if way < 0.08:
            return self.dice.choice(NOISE)
        if way < 0.12:
            return self._large()
        if way < 0.2:
            return self._spell(self._pong())
        frame = self.command(self.dice.choice(sorted(COMMANDS)))
        for _ in range(self.dice.choice((0, 1, 1, 1, 2, 3))):
            self._spoil(frame)
        text = self._spell(frame)
        way = self.dice.random()
        if way < 0.05:
            return text[: self.dice.randrange(len(text))]
        if way < 0.1:
            at = self.dice.randrange(len(text))
            return text[:at] + chr(self.dice.choice((0, 34, 44, 91, 123, 125, 0x2028, 0x1F600))) + text[at + 1 :]
        if way < 0.13:
            return text[:-1] + ', "data": {}, "id": "x", "data": ' + self.dice.choice(RAW) + "}"
        return text

    def command(self, name: str) -> dict[str, Any]:
        """A whole command, with ids that exist and values that may be right."""
        data = {field: self._value(field) for field in readers(name) if self.dice.random() < 0.85}
        id = (
            self.dice.choice(self.known.ids)
            if self.dice.random() < 0.15
            else str(uuid.UUID(int=self.dice.getrandbits(128)))
        )
        return {"type": "command", "id": id, "name": name, "data": data, "age": self.dice.choice((0, 0, 5, 1e4, 1e12))}

    def _value(self, name: str) -> Any:
        tree = self.dice.choice(self.known.trees)
        values: dict[str, list[Any]] = {
            "asked": [*self.known.asked * 4, *self.known.ids, None],
            "evidence": self.known.ids,
            "reason": self.known.ids,
            "seat": self.known.ids,
            "probe": [f"{tree}/root", f"{tree}/l2", "root", f"{tree}/", "/", "elsewhere/root", f"{tree}/l2/l3"],
            "tree": [tree, "elsewhere"],
            "outcome": ["sustained", "not_judged", "SUSTAINED", None],
            "ended": ["no_answer", "moved_on", "top_of_tree", None],
            "ratings": [{"depth": 3}, {"depth": None}, {"why": 2}, {"nerve": 1}, {}],
            "version": [0, 0, 1, 2, 7, 2**31 - 2],
            "override": [
                None,
                {"floor": 0, "ceiling": None, "reason": "so"},
                {"floor": 99, "ceiling": 98, "reason": ""},
            ],
            "text": ["Words.", "", "字" * 50],
            "detail": ["A detail.", ""],
            "type": ["built", "choice", "read_about", "none"],
            "aid": ["unaided", "prompted", "told"],
            "confidence": ["low", "high", None],
        }
        return copy.deepcopy(self.dice.choice(values.get(name, ODD)))

    def _spoil(self, frame: dict[str, Any]) -> None:
        """Put one thing wrong, at the top or in the data."""
        inside = frame["data"] if isinstance(frame.get("data"), dict) and self.dice.random() < 0.6 else frame
        way = self.dice.random()
        if inside and way < 0.2:
            del inside[self.dice.choice(sorted(inside))]
        elif way < 0.35:
            inside[self.dice.choice(("x", "id", "seat", "__proto__", "", "\ud800", "made_at", "by", "x" * 300))] = (
                self._odd()
            )
        elif inside:
            inside[self.dice.choice(sorted(inside))] = self._odd()

    def _odd(self) -> Any:
        way = self.dice.random()
        if way < 0.15:
            return MARK + self.dice.choice(RAW)
        if way < 0.3 and self.known.ids:
            return self.dice.choice(self.known.ids)
        return copy.deepcopy(self.dice.choice(ODD))

    def _spell(self, frame: dict[str, Any]) -> str:
        text = json.dumps(frame, ensure_ascii=self.dice.random() < 0.5 or "\\ud" in json.dumps(frame))
        for raw in RAW:
            text = text.replace(json.dumps(MARK + raw), raw)
        return text

    def _pong(self) -> dict[str, Any]:
        odd = self.dice.choice
        return {
            "type": "pong",
            "heads": odd(ODD),
            "outbox": odd(ODD),
            "device": odd(ODD),
            **({"x": 1} if odd((0, 1)) else {}),
        }

    def _large(self) -> str | bytes:
        size = self.dice.choice((65_536, 65_537, 70_000, 120_000))
        frame = self.command("note.set")
        frame["data"]["text"] = "y" * size
        return self.dice.choice((json.dumps(frame), "z" * size, b"\x01" * size))


def is_pong(frame: str | bytes) -> bool:
    """Whether the server takes this for a pong, which has no answer."""
    if isinstance(frame, bytes) or len(frame.encode("utf-8", "surrogatepass")) > 65_536:
        return False
    try:
        said = json.loads(frame)
    except (ValueError, RecursionError):
        return False
    return isinstance(said, dict) and said.get("type") == "pong"
