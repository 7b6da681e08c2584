"""The newest events of one stream, and the frames drawn of them. Sockets are cursors on it."""

from __future__ import annotations

import asyncio
from collections import OrderedDict, deque
from collections.abc import Iterable, Mapping
from itertools import islice

from interviews.models import Event

EVENTS = 512  # kept per stream; who is further behind reads the log
FRAMES = 262_144  # characters of drawn frames kept per stream; older ones are drawn again for who is that far behind
AT_ONCE = 32  # frames that a socket takes before it looks again: what a slow one holds meanwhile


class Ring:
    """Everything here runs on the loop; only reading the log and drawing, which the feed does, leave it."""

    def __init__(self, head: int) -> None:
        self.head = head
        self.drawing = asyncio.Lock()
        self._events: deque[Event] = deque(maxlen=EVENTS)
        self._early: dict[int, Event] = {}
        self._frames: OrderedDict[tuple[int, str], str] = OrderedDict()
        self._size = 0

    def add(self, events: Iterable[Event]) -> bool:
        """Take what comes next; say whether something did. What came before its predecessor waits for it."""
        head = self.head
        for event in events:
            # What comes next is taken however many wait: it is what they wait for.
            if event.seq == self.head + 1 or (event.seq > self.head and len(self._early) < EVENTS):
                self._early[event.seq] = event
            while (following := self._early.pop(self.head + 1, None)) is not None:
                self._events.append(following)
                self.head = following.seq
        return self.head > head

    @property
    def has_gap(self) -> bool:
        return bool(self._early)

    def after(self, cursor: int) -> list[Event] | None:
        """The next events after the cursor, at most AT_ONCE, or None if the ring no longer reaches back that far."""
        if cursor >= self.head:
            return []
        first = self._events[0].seq if self._events else self.head + 1
        if first > cursor + 1:
            return None
        start = cursor + 1 - first
        return list(islice(self._events, start, start + AT_ONCE))

    def drawn(self, cursor: int, language: str) -> list[tuple[int, str]]:
        """The next frames after the cursor as far as they are drawn, at most AT_ONCE."""
        found = []
        for seq in range(cursor + 1, min(self.head, cursor + AT_ONCE) + 1):
            text = self._frames.get((seq, language))
            if text is None:
                break
            found.append((seq, text))
        return found

    def keep(self, texts: Mapping[int, str], language: str) -> None:
        """Keep drawn frames, the newest first of all: they are what most sockets are about to take."""
        for seq, text in texts.items():
            if (seq, language) not in self._frames:
                self._frames[seq, language] = text
                self._size += len(text)
        while self._size > FRAMES and len(self._frames) > 1:
            _, text = self._frames.popitem(last=False)
            self._size -= len(text)
