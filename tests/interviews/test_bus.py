"""Hints between processes: many become one, one's own are not heard twice, nonsense is nothing."""

from __future__ import annotations

import json

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
