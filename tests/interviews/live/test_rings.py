"""The ring of a stream: what comes out of order waits, what is far back is read elsewhere, what is drawn is bounded."""

from __future__ import annotations

import pytest

from interviews.live.rings import AT_ONCE, EVENTS, FRAMES, Ring
from interviews.models import Event

pytestmark = pytest.mark.unit


def events(*seqs: int) -> list[Event]:
    return [Event(stream="panel", seq=seq, name="probe.ask") for seq in seqs]


def seqs(ring: Ring, cursor: int) -> list[int] | None:
    found = ring.after(cursor)
    return None if found is None else [event.seq for event in found]


async def test_an_event_waits_for_the_one_before_it() -> None:
    ring = Ring(head=4)
    assert not ring.add(events(6))
    assert (ring.head, ring.has_gap, seqs(ring, 4)) == (4, True, [])
    assert ring.add(events(5))
    assert (ring.head, ring.has_gap, seqs(ring, 4)) == (6, False, [5, 6])


async def test_what_comes_next_is_taken_however_many_wait_for_it() -> None:
    ring = Ring(head=0)
    assert not ring.add(events(*range(2, EVENTS + 100)))
    assert ring.add(events(1))
    assert (ring.head, ring.has_gap) == (EVENTS + 1, False)
    assert ring.add(events(*range(EVENTS + 2, EVENTS + 100)))
    assert ring.head == EVENTS + 99


async def test_what_was_seen_is_not_taken_again() -> None:
    ring = Ring(head=0)
    ring.add(events(1, 2, 3))
    assert not ring.add(events(1, 2, 3))
    assert ring.add(events(2, 3, 4))
    assert seqs(ring, 0) == [1, 2, 3, 4]


async def test_a_cursor_takes_no_more_than_a_handful_at_once() -> None:
    ring = Ring(head=0)
    ring.add(events(*range(1, 101)))
    assert seqs(ring, 10) == list(range(11, 11 + AT_ONCE))
    assert seqs(ring, 100) == []


async def test_who_is_behind_the_ring_is_sent_to_the_log() -> None:
    ring = Ring(head=0)
    ring.add(events(*range(1, EVENTS + 11)))
    assert seqs(ring, 9) is None
    assert seqs(ring, 10) == list(range(11, 11 + AT_ONCE))
    assert seqs(Ring(head=7), 3) is None


async def test_frames_are_given_as_far_as_they_are_drawn_in_that_language() -> None:
    ring = Ring(head=0)
    ring.add(events(1, 2, 3, 4))
    ring.keep({1: "one", 2: "two", 4: "four"}, "en")
    assert ring.drawn(0, "en") == [(1, "one"), (2, "two")]
    assert ring.drawn(2, "en") == []
    assert ring.drawn(3, "en") == [(4, "four")]
    assert ring.drawn(0, "zh-hans") == []


async def test_drawn_frames_are_bounded_whatever_their_size() -> None:
    ring = Ring(head=0)
    ring.add(events(*range(1, 101)))
    for seq in range(1, 101):
        ring.keep({seq: "x" * 20_000}, "en")
    kept = [seq for seq in range(1, 101) if ring.drawn(seq - 1, "en")]
    assert kept[-1] == 100
    assert 20_000 * len(kept) <= FRAMES
    ring.keep({100: "x" * 20_000}, "en")
    assert [seq for seq in range(1, 101) if ring.drawn(seq - 1, "en")] == kept
