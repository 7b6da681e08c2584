"""Hints between processes: many become one, one's own are not heard twice, nonsense is nothing."""

from __future__ import annotations

import json
import os
import queue
import threading
from contextlib import suppress
from typing import Any

import pytest

from interviews import bus

pytestmark = pytest.mark.unit


def test_hints_of_one_room_become_one_with_the_newest_heads() -> None:
    hints = [
        {"room": 1, "heads": {"panel": 4, "all": 2}},
        {"room": 2, "presence": True},
        {"room": 1, "heads": {"panel": 6}},
        {"room": 1, "heads": {"panel": 5}},
        {"room": 1, "rights": True},
    ]
    assert bus.merged(hints) == [
        {"room": 1, "heads": {"panel": 6, "all": 2}, "rights": True},
        {"room": 2, "heads": {}, "presence": True},
    ]


def test_a_process_hears_others_and_not_itself() -> None:
    hints = [{"room": 1, "heads": {"panel": 4}}]
    body = b" " + json.dumps(hints).encode()
    assert bus.read(b"another" + body) == hints
    assert bus.read(bus._sender.name + body) == []


@pytest.mark.parametrize(
    "message",
    [
        b"",
        b"x",
        b"x {",
        b"x 7",
        b'x {"room": 1}',
        b'x [1, "room"]',
        b"x \xff",
        b"x " + b"[" * 100_000,
        b'x [{"presence": true}]',
        b'x [{"room": [1]}, {"room": "1"}, {"room": true}, {"room": null}]',
        b'x [{"room": 1, "heads": [4]}, {"room": 1, "heads": null}, {"room": 1, "heads": "panel"}]',
        b'x [{"room": 1, "heads": {"panel": "4"}}, {"room": 1, "heads": {"panel": 4, "all": null}}]',
    ],
    ids=range(12),
)
def test_whatever_else_comes_by_the_channel_is_nothing(message: bytes) -> None:
    assert bus.read(message) == []


def test_a_hint_that_is_none_takes_no_other_with_it() -> None:
    assert bus.read(b'x [{"room": 1, "heads": {"panel": "4"}}, {"room": 2, "rights": true}]') == [
        {"room": 2, "rights": True}
    ]


class Watched(bus._Sender):
    """A sender that holds whoever makes a new queue until a second one makes one too, or half a second."""

    def __init__(self) -> None:
        super().__init__()
        self.both = threading.Barrier(2, timeout=0.5)
        self.owners: list[int] = []
        self.worked: list[object] = []

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if name == "waiting" and hasattr(self, "both"):
            self.owners.append(self.owner)
            with suppress(threading.BrokenBarrierError):
                self.both.wait()

    def _work(self, waiting: queue.Queue[dict[str, Any]]) -> None:
        self.worked.append(waiting)


def test_one_thread_speaks_to_the_bus_whoever_asks_first_and_only_once_it_has_its_queue() -> None:
    sender = Watched()
    threads = [threading.Thread(target=sender.start) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert sender.owners == [0]  # nobody is told that it may send before its queue is there
    assert sender.owner == os.getpid()
    assert len(sender.worked) == 1
    assert sender.worked[0] is sender.waiting


def test_a_process_that_forks_while_the_thread_is_started_starts_its_own() -> None:
    sender = Watched()
    with sender._starting:
        sender.forked()  # as in the child, where nobody will ever let go of the lock
        sender.start()
    assert sender.owner == os.getpid()
