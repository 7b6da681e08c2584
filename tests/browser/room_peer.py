"""A scripted server end of a room's socket, and the page it talks to. It keeps what was said and answers as told."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page, WebSocketRoute

from tests.browser import held
from tests.browser.conftest import Site
from tests.support import room_page

Answer = Callable[["Peer", dict[str, Any]], None]


def acknowledge(peer: Peer, command: dict[str, Any]) -> None:
    """Accept everything: the ack with seq and version as a server would count them."""
    peer.heads["mine"] += 1
    ack = {"type": "ack", "id": command["id"], "stream": "mine", "seq": peer.heads["mine"]}
    if "version" in command["data"]:
        ack["version"] = command["data"]["version"] + 1
    peer.send(ack)


def say_nothing(peer: Peer, command: dict[str, Any]) -> None:
    """Keep the command without an answer, as a line does that dies."""


def refuse(code: str, message: str = "No.", **more: Any) -> Answer:
    def answer(peer: Peer, command: dict[str, Any]) -> None:
        peer.send({"type": "refused", "id": command["id"], "code": code, "message": message, **more})

    return answer


class Peer:
    """One room as a page sees it. `answers` is asked for each command; `connections` holds each line's query."""

    def __init__(self, page: Page, answers: Answer = acknowledge) -> None:
        self.page = page
        self.answers = answers
        self.commands: list[dict[str, Any]] = []
        self.pongs: list[dict[str, Any]] = []
        self.connections: list[dict[str, str]] = []
        self.heads = {"all": 1, "panel": 3, "mine": 2}
        self.welcomes = True
        self.away = False  # nobody is there: every line is cut as it comes
        self.now: str | None = None  # the time said to every line that comes
        self.line: WebSocketRoute | None = None
        page.route_web_socket("**/ws/interviews/**", self._open)

    def _open(self, line: WebSocketRoute) -> None:
        if self.away:
            line.close(code=1012)
            return
        self.line = line
        self.connections.append({key: value[0] for key, value in parse_qs(urlsplit(line.url).query).items()})
        line.on_message(self._hear)
        if self.welcomes:
            self.welcome()

    def welcome(self) -> None:
        self.send(
            {
                "type": "welcome",
                "protocol": 1,
                "epoch": 1,
                "seat": {"id": room_page.SEATS["lead"], "role": "lead"},
                "heads": self.heads,
                "heartbeat": 8,
                "limits": {"frame": 65536, "window": 32},
            }
        )
        if self.now:
            self.say_time(self.now)

    def say_time(self, at: str) -> None:
        self.send({"type": "presence", "seats": [], "at": at})

    def _hear(self, message: str | bytes) -> None:
        frame = json.loads(message)
        if frame["type"] == "pong":
            self.pongs.append(frame)
        else:
            self.commands.append(frame)
            self.answers(self, frame)

    def send(self, frame: dict[str, Any]) -> None:
        assert self.line is not None
        self.line.send(json.dumps(frame))

    def event(self, stream: str, name: str, *, seq: int | None = None, **more: Any) -> None:
        """Append an event to a stream, or send one with a seq of your own."""
        if seq is None:
            self.heads[stream] += 1
            seq = self.heads[stream]
        frame = {"type": "event", "stream": stream, "seq": seq, "name": name, "by": None, "cause": None, "data": {}}
        self.send({**frame, "at": "2026-03-12T09:24:20Z", "made_at": "2026-03-12T09:24:20Z", "html": "", **more})

    def settle(self) -> None:
        """Wait until the page has done with everything that was sent so far: it answers a ping behind that."""
        count = len(self.pongs)
        self.send({"type": "ping", "heads": {}})
        self.until(lambda: len(self.pongs) > count)

    def cut(self, code: int = 1012) -> None:
        """Close the line, and wait until the page has heard of it: a key pressed before would still go out."""
        assert self.line is not None
        self.line.close(code=code)
        self.pass_by()

    def pass_by(self) -> None:
        """Go into the page and back, behind all that was sent to it: where no ping can be answered."""
        self.page.evaluate("0")

    def named(self, name: str) -> list[dict[str, Any]]:
        return [command for command in self.commands if command["name"] == name]

    def wait_for_commands(self, count: int) -> list[dict[str, Any]]:
        self.until(lambda: len(self.commands) >= count)
        return self.commands

    def until(self, reached: Callable[[], bool]) -> None:
        """Let the page run until something holds here; messages arrive only while the page is waited on."""
        held.until(self.page, reached, lambda: f"{self.commands=} {self.connections=} {self.pongs=}")


def open_room(page: Page, site: Site, *, role: str = "lead", answers: Answer = acknowledge, **context: Any) -> Peer:
    """Draw a room for a seat, open it, and wait until its line is up."""
    given = room_page.context(role) | context
    peer = Peer(page, answers)
    site.put(given["room"]["controls"], room_page.draw("interviews/frames/lead_controls.html", given))
    page.goto(site.put("/room", room_page.draw("interviews/room.html", given)))
    page.locator("#line[data-state=live]").wait_for()
    return peer
